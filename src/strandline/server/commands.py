"""Commands: looked at, written, and only when the store has them, carried out.

Each runs under its table's lock. What another server has written shows as a conflict or as news; then the table is
brought up to date and the command looks again.
"""

import asyncio
import contextlib
import dataclasses
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from strandline.engine.words import Words
from strandline.server import waiting
from strandline.server.rooms import NEVER, Room, Rooms
from strandline.server.store import Conflict, Store
from strandline.table import invitations
from strandline.table.room import Command
from strandline.table.table import Entry, Refused, Setup, Step, Table, new_id

_ = Words(__file__)

ATTEMPTS = 8
"""How often a command looks again after somebody else was faster."""


def entries_of(steps: Sequence[Step]) -> list[Entry]:
    """What the store keeps of steps."""
    return [step.entry for step in steps]


def stamped(steps: Sequence[Step]) -> list[Step]:
    """The steps with the time at which they are taken."""
    now = time.time()
    return [dataclasses.replace(step, entry=dataclasses.replace(step.entry, made=now)) for step in steps]


class Commands:
    """Carries out commands at open tables."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self._store = store
        self._rooms = rooms

    async def do(self, room: Room, command: Command) -> None:
        """Carry out a command. `Refused` says why not; then nothing has changed."""
        table = room.table
        await self._do(room, command, lambda new: self._store.append(table.id, table.entries, new))

    async def rematch(self, room: Room, seats: frozenset[int]) -> None:
        """Open a new table for the same people and tell them."""
        made: list[tuple[Setup, list[Entry]]] = []

        def command(table: Table) -> list[Step]:
            setup, steps = table.offer_rematch(seats, new_id())
            made[:] = [(setup, entries_of([*invitations.seated_again(table, setup), *Table(setup).opening()]))]
            return steps

        def write(new: Sequence[Entry]) -> Future[None]:
            return self._store.rematch(room.table.id, room.table.entries, new, *made[0])

        await self._do(room, command, write)

    async def _do(self, room: Room, command: Command, write: Callable[[Sequence[Entry]], Future[None]]) -> None:
        for _attempt in range(ATTEMPTS):
            async with room.lock:
                up_to_date = room.behind or not self._store.shared
                await self._rooms.catch_up(room)
                if room.archived:
                    await waiting.done(self._store.fetch_back(room.table.id))
                    room.archived = False
                try:
                    steps = stamped(command(room.table))
                except Refused:
                    if up_to_date:
                        raise
                    room.behind = True  # another server may have written what would allow it, and its news not come yet
                    continue
                if not steps:
                    return
                written = write(entries_of(steps))
                try:
                    await waiting.done(written)
                except Conflict:
                    room.behind = True
                    continue
                except BaseException:  # also when nobody waits any more: the entries may or may not be there
                    room.behind = True
                    self._look_later(room.table.id, written)
                    raise
                room.table.fold(steps)
                room.moved_elsewhere = NEVER
            return
        raise Refused("server", _("The table is very busy just now. Please try again."))

    def _look_later(self, table: str, written: Future[None]) -> None:
        """What is still being written is news when it has been, as if another server had written it."""
        loop = asyncio.get_running_loop()

        def look(written: Future[None]) -> None:
            if written.cancelled() or written.exception():
                return
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._rooms.heard, table)

        written.add_done_callback(look)
