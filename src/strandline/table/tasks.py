"""Work that goes on beside what anybody waits for."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from strandline.table.table import Refused

logger = logging.getLogger("strandline.table")


class Tasks:
    """The running tasks of a server or site. One that fails is logged; all end with it."""

    def __init__(self, reported: Callable[[BaseException], bool] = lambda _: False) -> None:
        """`reported` looks at a failure first: whether it has said all that there is to say."""
        self._reported = reported
        self._running: dict[asyncio.Task[Any], None] = {}
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin something. When all has ended, it ends before it begins."""
        task = asyncio.create_task(work)
        self._running[task] = None
        task.add_done_callback(self._ended)
        if self._closed:
            task.cancel()
        return task

    def end(self) -> None:
        """End everything, also what somebody who is gone only later would begin."""
        self._closed = True
        for task in list(self._running):
            task.cancel()

    async def close(self) -> None:
        """End everything and wait until it has ended."""
        self.end()
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.pop(task, None)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, Refused) and not self._reported(error):  # whoever waits is told
            logger.error("A task failed.", exc_info=error)
