"""Search trees from Python: their memory, how they are grown on several cores, what they say about the moves."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from strandline.bots import network, puct, search
from strandline.engine import binding, hints, speeds
from strandline.engine.draws import stream
from strandline.engine.errors import TimeUp
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.records import Layout

EDGES = 24
"""Room for this many moves a node, on average; most nodes are never expanded."""
POSITIONS = 3
"""A simulation that a network guides adds this many positions, on average."""
SLICE = 0.05
"""Seconds of search between two looks at the clock."""
FIRST = 2
"""Simulations that are run even if there is no time: the second one looks at the moves."""
MOST = 0.9
"""The part of what is left of the time that simulations are given: each takes a time of its own."""

TREE = Layout(("root", "i4"), ("nodes", "i4"), ("edges", "i4"))
EDGE = Layout(("code", "i4"), ("child", "i4"), ("liked", "i4"))
ROW = Layout(("weights", "i2", puct.WIDTH))
MIND = Layout(("sums", "i4", puct.WIDTH), ("units", "i2", puct.WIDTH))


@functools.cache
def node_layout(seats: int) -> Layout:
    """A position in the tree: how often it was visited and what that came to, for each seat."""
    return Layout(
        ("number", "i8"),
        ("value", "f8", seats),
        ("square", "f8", seats),
        ("visits", "i4"),
        ("first", "i4"),
        ("size", "i4"),
        ("who", "i1"),
    )


def guide(game: Game) -> ModuleType:
    """The game's hints, or what counts where it has none."""
    return binding.part(game.rules, hints) or hints


def setting(game: Game, name: str) -> Any:
    """A setting by the game's hints, or what counts where they say nothing."""
    return getattr(guide(game), name, getattr(hints, name))


@dataclass(frozen=True)
class Tried:
    """What is known of one of the root's moves: visits, and sums of values and of their squares by seat."""

    code: int
    visits: int
    values: tuple[float, ...]
    squares: tuple[float, ...]

    def mean(self, seat: int) -> float:
        """The mean result for the seat; 0 if it was never tried."""
        return self.values[seat] / max(self.visits, 1)

    def error(self, seat: int) -> float:
        """The standard error of the mean, as if simulations were independent; 1 if it was never tried."""
        if self.visits == 0:
            return 1.0
        variance = max(self.squares[seat] / self.visits - self.mean(seat) ** 2, 0.0) + 0.25 / self.visits
        return math.sqrt(variance / self.visits)


def best(outlook: Sequence[Tried], seat: int) -> Tried:
    """The move that was tried most, and of these the one with the best result."""
    return max(reversed(outlook), key=lambda tried: (tried.visits, tried.mean(seat)))


