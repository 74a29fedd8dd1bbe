"""Virtual time: an event loop that never waits, threads that are none, and random numbers that a seed decides."""

import asyncio
import contextlib
import os
import random
import selectors
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from strandline.server import waiting

EPOCH = 1_700_000_000.0
"""What `time.time()` says when a simulation begins."""


class Crash(BaseException):
    """The server that does this ends here and now."""


class Idle(Exception):
    """Nothing is left that could ever happen."""


class _Jumping(selectors.SelectSelector):
    """Instead of waiting it lets time jump."""

    jump: Callable[[float], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Idle
        self.jump(timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only when nothing else is to be done. Work of threads is done in it too."""

    def __init__(self, rng: random.Random) -> None:
        self._now = 0.0
        self._rng = rng
        self.stalled: Callable[[], float] = lambda: 0.0
        """For how long whoever reads from a store is stuck."""
        selector = _Jumping()
        selector.jump = self._jump
        super().__init__(selector)

    def _jump(self, seconds: float) -> None:
        self._now += seconds

    def time(self) -> float:
        return self._now

    def _write_to_self(self) -> None:
        """Nobody waits who would have to be woken."""

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """What a thread would do is done in one go, a moment later."""
        future = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except Crash:
                return  # nobody is left who waits
            except Exception as error:
                if not future.done():
                    future.set_exception(error)
            else:
                if not future.done():
                    future.set_result(result)

        stuck = self.stalled() if executor is waiting.readers else 0.0
        self.call_later(self._rng.uniform(0.0001, 0.02) + stuck, work)
        return future


@contextlib.contextmanager
def sealed(loop: VirtualLoop, rng: random.Random) -> Iterator[None]:
    """Whoever reads a clock meanwhile reads the loop's, and whoever draws random bytes draws them from `rng`."""
    with (
        mock.patch.object(time, "time", lambda: EPOCH + loop.time()),
        mock.patch.object(time, "monotonic", loop.time),
        mock.patch.object(os, "urandom", rng.randbytes),
        mock.patch.object(random, "_urandom", rng.randbytes),  # what `secrets` draws from
    ):
        yield
