"""Bots at the table. Ours think in threads, those of other packages in processes: no table waits for another's bot.

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
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import strandline
from strandline import bots
from strandline.engine.position import Position
from strandline.engine.simulation import cores
from strandline.processes import end_with_parent
from strandline.table import advice, review
from strandline.table.levels import DESCRIPTIONS, RANDOM, Failed

BOTS_NICENESS, REVIEWS_NICENESS = 5, 15
FEWEST = 4
"""Thoughts that go on at a time, at least."""
UNHURRIED = 2
"""Thoughts that go on at a time for games of bots, for which nobody waits."""
PATIENCE_S = 60.0
"""How long a bot of another package may take for an answer: it may have to load what it has learned."""
ATTEMPTS = 2
"""How often a bot is asked before another one plays on in its place."""

NOBODY = ""
"""Whom thoughts count for that nobody waits for."""

Answer = TypeVar("Answer")

logger = logging.getLogger("strandline.table")


def _choose(view: dict[str, Any], seat: int, level: str, seed: int) -> str:
    """A bot's answer. Whatever it does wrong is `Failed`, even an attempt to end it all."""
    try:
        move = bots.bot(level, strandline.game(view["game"]), threads=cores()).choose(view, seat, seed)
    except BaseException as error:
        raise Failed(f"{type(error).__name__}: {error}") from None
    if not isinstance(move, str):
        raise Failed(f"it answers {reprlib.repr(move)}, which is not a text")
    return move


def _settle(niceness: int) -> None:
    """A new process leaves the cores to the server whenever it needs one, and ends with it."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    end_with_parent()


def _settle_thread(niceness: int) -> None:
    """The same for a thread, and for those that it starts, where threads have a niceness of their own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + niceness)


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


class Lost(Failed):
    """The process has ended, or took too long, before it gave an answer."""


class Worker:
    """A process for bots of other packages. It is started when it is first needed, and anew after it was lost.

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
    """Places to think. Whoever has the fewest comes first, and those who came first among equals.

    The last place is for whoever has none: however many tables somebody has, others do not wait for all their thoughts.
    Thoughts for which nobody waits come last.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._taken: Counter[str] = Counter()
        self._waiting: dict[asyncio.Future[str], Collection[str]] = {}

    @contextlib.asynccontextmanager
    async def place(self, waited_for: Collection[str]) -> AsyncIterator[None]:
        """A place for a thought that these addresses wait for, as soon as there is one."""
        who = await self._take(waited_for)
        try:
            yield
        finally:
            self._leave(who)

    async def _take(self, waited_for: Collection[str]) -> str:
        turn: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = waited_for
        self._serve()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place came together with the end
                self._leave(turn.result())
            raise
        finally:
            self._waiting.pop(turn, None)

    def _leave(self, who: str) -> None:
        self._taken -= Counter([who])
        self._free += 1
        self._serve()

    def _serve(self) -> None:
        """Give the free places to those who are next."""
        while found := [one for one in self._next() if self._free > bool(self._taken[one[1]])]:
            turn, who = min(found, key=lambda one: (not self._waiting[one[0]], self._taken[one[1]]))
            self._free -= 1
            self._taken[who] += 1
            turn.set_result(who)

    def _next(self) -> Iterator[tuple[asyncio.Future[str], str]]:
        """Who waits, and whom their thoughts count for."""
        return ((turn, self._counting(whom)) for turn, whom in self._waiting.items() if not turn.done())

    def _counting(self, waited_for: Collection[str]) -> str:
        """Whom a thought counts for: of several who wait for it, whoever has the fewest."""
        return min(waited_for, key=self._taken.__getitem__, default=NOBODY)


class Thinkers:
    """The threads in which our bots think, the processes of others, and a thread for reviews.

    There are more of them than cores, so that the system shares the cores among all who think: a quick bot does not
    wait until slow ones have finished. A table has one thought at a time, and addresses take turns however many tables
    they have. Games of bots have threads of their own, and so have reviews: these yield to everybody.
    """

    def __init__(self, number: int | None = None) -> None:
        number = number or max(FEWEST, cores())
        self._threads = ThreadPoolExecutor(number, "strandline-bot", _settle_thread, (BOTS_NICENESS,))
        self._unhurried = ThreadPoolExecutor(UNHURRIED, "strandline-bots", _settle_thread, (REVIEWS_NICENESS,))
        self._reviewer = ThreadPoolExecutor(1, "strandline-review", _settle_thread, (REVIEWS_NICENESS,))
        self.workers = [Worker(BOTS_NICENESS) for _ in range(number)]
        self._idle = list(self.workers)
        self._free = Queue(number)
        self.reviews = 0
        """Reviews that are under way or wait."""

    async def choose(self, position: Position, seat: int, level: str, waited_for: Collection[str] = ()) -> str:
        """A move for the seat, whose turn it is. A bot that fails is asked again; then `Failed` says why.

        `waited_for`: the addresses of the persons at the table.
        """
        moves = position.moves()
        if level == RANDOM or len(moves) == 1:
            return secrets.choice(moves)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                move = await self._think(position.view(seat), seat, level, secrets.randbits(62), waited_for)
                if move in moves:
                    return move
                raise Failed(f"it answers {reprlib.repr(move)}, which is not a legal move")
            except Failed as failure:
                if attempt == ATTEMPTS:
                    raise
                logger.warning("The bot %s has failed: %s. It is asked again.", level, failure)
        raise AssertionError("A bot is asked at least once.")

    async def _think(self, view: dict[str, Any], seat: int, level: str, seed: int, waited_for: Collection[str]) -> str:
        loop = asyncio.get_running_loop()
        if level in DESCRIPTIONS and not waited_for:
            return await loop.run_in_executor(self._unhurried, _choose, view, seat, level, seed)
        async with self._free.place(waited_for):
            if level in DESCRIPTIONS:
                return await loop.run_in_executor(self._threads, _choose, view, seat, level, seed)
            worker = self._idle.pop()  # the one that was used last: the others need not be started
            try:
                return await worker.run(PATIENCE_S, _choose, view, seat, level, seed)
            finally:
                self._idle.append(worker)

    async def advise(self, position: Position, seat: int, waited_for: Collection[str]) -> advice.Advice:
        """A hint for the seat, whose turn it is."""
        moves = position.moves()
        if len(moves) == 1:
            return advice.Advice(moves[0])
        work = functools.partial(advice.compute, position.view(seat), seat, secrets.randbits(62), cores())
        async with self._free.place(waited_for):
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
            except Exception as error:
                raise Failed(f"{type(error).__name__}: {error}") from error

    async def review(self, start: Position, moves: list[str], progress: review.Progress) -> review.Reviewed:
        """A review of a game. One at a time."""
        self.reviews += 1
        work = functools.partial(review.compute, start, moves, progress)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reviewer, work)
        finally:
            self.reviews -= 1

    def close(self) -> None:
        """End the processes, and the threads when they have finished their thoughts; nobody waits for these."""
        for pool in (self._threads, self._unhurried, self._reviewer):
            pool.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            worker.end(wait=True)
