"""Bots at the table. They think in processes of their own, so that no table waits for another's bot.

A bot is given what its seat sees and a seed that has nothing to do with the table's dice.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import multiprocessing
import os
import reprlib
import secrets
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, TypeVar

import strandline
from strandline import bots
from strandline.bots import exact
from strandline.engine.position import Position
from strandline.engine.simulation import cores
from strandline.engine.vocabulary import Value
from strandline.processes import end_with_parent
from strandline.table import review

RANDOM, SEARCH, PERFECT = "random", "search", "5"
DEFAULT = "2"
"""The level that a lobby offers first, and at which a bot plays for somebody who is away."""
HINTS = "4"
"""The level that gives hints."""
LINES = {
    RANDOM: "Makes any legal move.",
    "1": "Has just learned the rules and mostly does what comes to mind.",
    "2": "Plays for fun, thinks a little and follows many a whim.",
    "3": "Thinks before most of its moves.",
    "4": "Plays well and rarely slips.",
    PERFECT: "Thinks for up to a second and gives little away.",
    SEARCH: "Level 5, thinking also where perfect play is known by heart.",
}
"""How our own bots play."""
WARM_UP_MOVES = 100
"""Within this many moves somebody has a choice in every game."""
BOTS_NICENESS, REVIEWS_NICENESS = 5, 15
FEWEST_PROCESSES = 4
PATIENCE_S = 300.0
"""How long an answer may take: about a second, but minutes where a busy machine must compile a game first."""
INSTALLED_PATIENCE_S = 60.0
"""The same for a bot of another package, which nobody here knows: it may have to load what it has learned."""

Answer = TypeVar("Answer")

logger = logging.getLogger("strandline.table")


@dataclass(frozen=True)
class Level:
    """How well a bot plays."""

    name: str
    line: str


def warmed_up_by(position: Position, level: str) -> str | None:
    """The bot whose first thought leaves in the cache what one of this level needs; None: it needs nothing of ours."""
    if level == RANDOM or level not in LINES:
        return None
    solver = exact.solver(position.game) if level == PERFECT else None
    return PERFECT if solver is not None and solver.solves(position) else SEARCH


@functools.cache
def levels() -> list[Level]:
    """The bots that there are."""
    return [Level(name, LINES.get(name, "Installed on this server.")) for name in bots.names()]


def _choose(view: dict[str, Any], seat: int, level: str, seed: int) -> str:
    """Runs in a process of its own. Whatever a bot does wrong comes back as `Failed`, even an attempt to end it all."""
    game = strandline.game(view["game"])
    game.quicken()
    try:
        move = bots.bot(level, game, threads=cores()).choose(view, seat, seed)
    except BaseException as error:
        raise Failed(f"{type(error).__name__}: {error}") from None
    if not isinstance(move, str):
        raise Failed(f"it answers {reprlib.repr(move)}, which is not a text")
    return move


def _warm_up(game: str, players: int, options: dict[str, Value], level: str) -> None:
    """Runs in a process of its own: a thought that nobody asked for, so that the next one finds all in the cache."""
    start = strandline.game(game).new(players, **options)
    for position in map(start.wander, range(WARM_UP_MOVES)):
        if isinstance(position.turn, int) and len(position.moves()) > 1:
            bots.bot(level, start.game).choose(position, position.turn)
            return


def _quicken(game: str) -> None:
    """Runs in a process of its own."""
    strandline.game(game).quicken()


def _settle(niceness: int) -> None:
    """A new process leaves the cores to the server whenever it needs one, and ends with it."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    end_with_parent()


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Processes that are started meanwhile do not hear when they are asked to end: the server ends them in order.

    Ctrl+C in a terminal, and a service manager that stops the server, ask all processes at once.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Failed(Exception):
    """A bot has given no legal move; the message says what it did instead."""


class Lost(Failed):
    """The process has ended, or took too long, before it gave an answer."""


class Worker:
    """A process for long thoughts. It is started when it is first needed, and anew after it was lost.

    It is nice to the event loop, which has to answer people at once whatever bots think about.
    """

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None
        self.pid: int | None = None

    async def run(self, patience: float, work: Callable[..., Answer], *arguments: Any) -> Answer:
        """What `work` gives in the process, within `patience` seconds. One at a time: the caller sees to that."""
        loop = asyncio.get_running_loop()
        try:
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, spawn, initializer=_settle, initargs=(self._niceness,))
                with _signals_blocked():
                    starting = loop.run_in_executor(self._pool, os.getpid)
                async with asyncio.timeout(PATIENCE_S):
                    self.pid = await starting
            async with asyncio.timeout(patience):
                return await loop.run_in_executor(self._pool, work, *arguments)
        except BrokenProcessPool as error:
            self.end()
            raise Lost("its process has ended") from error
        except TimeoutError as error:
            self.end()
            raise Lost(f"it has not answered within {patience:.0f} seconds") from error

    def end(self, wait: bool = False) -> None:
        """End the process; what it is thinking about is dropped. With `wait`, until nothing is left of it."""
        pid, pool = self.pid, self._pool
        self._pool = self.pid = None
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if pool is not None:
            pool.shutdown(wait, cancel_futures=True)


