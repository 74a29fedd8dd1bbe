"""Waiting for the store, but not for ever: one that is gone says so, one that hangs says nothing at all."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import sqlalchemy as sa

from strandline.server.store import CONNECTIONS

STORE_S = 10.0
"""How long anybody waits for the store."""
READERS = CONNECTIONS - 1
"""Threads that read: they never keep the store from writing."""

Answer = TypeVar("Answer")

readers = ThreadPoolExecutor(READERS, "strandline-reader")
"""Of their own, for while the store hangs they are stuck, and others have work that does not need it."""


@contextlib.asynccontextmanager
async def in_time(seconds: float | None = None) -> AsyncIterator[None]:
    """Raise an outage when it takes longer. What was to be written may then be, or not."""
    limit = STORE_S if seconds is None else seconds
    try:
        async with asyncio.timeout(limit) as left:
            yield
    except TimeoutError:
        if not left.expired():
            raise
        raise sa.exc.TimeoutError(f"no answer within {limit:g} seconds") from None


async def read(ask: Callable[..., Answer], *arguments: object) -> Answer:
    """What the store has."""
    async with in_time():
        return await asyncio.get_running_loop().run_in_executor(readers, ask, *arguments)


async def done(written: Future[Answer]) -> Answer:
    """Wait until it is on the disk."""
    async with in_time():
        return await asyncio.wrap_future(written)
