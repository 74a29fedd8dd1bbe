"""Many games at once from Python: their memory, how they are stepped, what is seen of them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from strandline.engine import draws
from strandline.engine.drivers import FOREVER
from strandline.engine.errors import BadOptions
from strandline.engine.position import Position
from strandline.env import drivers
from strandline.env.spaces import space

DESK = np.dtype(
    [
        ("seed", "i8"),
        ("episode", "i8"),
        ("key", "i8", (2,)),  # of the episode's stream
        ("draws", "i8"),  # made from it
        ("listed", "i4"),  # actions on the list
        ("learner", "i1"),  # a seat, ANY or EVERY
        ("seat", "i1"),  # whose view is shown
        ("over", "?"),
        ("due", "?"),  # whether a reset begins a new game
    ],
    align=True,
)
ROOM = 64
"""Actions on the list of a game; with more of them its whole mask is cleared, and there is no list for a short mask."""

Array = np.ndarray[Any, Any]


class Batch:
    """Games that begin with one position. In each, one seat learns and all others move at random, or every seat learns.

    `seen`, `masks` and `rewards` (by seat) say how the games stand; each step overwrites them.
    """

    def __init__(self, start: Position, number: int, learner: int, threads: int = 1) -> None:
        """So many games; `learner` is a seat, `drivers.ANY` or `drivers.EVERY`."""
        self.space = space(start.game, start.players)
        self.threads = threads
        self._start = start.records()
        self._states = np.repeat(self._start, number)
        self._works = np.zeros((threads, 1), start.game.rules.WORK)
        self._desks = np.zeros(number, DESK)
        self._desks["seed"] = np.random.default_rng().integers(2**63, size=number)
        self._desks["episode"] = -1
        self._desks["learner"] = learner
        self._lists = np.zeros((number, ROOM if self.space.actions > 8 * ROOM else 0), np.int32)
        self._pool: ThreadPoolExecutor | None = None
        self.seen = np.zeros((number, self.space.size), np.int8)
        self.masks = np.zeros((number, self.space.actions), np.int8)
        self.rewards = np.zeros((number, start.players))

    @property
    def number(self) -> int:
        """How many games there are."""
        return len(self._desks)

    @property
    def seats(self) -> Array:
        """Whose view is shown of each game: the seat that decides, or that did so last."""
        return np.asarray(self._desks["seat"])

    @property
    def over(self) -> Array:
        """Which games are over."""
        return np.asarray(self._desks["over"])

    def reset(self, seeds: Sequence[int] | Array | None = None, which: Array | None = None) -> None:
        """Begin new games, all or those marked in `which`: with these seeds, or the next ones of the seeds so far."""
        chosen = np.ones(self.number, bool) if which is None else np.asarray(which, bool)
        if seeds is None:
            self._desks["episode"][chosen] += 1
        else:
            self._desks["seed"][chosen] = np.array([int(seed) % 2**63 for seed in seeds])[chosen]
            self._desks["episode"][chosen] = 0
        self._desks["due"] = chosen
        self.rewards[chosen] = 0.0
        self._run("reset", self._desks, self.space.slots, self.seen, self.masks, self._lists)

    def step(self, actions: Array) -> None:
        """Play an action in each game; games that are over begin anew instead."""
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != (self.number,):
            raise BadOptions(f"There must be an action for each of the {self.number} games, not {given.shape}.")
        sides = (self._desks, self.space.codes, self.space.slots, given)
        self._run("step", *sides, self.seen, self.masks, self._lists, self.rewards)

    def position(self, i: int) -> Position:
        """The position of a game."""
        game = self.space.game
        return Position(game, game.rules.STATE.structure.from_buffer_copy(self._states[i : i + 1]))

    def look(self, i: int, seat: int) -> Array:
        """What the seat sees of a game."""
        out = np.zeros(self.space.size, np.int8)
        self._call("look_at", self._states[i : i + 1], seat, out)
        return out

    def learning_seat(self, i: int, learner: int) -> int:
        """The seat that learns in a game, by lot if it is any; also where the batch itself plays for every seat."""
        if learner != drivers.ANY:
            return learner
        return int(draws.draw(tuple(self._desks["key"][i].tolist()), FOREVER, self.space.players))

    def _run(self, name: str, *arrays: Array) -> None:
        """Call a driver for all games: each thread has as many of them, and scratch space of its own."""
        bounds = np.linspace(0, self.number, self.threads + 1).astype(int)

        def piece(thread: int) -> None:
            span = int(bounds[thread]), int(bounds[thread + 1])
            self._call(name, self._start, self._states, self._works[thread], *arrays, *span)

        if self.threads == 1:
            piece(0)
            return
        self._call(name, self._start, self._states, self._works[0], *arrays, 0, 0)  # one alone meets the compiler
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        list(self._pool.map(piece, range(self.threads)))

    def _call(self, name: str, *arguments: Any) -> None:
        getattr(self.space.game.compiled(drivers), name)(*arguments)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        """Records as bytes: a copy of them as records would leave the gaps between fields to chance."""
        raw = {name: getattr(self, name).view(np.uint8) for name in ("_start", "_states")}
        return vars(self) | raw | {"_pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        for name in ("_start", "_states"):
            setattr(self, name, state[name].view(self.space.game.rules.STATE))
