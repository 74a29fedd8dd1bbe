"""Bots at the table. They think in processes of their own, so that no table waits for another's bot.

A bot is given what its seat sees and a seed that has nothing to do with the table's dice.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import multiprocessing
import os
import secrets
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import strandline
from strandline import bots
from strandline.engine.position import Position
from strandline.table import review

RANDOM = "random"
DEFAULT = "2"
"""The level that a lobby offers first, and at which a bot plays for somebody who is away."""
HINTS = "4"
"""The level that gives hints."""
LINES = {
    RANDOM: "Any legal move.",
    "1": "Has just learned the rules.",
    "2": "Plays for fun, with a whim now and then.",
    "3": "Thinks before it moves.",
    "4": "Plays well.",
    "5": "Thinks for about a second and gives nothing away.",
}

logger = logging.getLogger("strandline.table")


@dataclass(frozen=True)
class Level:
    """How well a bot plays."""

    name: str
    line: str


@functools.cache
def levels() -> list[Level]:
    """The bots that there are."""
    return [Level(name, LINES.get(name, "Installed on this server.")) for name in bots.names()]


def _choose(view: dict[str, Any], seat: int, level: str, seed: int) -> str:
    """Runs in a process of its own."""
    return bots.bot(level, strandline.game(view["game"])).choose(view, seat, seed)


def _end_with_the_server() -> None:
    """A server that is killed cannot stop its bots' processes: they watch it and end by themselves."""

    def watch() -> None:
        server = multiprocessing.parent_process()
        if server is not None:
            server.join()
            os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class Thinkers:
    """A few processes in which bots think; they are started when the first bot needs one."""

    def __init__(self, processes: int | None = None) -> None:
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None
        self._reviewing = asyncio.Lock()

    async def choose(self, position: Position, seat: int, level: str) -> str:
        """A move for the seat, whose turn it is."""
        moves = position.moves()
        if level == RANDOM or len(moves) == 1:
            return secrets.choice(moves)
        work = (position.view(seat), seat, level, secrets.randbits(62))
        try:
            return await asyncio.get_running_loop().run_in_executor(self._started(), _choose, *work)
        except BrokenProcessPool:
            logger.error("A bot's process has ended; its move is played at random, and the next bot gets a new one.")
            self._pool = None
            return secrets.choice(moves)

    async def review(self, start: Position, moves: list[str]) -> review.Reviewed | None:
        """A game looked at again, None if that failed. One at a time, so that bots need not wait for several."""
        async with self._reviewing:
            try:
                return await asyncio.get_running_loop().run_in_executor(self._started(), review.compute, start, moves)
            except BrokenProcessPool:
                logger.error("A bot's process has ended in the middle of a review; the next one gets a new process.")
                self._pool = None
                return None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, spawn, initializer=_end_with_the_server)
        return self._pool

    def close(self) -> None:
        """Let the processes go; what they are thinking about is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
