"""One server of the simulation: started, stopped, crashed, and started again on the same disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

from simulation.disk import Disk, SimulatedStore
from simulation.network import Line
from simulation.truth import Broken
from strandline.server import app
from strandline.server.hall import Hall, Settings


class _Present:
    """Stands for the hall that is open just now."""

    hall: Hall

    def __getattr__(self, name: str) -> Any:
        return getattr(self.hall, name)


class Node:
    """A server, or the place where one was."""

    def __init__(self, name: str, disk: Disk, settings: Settings, failed: Callable[[BaseException], None]) -> None:
        self.name = name
        self._disk = disk
        self._settings = settings
        self._failed = failed
        self.up = False
        self.crashed: Callable[[Node], None] = lambda node: None
        self._serving: dict[asyncio.Task[Any], Line | None] = {}
        self._present = _Present()
        self._app: Any = None

    async def start(self) -> None:
        """Open the store and the hall; the application's addresses are made once."""
        if self.left():
            self._failed(Broken(f"Of the server that {self.name} was, this is left: {self.left()}"))
        self.store = SimulatedStore(self._disk, self.crash)
        self.hall = self._present.hall = Hall(self.store, self._settings)
        if self._app is None:
            with mock.patch.object(app, "Hall", lambda *_: self._present):
                self._app = app.create(self.store, self._settings)
        await self.hall.open()
        self.up = True

    def left(self) -> list[asyncio.Task[Any]]:
        """What still goes on of a server that is gone."""
        return [] if self._app is None or self.up else [*self._serving, *self.hall._tasks._running]

    def ghosts(self) -> int:
        """How many are taken for guests at a table whose connections have ended."""
        served = sum(line is not None for line in self._serving.values())
        return max(0, sum(len(room.guests) for room in self.hall.rooms.all()) - served) if self.up else 0

    def look_around_every(self, seconds: float) -> None:
        """How often the hall looks who is there, and what is to be put away."""
        self._settings = replace(self._settings, tick=seconds)
        if self.up:
            self.hall.settings = self._settings

    def serve(self, line: Line, scope: dict[str, Any]) -> None:
        """A connection begins, if anybody is there."""
        if not self.up:
            line.end(1006)
            return
        self._serving[self.handle(scope, line.receive, line.send)] = line

    def handle(self, scope: Any, receive: Any, send: Any) -> asyncio.Task[Any]:
        """Let the application answer a request or serve a connection."""
        task = self._disk.loop.create_task(self._app(scope, receive, send))
        self._serving[task] = None
        task.add_done_callback(self._served)
        return task

    def _served(self, task: asyncio.Task[Any]) -> None:
        line = self._serving.pop(task, None)
        if line is not None:
            line.end(1006)
        if not task.cancelled() and (error := task.exception()):
            self._failed(error)

    def crash(self) -> None:
        """All that is only in memory is gone."""
        if not self.up:
            return
        self.up = False
        self.store.die()
        for task, line in list(self._serving.items()):
            if line is not None:
                line.end(1006)
            task.cancel()
        self.hall._tasks.end()
        self.crashed(self)

    async def stop(self) -> None:
        """End in good order."""
        self.up = False
        for task in list(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self.hall.close()
        self.store.close()