class Queue:
    """Places to think. Whoever comes first is served first, those whom a person waits for before all others."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: tuple[deque[asyncio.Future[None]], deque[asyncio.Future[None]]] = deque(), deque()

    @contextlib.asynccontextmanager
    async def place(self, first: bool) -> AsyncIterator[None]:
        """A place, as soon as there is one."""
        await self._take(self._waiting[0 if first else 1])
        try:
            yield
        finally:
            self._leave()

    async def _take(self, line: deque[asyncio.Future[None]]) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place came together with the end
                self._leave()
            raise

    def _leave(self) -> None:
        for line in self._waiting:
            while line:
                turn = line.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1


class Thinkers:
    """The processes in which bots think and games are reviewed.

    There are more of them than cores, so that the system shares the cores among all who think: a quick bot does not
    wait until slow ones have finished. A table has one thought at a time and whoever comes first is served first, so
    tables take turns however many bots they have; tables with a person come before games of bots. Reviews have a
    process of their own, which yields to everybody.
    """

    def __init__(self, processes: int | None = None) -> None:
        number = processes or max(FEWEST_PROCESSES, cores())
        self._idle = [Worker(BOTS_NICENESS) for _ in range(number)]
        self._free = Queue(number)
        self._reviewer = Worker(REVIEWS_NICENESS)
        self._reviewing = asyncio.Lock()
        self.reviews = 0
        """Reviews that are under way or wait."""
        self.workers = [*self._idle, self._reviewer]

    async def choose(self, position: Position, seat: int, level: str, waited_for: bool = True) -> str:
        """A move for the seat, whose turn it is. Our own bots always have one; of others, `Failed` says why not.

        `waited_for`: a person is at the table; others wait until all such thoughts have begun.
        """
        moves = position.moves()
        if level == RANDOM or len(moves) == 1:
            return secrets.choice(moves)
        ours = level in LINES
        patience = PATIENCE_S if ours else INSTALLED_PATIENCE_S
        think = functools.partial(
            self._think, patience, _choose, position.view(seat), seat, level, secrets.randbits(62), first=waited_for
        )
        try:
            try:
                move = await think()
            except Lost:  # the process was ended from outside, perhaps: another may do better
                if not ours:
                    raise
                move = await think()
            if move in moves:
                return move
            raise Failed(f"it answers {reprlib.repr(move)}, which is not a legal move")
        except Failed as failure:
            if not ours:
                raise
            logger.error("A bot of level %s has failed: %s. Its move is played at random.", level, failure)
            return secrets.choice(moves)

    async def warm_up(self, position: Position, level: str) -> None:
        """Have compiled, and solved, what a bot of that level needs for the game."""
        with contextlib.suppress(Failed):  # then the bot itself tries again
            game = position.game.name
            await self._think(PATIENCE_S, _warm_up, game, position.players, position.options, level)

    async def compile_listing(self, game: str) -> None:
        """Have the game's list of moves compiled, so that another process finds it in the cache."""
        with contextlib.suppress(Lost):
            await self._think(PATIENCE_S, _quicken, game)

    async def _think(self, patience: float, work: Callable[..., Answer], *arguments: Any, first: bool = True) -> Answer:
        async with self._free.place(first):
            worker = self._idle.pop()  # the one that was used last: the others need not be started
            try:
                return await worker.run(patience, work, *arguments)
            finally:
                self._idle.append(worker)

    async def review(self, start: Position, moves: list[str]) -> review.Reviewed | None:
        """A game reviewed, None if that failed. One at a time."""
        self.reviews += 1
        try:
            async with self._reviewing:
                return await self._reviewer.run(PATIENCE_S, review.compute, start, moves)
        except Lost:
            logger.error("The process that reviews games has ended; the next review gets a new one.")
            return None
        finally:
            self.reviews -= 1

    def close(self) -> None:
        """End the processes: nobody waits any more for what they think about."""
        for worker in self.workers:
            worker.end(wait=True)
