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
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin something."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """End everything."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, Refused) and not self._reported(error):  # whoever waits is told
            logger.error("A task failed.", exc_info=error)
