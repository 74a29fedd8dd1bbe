"""The open tables of a server: loaded when somebody asks for them, and kept up to date with what others write."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from strandline.engine.words import Words
from strandline.server import logs, waiting
from strandline.server.store import Kept, Store, is_outage
from strandline.table.record import OtherVersion
from strandline.table.room import Room as OpenTable
from strandline.table.table import Refused, Table
from strandline.table.tasks import Tasks

_ = Words(__file__)

logger = logging.getLogger("strandline.table")

NEVER = float("-inf")
ELSEWHERE_S = 15.0
"""How long the bots of a table are left to the server that has moved there last."""


@dataclass(eq=False)
class Room(OpenTable):
    """An open table with the guests that are connected to this server."""

    archived: bool
    maker: str | None = None
    """The address that made the table, as long as it is kept in memory."""
    behind: bool = False
    """Whether the store may have entries that the table has not."""
    moved_elsewhere: float = NEVER
    """When another server has last moved here, if the last move was not ours."""
    present_until: dict[int, float] = field(default_factory=dict)
    noticed: tuple[int, int] | None = None
    """The turn of which its person is told, or was: the seat, and the line with which it began."""
    seen: tuple[int, int] | None = None
    """The turn that its person has seen here, as far as the store has been told."""
    announced: set[int] = field(default_factory=set)
    """The seats for which a notice may be on somebody's screen."""
    noted_deadline: float | None = NEVER
    """When the clock runs out, as far as the store has been told."""
    met: set[int] = field(default_factory=set)
    """Who was present when the server last looked around."""
    used: float = field(default_factory=time.monotonic)
    is_unwell: bool = False
    """Whether looking after it has failed, which the log says once."""

    def present(self) -> set[int]:
        """The seats whose persons are connected to any server."""
        now = time.time()
        return self.here() | {seat for seat, until in self.present_until.items() if until > now}

    def attending(self, away_after: float) -> set[int]:
        """The seats whose persons are connected, or were until a moment ago."""
        then = time.time() - away_after
        return self.here() | {seat for seat, until in self.present_until.items() if until > then}

    def thinks(self) -> bool:
        """The server of the last move lets bots think, another one if that is silent."""
        return time.monotonic() - self.moved_elsewhere > ELSEWHERE_S

    def wake_guests(self) -> None:
        """Tell all who are connected that something has changed."""
        self.used = time.monotonic()
        super().wake_guests()


class Rooms:
    """All open tables of this server."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks
        self._open: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}

    def all(self) -> list[Room]:
        """The rooms that are open now."""
        return list(self._open.values())

    def known(self, tables: Iterable[str]) -> list[Room]:
        """Those of these tables that are open."""
        return [self._open[table] for table in tables if table in self._open]

    def unfinished_of(self, maker: str) -> int:
        """The number of open tables that an address has made and not played to their end."""
        return sum(room.maker == maker and not room.table.record.over for room in self._open.values())

    def add(self, room: Room) -> None:
        """A new table."""
        self._open[room.table.id] = room

    def close(self, room: Room) -> None:
        """Forget a table until somebody asks for it."""
        self._open.pop(room.table.id, None)

    async def find(self, table: str) -> Room | None:
        """The table with that id, up to date; None if there is none."""
        try:
            return await self._found(table)
        except OtherVersion as error:
            raise Refused("table", _("This table cannot be opened. {why}", why=str(error))) from None
        except Exception as error:
            if is_outage(error):
                raise
            raise Refused("table", _("This table is damaged and cannot be opened.")) from None

    async def _found(self, table: str) -> Room | None:
        room = self._open.get(table)
        if room is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = self._loading[table] = self._tasks.spawn(self._load(table))
                loading.add_done_callback(lambda _: self._loading.pop(table, None))
            room = await asyncio.shield(loading)
        if room is not None and room.behind:
            async with waiting.in_time(), room.lock:
                await self.catch_up(room)
        if room is not None:
            room.used = time.monotonic()
        return room

    async def _load(self, table: str) -> Room | None:
        with _told_of(table):
            return await self._opened(table)

    async def _opened(self, table: str) -> Room | None:
        found = await waiting.read(self._read, table)
        if found is None:
            return None
        kept, present = found
        replayed = await asyncio.to_thread(_replayed, kept)
        announced = set(range(replayed.players))  # as far as anybody knows
        room = self._open[table] = Room(replayed, kept.archived, present_until=present, announced=announced)
        room.behind = self._store.shared  # what was heard while the table was read, nobody noted
        return room

    def _read(self, table: str) -> tuple[Kept, dict[int, float]] | None:
        kept = self._store.load(table)
        return None if kept is None else (kept, self._store.present_until(table))

    async def catch_up(self, room: Room) -> None:
        """Take in what the store has and the table has not, and show it to the guests. The caller holds the lock.

        Other servers have written it, or this one has without ever being told so.
        """
        if not room.behind:
            return
        room.behind = False  # before the store is read: what is heard from now on may be missing in what is read
        try:
            kept = await waiting.read(self._store.load, room.table.id, room.table.entries)
        except BaseException:
            room.behind = True
            raise
        if kept is not None:
            room.archived = kept.archived
            try:
                with _told_of(room.table.id):
                    for entry in kept.entries[room.table.entries :] if kept.archived else kept.entries:
                        room.table.fold([room.table.step(entry)])
                        room.moved_elsewhere = time.monotonic()
            except Exception:
                room.behind = True
                self.close(room)  # it may have taken in half of it
                raise
            if kept.entries:
                room.wake_guests()

    async def look_again(self, room: Room) -> None:
        """Take in what other servers have written, also where their news has not come yet."""
        room.behind = room.behind or self._store.shared
        if room.behind:
            async with waiting.in_time(), room.lock:
                await self.catch_up(room)

    async def seats_of(self, room: Room, token: str | None) -> frozenset[int]:
        """The seats of a device. One that is not known here may have just sat down at another server."""
        if not token:
            return frozenset()
        if not room.table.seats_of(token):
            await self.look_again(room)
        return room.table.seats_of(token)

    async def refresh(self, room: Room) -> None:
        """Catch up where that has failed before and somebody looks on."""
        if room.behind and room.guests:
            async with waiting.in_time(), room.lock:
                await self.catch_up(room)

    # News from other servers

    def heard(self, table: str | None) -> None:
        """Another server has written to a table; None: perhaps to any of them."""
        for room in self.all() if table is None else self.known([table]):
            room.behind = True
            if room.guests:
                with logs.at(room.table.id):
                    self._tasks.spawn(self._tell(room))

    async def _tell(self, room: Room) -> None:
        async with waiting.in_time(), room.lock:
            await self.catch_up(room)
        room.wake_guests()


@contextlib.contextmanager
def _told_of(table: str) -> Iterator[None]:
    """What is wrong with a table stands in the log."""
    try:
        yield
    except OtherVersion:
        raise
    except Exception as error:
        if not is_outage(error):
            logger.error("The table %s cannot be replayed: %s: %s", table, type(error).__name__, error)
        raise


def _replayed(kept: Kept) -> Table:
    """The table with all its entries, its moves listed. Done beside the event loop."""
    table = Table(kept.setup)
    table.replay(kept.entries)
    table.record.position.codes()
    return table
