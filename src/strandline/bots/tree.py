"""Search trees from Python: their memory, how they are grown on several cores, what they say about the moves."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from strandline.bots import search
from strandline.engine import binding, hints, records
from strandline.engine.draws import stream
from strandline.engine.game import Game
from strandline.engine.position import Position

EDGES = 24
"""Room for so many moves a node, on average; most nodes are never expanded."""
SLICE = 0.05
"""Seconds of search between two looks at the clock."""

Array = np.ndarray[Any, Any]

TREE = np.dtype([("root", "i4"), ("nodes", "i4"), ("edges", "i4")])
EDGE = np.dtype([("code", "i4"), ("child", "i4"), ("liked", "i4")])


@functools.cache
def node_dtype(seats: int) -> np.dtype[np.void]:
    """A position in the tree: how often it was visited and what that came to, for each seat."""
    return np.dtype(
        [
            ("number", "i8"),
            ("value", "f8", (seats,)),
            ("square", "f8", (seats,)),
            ("visits", "i4"),
            ("first", "i4"),
            ("size", "i4"),
            ("who", "i1"),
        ],
        align=True,
    )


def guide(game: Game) -> ModuleType:
    """The game's hints, or what counts where it has none."""
    return binding.part(game.rules, hints) or hints


def setting(game: Game, name: str) -> Any:
    """A setting by the game's hints, or what counts where they say nothing."""
    return getattr(guide(game), name, getattr(hints, name))


@dataclass(frozen=True)
class Outlook:
    """What is known of the root's moves, one row each: visits, and sums of values and of their squares by seat."""

    codes: Array
    visits: Array
    values: Array
    squares: Array

    def mean(self, seat: int) -> Array:
        """The mean result of each move for the seat; 0 where it was never tried."""
        return np.asarray(self.values[:, seat] / np.maximum(self.visits, 1))

    def error(self, seat: int) -> Array:
        """The standard error of each mean, as if simulations were independent; 1 where it was never tried."""
        n = np.maximum(self.visits, 1)
        variance = np.maximum(self.squares[:, seat] / n - self.mean(seat) ** 2, 0.0) + 0.25 / n
        return np.where(self.visits > 0, np.sqrt(variance / n), 1.0)

    def best(self, seat: int) -> int:
        """The row of the move that was tried most, and of these the one with the best result."""
        return int(np.lexsort((self.mean(seat), self.visits))[-1])


class Tree:
    """One search tree. It keeps what it has seen, as long as there is room, for the positions that come next."""

    def __init__(self, game: Game, room: int, interpreted: bool = False) -> None:
        """A tree with room for so many positions."""
        self._room = room
        self._interpreted = interpreted
        self._search = (game.interpreted if interpreted else game.compiled)(search).search
        size = game.rules.STATE.itemsize
        memory = np.zeros(-(-size // 4) * 4, np.uint8)
        self._states = memory[:size].view(game.rules.STATE)
        self._words = memory.view(np.int32)
        self._works = np.zeros(1, binding.work(game.rules))
        self._path = np.zeros(search.DEPTH, np.int32)
        self._seats = max(game.seats)
        self._clear()

    def _clear(self) -> None:
        self.tree = np.zeros(1, TREE)
        self.nodes = np.zeros(self._room + 2, node_dtype(self._seats))
        self.edges = np.zeros(EDGES * self._room, EDGE)
        self.slots = np.zeros(2 * self._room + 3, np.int32)

    def make_room(self, simulations: int) -> None:
        """Forget everything if so many simulations do not fit in any more."""
        if self.tree["nodes"][0] + simulations > self._room:
            self._clear()

    def grow(self, start: Array, seed: int, number: int, simulations: int) -> None:
        """Run so many simulations from the record `start[0]`, with the streams of `seed` from `number` on."""
        scratch = (self._states, self._words, self._works)
        arrays = (start, *scratch, self.tree, self.nodes, self.edges, self.slots, self._path)
        seen = map(records.view, arrays) if self._interpreted else arrays
        self._search(*seen, seed, number, simulations)

    def root(self) -> Any:
        """The node of the position that was searched last."""
        return self.nodes[self.tree["root"][0]]

    def outlook(self) -> Outlook:
        """What the tree says about the moves of the position that was searched last."""
        root = self.root()
        edges = self.edges[root["first"] : root["first"] + root["size"]]
        children = self.nodes[edges["child"]]
        return Outlook(edges["code"], children["visits"], children["value"], children["square"])


@dataclass(frozen=True)
class Budget:
    """How long to think: so many simulations in all, or so many seconds if that is shorter."""

    simulations: int
    seconds: float | None = None
    threads: int = 1


def think(trees: Sequence[Tree], starts: Sequence[Position], seed: int, budget: Budget) -> None:
    """Grow each tree from its start by its share of the budget. Without a clock the result is always the same."""
    share = -(-budget.simulations // len(trees))
    deadline = None if budget.seconds is None else time.perf_counter() + budget.seconds

    def one(number: int) -> None:
        tree, start = trees[number], starts[number].records()
        own_seed = stream(seed, number)[0]
        tree.make_room(share)
        if deadline is None:
            tree.grow(start, own_seed, 0, share)
        else:
            _grow_until(tree, start, own_seed, share, deadline)

    if budget.threads == 1:
        for number in range(len(trees)):
            one(number)
        return
    with ThreadPoolExecutor(budget.threads) as pool:
        list(pool.map(one, range(len(trees))))


def _grow_until(tree: Tree, start: Array, seed: int, simulations: int, deadline: float) -> None:
    """Simulations in pieces that take about a `SLICE`, at least one of them, until the time is up."""
    done, piece = 0, 16
    while done < simulations and (done == 0 or time.perf_counter() < deadline):
        began = time.perf_counter()
        piece = min(piece, simulations - done)
        tree.grow(start, seed, done, piece)
        done += piece
        piece = max(1, int(piece * min(4.0, SLICE / max(time.perf_counter() - began, 1e-6))))


def summed(outlooks: Iterable[Outlook]) -> Outlook:
    """Several trees taken together; their roots have the same moves in the same order."""
    all_trees = [outlook for outlook in outlooks if len(outlook.codes)]
    return Outlook(
        all_trees[0].codes,
        sum(o.visits.astype(np.int64) for o in all_trees),  # type: ignore[arg-type]
        sum(o.values for o in all_trees),  # type: ignore[arg-type]
        sum(o.squares for o in all_trees),  # type: ignore[arg-type]
    )
