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
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
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
    """The threads in which our bots think, the processes of others, and a thread for reviews.

    There are more of them than cores, so that the system shares the cores among all who think: a quick bot does not
    wait until slow ones have finished. A table has one thought at a time and whoever comes first is served first, so
    tables take turns however many bots they have. Games of bots have threads of their own, and so have reviews: these
    yield to everybody.
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

    async def choose(self, position: Position, seat: int, level: str, waited_for: bool = True) -> str:
        """A move for the seat, whose turn it is. A bot that fails is asked again; then `Failed` says why.

        `waited_for`: a person is at the table; others wait until all such thoughts have begun.
        """
        moves = position.moves()
        if level == RANDOM or len(moves) == 1:
            return secrets.choice(moves)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                move = await self._think(position.view(seat), seat, level, secrets.randbits(62), first=waited_for)
                if move in moves:
                    return move
                raise Failed(f"it answers {reprlib.repr(move)}, which is not a legal move")
            except Failed as failure:
                if attempt == ATTEMPTS:
                    raise
                logger.warning("The bot %s has failed: %s. It is asked again.", level, failure)
        raise AssertionError("A bot is asked at least once.")

    async def _think(self, view: dict[str, Any], seat: int, level: str, seed: int, first: bool = True) -> str:
        loop = asyncio.get_running_loop()
        if level in DESCRIPTIONS and not first:
            return await loop.run_in_executor(self._unhurried, _choose, view, seat, level, seed)
        async with self._free.place(first):
            if level in DESCRIPTIONS:
                return await loop.run_in_executor(self._threads, _choose, view, seat, level, seed)
            worker = self._idle.pop()  # the one that was used last: the others need not be started
            try:
                return await worker.run(PATIENCE_S, _choose, view, seat, level, seed)
            finally:
                self._idle.append(worker)

    async def advise(self, position: Position, seat: int) -> advice.Advice:
        """A hint for the seat, whose turn it is."""
        moves = position.moves()
        if len(moves) == 1:
            return advice.Advice(moves[0])
        work = functools.partial(advice.compute, position.view(seat), seat, secrets.randbits(62), cores())
        async with self._free.place(first=True):
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
