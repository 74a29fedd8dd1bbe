"""Clocks: whoever has too little time gets one move from a bot.

The time of a move is that of the line before it, which is in the store. So a clock goes on while no server runs and is
the same on all of them. The store also notes when each clock runs out, so that tables are looked at that nobody has
open; that note may be too early, never too late.
"""

from __future__ import annotations

import contextlib
import functools
import time
from typing import TYPE_CHECKING

from strandline.server import logs, waiting
from strandline.server.rooms import NEVER, Room
from strandline.table import levels
from strandline.table.table import Refused, Table
from strandline.table.tasks import Tasks

if TYPE_CHECKING:
    from strandline.server.hall import Hall


class Clocks:
    """The clocks of all tables."""

    def __init__(self, hall: Hall, tasks: Tasks) -> None:
        self._hall = hall
        self._tasks = tasks
        self._running: set[str] = set()

    def changed(self, room: Room) -> None:
        """Something has happened at a table: note when its clock runs out now."""
        table = room.table
        if table.setup.agreements.clock is not None and room.noted_deadline != table.deadline():
            room.noted_deadline = table.deadline()
            self._hall.store.set_due(table.id, room.noted_deadline)

    async def tick(self, now: float) -> None:
        """Look at the tables at which time may be up."""
        for name in await waiting.read(self._hall.store.due, now):
            with contextlib.suppress(Refused):  # it cannot be opened; whoever comes to it is told
                room = await self._hall.rooms.find(name)
                if room is not None:
                    self._look(room, now)

    def _look(self, room: Room, now: float) -> None:
        deadline = room.table.deadline()
        if deadline is None or deadline > now:
            room.noted_deadline = NEVER
            self.changed(room)  # the note was too early
        elif room.table.id not in self._running:
            self._running.add(room.table.id)
            with logs.at(room.table.id):
                moving = self._tasks.spawn(self._move(room))
            moving.add_done_callback(lambda _: self._running.discard(room.table.id))

    async def _move(self, room: Room) -> None:
        number, turn = room.table.number, room.table.waits_for()
        if turn is None:
            return
        with contextlib.suppress(Refused, levels.Failed):  # the person was faster after all, or it is tried again
            move = (
                ""
                if room.table.roll() or room.table.turn == "chance"
                else await self._hall.bots.choose(room, turn, levels.DEFAULT)
            )

            played = functools.partial(Table.out_of_time, seat=turn, text=move, number=number, now=time.time())
            await self._hall.do(room, played)