class Tree:
    """One search tree. It keeps what it has seen, as long as there is room, for the positions that come next."""

    DRIVER: Any = search.search

    def __init__(self, game: Game, room: int, speed: speeds.Maker = speeds.fastest) -> None:
        """A tree with room for that many positions."""
        self._game, self._room, self._speed = game, room, speed
        self._furnish()

    def _furnish(self) -> None:
        game, room = self._game, self._room
        self._was_stopped = False
        kernels = self._kernels = self._speed(game, self.DRIVER)
        state = game.rules.STATE
        self._words = kernels.array("i4", -(-state.itemsize // 4))
        self._states = self._words.part(state, 1)
        self._start = kernels.array(state, 1)
        self._works = kernels.array(binding.work(game.rules), 1)
        self._path = kernels.array("i4", search.DEPTH)
        self.tree = kernels.array(TREE, 1)
        self.nodes = kernels.array(node_layout(max(game.seats)), room + 2)
        self.edges = kernels.array(EDGE, EDGES * room)
        self.slots = kernels.array("i4", 2 * room + 3)

    def make_room(self, simulations: int) -> None:
        """Forget everything if that many more simulations would not fit."""
        if self.tree[0].nodes + simulations > self._room:
            for array in (self.tree, self.nodes, self.edges, self.slots):
                array.clear()

    def grow(self, start: bytes, seed: int, number: int, simulations: int, until: float | None = None) -> bool:
        """Run that many simulations from the record `start`, with the streams of `seed` from `number` on.

        Returns whether they came to their end before the time `until`, which only stops `speeds.stoppable`. A tree that
        was stopped can be looked at, and begins anew when it is grown again.
        """
        if self._was_stopped:
            self._furnish()
        self._start.write(start)
        scratch = (self._states, self._words, self._works)
        grown = (self.tree, self.nodes, self.edges, self.slots, self._path)
        numbers = (seed, number, simulations)
        name = self.DRIVER.__name__
        try:
            self._kernels.run(name, self._start, *scratch, *grown, *self._thoughts(), *numbers, until=until)
        except TimeUp:
            self._was_stopped = True
        return not self._was_stopped

    def _thoughts(self) -> Sequence[speeds.Array]:
        """What else the driver is given."""
        return ()

    def root(self) -> Any:
        """The node of the position that was searched last."""
        return self.nodes[self.tree[0].root]

    def outlook(self) -> list[Tried]:
        """What the tree says about the moves of the position that was searched last."""
        root = self.root()
        edges = [self.edges[i] for i in range(root.first, root.first + root.size)]
        children = [self.nodes[edge.child] for edge in edges]
        return [
            Tried(edge.code, child.visits, tuple(child.value), tuple(child.square))
            for edge, child in zip(edges, children, strict=True)
        ]


class GuidedTree(Tree):
    """A tree that a network grows, for a game with this many seats."""

    DRIVER = puct.guided_search

    def __init__(self, game: Game, simulations: int, speed: speeds.Maker = speeds.fastest, *, players: int = 2) -> None:
        """A tree with room for that many simulations: each adds a decision, and mostly what chance does before it."""
        self._players = players
        super().__init__(game, POSITIONS * simulations, speed)

    def _furnish(self) -> None:
        super()._furnish()
        own, new = network.network(self._game, self._players), self._kernels.array
        self._network = [
            new("i1", own.features),
            new(MIND, 1),
            new(ROW, own.rows),
            new("i4", len(own.biases) // 4),
            new("i4", len(own.codes) // 4),
        ]
        for array, data in zip(self._network[2:], (own.weights, own.biases, own.codes), strict=True):
            array.write(data)

    def _thoughts(self) -> Sequence[speeds.Array]:
        return self._network


@dataclass(frozen=True)
class Budget:
    """How long to think: this many simulations in all, or this many seconds if that is shorter."""

    simulations: int
    seconds: float | None = None
    threads: int = 1

    @property
    def speed(self) -> speeds.Maker:
        """What trees are made with: where there is a clock they can be stopped by it."""
        return speeds.fastest if self.seconds is None else speeds.stoppable


def think(trees: Sequence[Tree], starts: Sequence[Position], seed: int, budget: Budget) -> None:
    """Grow each tree from its start by its share of the budget. Without a clock the result is always the same."""
    share = -(-budget.simulations // len(trees))
    deadline = None if budget.seconds is None else time.perf_counter() + budget.seconds

    def one(number: int) -> None:
        tree, start = trees[number], bytes(starts[number])
        own_seed = stream(seed, number)[0]
        tree.make_room(share)
        if deadline is None:
            tree.grow(start, own_seed, 0, share)
        else:
            now = time.perf_counter()
            rounds = -(-(len(trees) - number) // budget.threads)
            _grow_until(tree, start, own_seed, share, now + (deadline - now) / rounds)

    if budget.threads == 1:
        for number in range(len(trees)):
            one(number)
        return
    with ThreadPoolExecutor(budget.threads) as pool:
        list(pool.map(one, range(len(trees))))


def _grow_until(tree: Tree, start: bytes, seed: int, simulations: int, deadline: float) -> None:
    """Simulations in pieces that take about a `SLICE`, or most of what is left of the time.

    The first piece is run to its end, so that there is something to say. A later one ends before its time is up, for
    its length goes by the pieces before; where one of its simulations takes longer than they did, it is stopped.
    """
    done, piece, now = 0, FIRST, time.perf_counter()
    while done < simulations:
        began, piece = now, min(piece, simulations - done)
        if not tree.grow(start, seed, done, piece, deadline if done else None):
            return
        done += piece
        now = time.perf_counter()
        each, left = max(now - began, 1e-6) / piece, MOST * (deadline - now)
        if left < each:
            return
        piece = min(4 * piece, max(1, int(min(SLICE, left) / each)))


def summed(outlooks: Iterable[Sequence[Tried]]) -> list[Tried]:
    """Several trees taken together; their roots have the same moves in the same order."""
    return [
        Tried(
            move[0].code,
            sum(tried.visits for tried in move),
            tuple(map(sum, zip(*(tried.values for tried in move), strict=True))),
            tuple(map(sum, zip(*(tried.squares for tried in move), strict=True))),
        )
        for move in zip(*filter(None, outlooks), strict=True)
    ]
