"""Work that goes on beside what anybody waits for."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from strandline.server.store import is_outage, report_outage
from strandline.table.table import Refused

logger = logging.getLogger("strandline.table")


class Tasks:
    """The running tasks of a server. One that fails is logged; all end with the server."""

    def __init__(self) -> None:
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
        if not task.cancelled() and (error := task.exception()):
            if is_outage(error):
                report_outage(error)
            elif not isinstance(error, Refused):  # whoever waits is told
                logger.error("A task of the server failed.", exc_info=error)
