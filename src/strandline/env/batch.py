"""Many games at once from Python: their memory, how they are stepped, what is seen of them."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np

from strandline.engine import binding, draws
from strandline.engine.errors import BadOptions
from strandline.engine.position import Position
from strandline.env import arguments, drivers, guided
from strandline.env.arguments import SEEDS, Array
from strandline.env.opponents import GUIDED, RANDOM, choice, opponent
from strandline.env.spaces import space

DESK = np.dtype(
    [
        ("seed", "i8"),
        ("episode", "i8"),
        ("key", "i8", (2,)),  # of the episode's stream
        ("draws", "i8"),  # made from it
        ("listed", "i4"),  # actions on the list
        ("taken", "i4", (drivers.MOST_STEPS,)),  # steps of a move that is not complete
        ("done", "i1"),  # how many they are
        ("learner", "i1"),  # a seat, ANY or EVERY
        ("own", "i1"),  # the seat that learns in this game, negative if all do
        ("seat", "i1"),  # whose view is shown
        ("alone", "?"),  # whether all other seats move at random
        ("over", "?"),
        ("due", "?"),  # whether a reset begins a new game
        ("fresh", "?"),  # whether nobody who learns has decided yet
    ],
    align=True,
)
ROOM = 64
"""Actions on the list of a game at first; where there are more, all lists become longer."""


class Batch:
    """Games that begin with one position. In each, one seat learns and others play the rest, or every seat learns.

    `seen`, `masks`, `lists` (with `listed` saying how many count), `rewards` (by seat) and `over` say how the games
    stand; each step overwrites them. `finals` holds the last views of games that began anew in the same step.
    """

    def __init__(
        self,
        start: Position,
        number: int,
        learner: int,
        threads: int = 1,
        *,
        opponents: str | int = RANDOM,
        mode: int = drivers.NEXT_STEP,
    ) -> None:
        """That many games; `learner` is a seat, `drivers.ANY` or `drivers.EVERY`."""
        game = start.game
        self.space = space(game, start.players)
        self.threads = threads
        self.mode = mode
        self._bot = None if learner == drivers.EVERY else opponent(opponents, game)
        self._guided = learner != drivers.EVERY and opponents == GUIDED
        self._start = start.records()
        self._states = np.repeat(self._start, number)
        self._works = np.zeros((threads, 1), game.rules.WORK)
        self._hint_works = np.zeros((threads, 1), binding.work(game.rules))
        self._desks = np.zeros(number, DESK)
        self._desks["seed"] = np.random.default_rng().integers(SEEDS, size=number)
        self._desks["episode"] = -1
        self._desks["learner"] = learner
        self._desks["alone"] = learner != drivers.EVERY and self._bot is None and not self._guided
        self._pool: ThreadPoolExecutor | None = None
        self.seen = np.zeros((number, self.space.size), self.space.dtype)
        self.finals = np.zeros((number if mode == drivers.SAME_STEP else 0, self.space.size), self.space.dtype)
        self.masks = np.zeros((number, self.space.actions), np.int8)
        self.lists = np.zeros((number, min(ROOM, self.space.actions)), np.int32)
        self.rewards = np.zeros((number, start.players))
        self.over = np.zeros(number, bool)

    @property
    def number(self) -> int:
        """How many games there are."""
        return len(self._desks)

    @property
    def seats(self) -> Array:
        """Whose view is shown of each game: the seat that decides, or that did so last."""
        return np.asarray(self._desks["seat"])

    @property
    def listed(self) -> Array:
        """How many legal actions each game has."""
        return np.asarray(self._desks["listed"])

    @property
    def has_begun(self) -> bool:
        """Whether there has been a reset."""
        return bool((self._desks["episode"] >= 0).all())

    def reset(self, seeds: Iterable[Any] | None = None, which: Any = None) -> None:
        """Begin new games, all or those marked in `which`: with these seeds, or the next ones of the seeds so far."""
        chosen = self._marked(which)
        if seeds is None:
            self._desks["episode"][chosen] += 1
        else:
            self._desks["seed"][chosen] = np.array([arguments.checked_seed(seed) for seed in seeds], np.int64)[chosen]
            self._desks["episode"][chosen] = 0
        self._desks["due"] = chosen
        self.rewards[chosen] = 0.0
        self._run("reset", self._desks)
        self._let_others_move()
        self.over[:] = self._desks["over"]
        self._show()

    def _marked(self, which: Any) -> Array:
        if which is None:
            return np.ones(self.number, bool)
        found = np.asarray(which)
        if found.shape != (self.number,) or found.dtype != bool:
            raise BadOptions(f"reset_mask must be an array of {self.number} booleans, one for each game.")
        return found

    def step(self, actions: Any) -> None:
        """Play an action in each game; what becomes of games that are over, the mode says."""
        given = self._checked(actions)
        if not self.has_begun:
            waiting = np.flatnonzero(self._desks["episode"] < 0)
            raise BadOptions(f"Game {waiting[0]} has not begun: call reset before its first step.")
        if self.mode == drivers.DISABLED and self._desks["over"].any():
            over = np.flatnonzero(self._desks["over"])
            raise BadOptions(f"Game {over[0]} is over: reset it, with its place in the option reset_mask.")
        if self._bot is None and not self._guided:
            arrays = (self._desks, self.space.codes, self.space.slots, given, self.seen, self.finals)
            more = (self.masks, self.lists, self.rewards, self.over, self.mode)
            self._make_room(self._run("step", *arrays, *more))
            return
        self._run("act", self._desks, self.space.codes, given, self.masks, self.rewards, self.mode)
        self._let_others_move()
        self._run("settle", self._desks, self.finals, self.over, self.mode)
        rewards = self.rewards.copy()  # of games that are over; those that began anew in the same step give nothing
        self._let_others_move()
        self.rewards[:] = rewards
        self._show()

    def _checked(self, actions: Any) -> Array:
        given = arguments.numbers(actions, self.space.actions)
        if given.shape != (self.number,):
            raise BadOptions(
                f"There must be an action for each of the {self.number} games, not an array of shape {given.shape}."
            )
        return np.ascontiguousarray(given, np.int64)

    def _let_others_move(self) -> None:
        """Let bots move until all learners decide; games that end before their learner ever decides begin anew."""
        if self._bot is None and not self._guided:
            return
        while True:
            if self._guided:
                self._run("catch_up", self._desks, self.rewards, driver=guided)
            else:
                self._let_bots_move()
            missed = self._desks["over"] & self._desks["fresh"]
            if not missed.any():
                return
            self._desks["episode"][missed] += 1
            self._desks["due"] = missed
            self.rewards[missed] = 0.0
            self._run("reset", self._desks)

    def _let_bots_move(self) -> None:
        chosen = np.full(self.number, drivers.NOTHING, np.int64)

        def choose(i: int) -> int:
            desk = self._desks[i]
            seed = draws.stream(int(desk["key"][1]), int(desk["draws"]))[0]
            assert self._bot is not None
            return choice(self._bot, self.position(i), int(desk["seat"]), seed)

        while (waiting := np.flatnonzero(~self._desks["over"] & (self._desks["seat"] != self._desks["own"]))).size:
            chosen[:] = drivers.NOTHING
            everyone = waiting.tolist()
            chosen[waiting] = list(self._workers().map(choose, everyone) if self.threads > 1 else map(choose, everyone))
            self._run("move", self._desks, chosen, self.rewards)

    def _show(self) -> None:
        self._make_room(self._run("show", self._desks, self.space.slots, self.seen, self.masks, self.lists))

    def _make_room(self, most: int) -> None:
        """Make all lists longer if that is needed, and write them again."""
        if most > self.lists.shape[1]:
            self.lists = np.zeros((self.number, min(2 * most, self.space.actions)), np.int32)
            self._desks["listed"] = self.lists.shape[1] + 1  # so that whole masks are cleared
            self._show()

    def position(self, i: int) -> Position:
        """The position of a game."""
        game = self.space.game
        return Position(game, game.rules.STATE.structure.from_buffer_copy(self._states[i : i + 1]))

    def taken(self, i: int) -> tuple[int, ...]:
        """The actions taken in a game of a move that is not complete."""
        desk = self._desks[i]
        return tuple(self.space.action(int(code)) for code in desk["taken"][: desk["done"]])

    def look(self, i: int, seat: int) -> Array:
        """What the seat sees of a game."""
        out = np.zeros(self.space.size, self.space.dtype)
        game = self.space.game.compiled(drivers)
        game.look_at(self._states[i : i + 1], self._desks[i : i + 1], seat, out)
        return out

    def _run(self, name: str, *arrays: Any, driver: ModuleType = drivers) -> int:
        """Call a driver for all games: each thread has as many of them, and scratch space of its own."""
        bounds = np.linspace(0, self.number, self.threads + 1).astype(int)
        function = getattr(self.space.game.compiled(driver), name)
        start = (self._start,) if name in ("reset", "step", "act", "settle") else ()
        works = self._hint_works if driver is guided else self._works

        def piece(thread: int) -> int:
            span = int(bounds[thread]), int(bounds[thread + 1])
            return function(*start, self._states, works[thread], *arrays, *span) or 0

        if self.threads == 1:
            return piece(0)
        function(*start, self._states, works[0], *arrays, 0, 0)  # one alone meets the compiler
        return max(self._workers().map(piece, range(self.threads)))

    def advice(self) -> Array:
        """The action that a guided player would take in each game, or `drivers.NOTHING`."""
        found = np.zeros(self.number, np.int64)
        self._run("advise", self._desks, self.space.slots, found, driver=guided)
        return found

    def insight(self) -> Array:
        """What the game's networks are shown of each game, in the place of the seat whose view is shown."""
        if self.space.insight is self.space:
            return self.seen
        shown = np.zeros((self.number, self.space.insight.size), self.space.insight.dtype)
        self._run("show_insight", self._desks, shown, driver=guided)
        return shown

    def _workers(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        return self._pool

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
