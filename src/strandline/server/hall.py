"""The hall: all that a server does for its tables, brought together. A change goes to the guests and to the bots."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

from strandline.engine.vocabulary import Value
from strandline.server import thinkers
from strandline.server.bot_turns import BotTurns
from strandline.server.commands import Command, Commands, entries_of
from strandline.server.presence import Presence
from strandline.server.rooms import Guest, Room, Rooms
from strandline.server.store import Store
from strandline.server.tasks import Tasks
from strandline.table import dice
from strandline.table.record import Header
from strandline.table.table import HERE, LINK, Refused, Setup, Table, hashed, named, new_id, new_token

logger = logging.getLogger("strandline.table")


@dataclass(frozen=True)
class Settings:
    """What the owner of a server may choose."""

    archive_after: float = 30 * 86_400.0
    """Seconds after which a table that nobody touches is put away."""
    tick: float = 5.0
    """Seconds between two looks at who is away, and at what is to be put away."""
    idle: float = 600.0
    """Seconds after which a table without guests is no longer kept in memory."""
    requests: float = 20.0
    """HTTP requests a second that one address may make on average, apart from pages and pictures."""
    messages: float = 20.0
    """WebSocket messages a second that one connection may send on average."""


@dataclass(frozen=True)
class Made:
    """A new table, with the tokens that are told only once."""

    table: Table
    tokens: list[str | None]


class Hall:
    """The tables of this server, and all who look after them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.thinkers = thinkers.Thinkers()
        self._tasks = Tasks()
        self.rooms = Rooms(store, self._tasks)
        self._commands = Commands(store, self.rooms)
        self._presence = Presence(store, self.rooms)
        self.bots = BotTurns(self.thinkers, self._tasks, self.do)

    async def open(self) -> None:
        """Begin to listen and to look after the tables; bots that were interrupted go on."""
        loop = asyncio.get_running_loop()

        def heard(table: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self.rooms.heard, table)

        self.store.listen(heard)
        self._tasks.spawn(self._resume())
        self._tasks.spawn(self._keep_house())

    async def close(self) -> None:
        """Stop everything but the store."""
        await self._tasks.close()
        await asyncio.to_thread(self.thinkers.close)

    # Tables

    async def make(
        self,
        game: str,
        options: dict[str, Value],
        kinds: Sequence[str],
        names: Sequence[str | None] = (),
        hints: bool = True,
        takeover_after: int | None = None,
        salt: str = "",
    ) -> Made:
        """A new table. The engine's errors say what is wrong with game, options or number of seats."""
        seed = dice.new_seed()
        header = Header(new_id(), game, options, tuple(kinds), dice.commitment(seed), salt)
        tokens = _tokens(kinds)
        start = header.start()
        header = Header(header.table, game, start.options, header.kinds, header.commitment, salt)
        hashes = tuple(hashed(token) if token else None for token in tokens)
        table = Table(Setup(header, seed, hashes, named(kinds, names), hints, takeover_after))
        first = table.opening()
        await asyncio.wrap_future(self.store.create(table.setup, entries_of(first)))
        table.fold(first)
        room = Room(table, archived=False, present_until=dict.fromkeys(range(table.players), time.time()))
        self.rooms.add(room)
        self.bots.start(room)
        return Made(table, tokens)

    async def do(self, room: Room, command: Command) -> None:
        """Carry out a command and tell everybody. `Refused` says why not; then nothing has changed."""
        await self._commands.do(room, command)
        self._changed(room)

    async def rematch(self, room: Room, seats: frozenset[int]) -> None:
        """Open a new table for the same people and tell them."""
        await self._commands.rematch(room, seats)
        self._changed(room)

    async def enter(self, room: Room, guest: Guest) -> None:
        """A connection to a table begins. Persons who come back get their seats back."""
        self._presence.enter(room, guest)
        for seat in sorted(guest.seats & room.table.stand_ins.keys()):
            with contextlib.suppress(Refused):  # another tab was faster
                await self.do(room, functools.partial(Table.come_back, seats=guest.seats, seat=seat))
        self._changed(room)

    def depart(self, room: Room, guest: Guest) -> None:
        """A connection has ended."""
        if self._presence.depart(room, guest):
            self._changed(room)

    def _changed(self, room: Room) -> None:
        room.wake_guests()
        self.bots.start(room)

    # Housekeeping

    async def _resume(self) -> None:
        """Bots whose server was stopped in the middle of a game go on."""
        for table in await asyncio.to_thread(self.store.unfinished):
            if (room := await self.rooms.find(table)) is not None:
                if room.table.record.over:
                    self.store.mark_over(table)
                self.bots.start(room)

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(self.settings.tick)
            try:
                await self._tidy()
            except Exception:  # the store may be away for a while
                logger.exception("The hall could not be tidied.")

    async def _tidy(self) -> None:
        now = time.time()
        await self._presence.renew(now)
        for room in await self._presence.look_around():
            self._changed(room)
        for room in self.rooms.all():
            await self._look_after(room, now)
        away = await asyncio.wrap_future(self.store.put_away(now - self.settings.archive_after))
        for room in self.rooms.known(away):
            room.archived = True
            if not room.guests:  # who watches stays, and the next move fetches the table back
                self.rooms.close(room)

    async def _look_after(self, room: Room, now: float) -> None:
        if not room.guests and time.monotonic() - room.used > self.settings.idle and room.table.to_think() is None:
            self.rooms.close(room)
            return
        wait, turn = room.table.setup.takeover_after, room.table.record.position.turn
        if (
            wait is not None
            and isinstance(turn, int)
            and turn in room.table.persons()
            and await self._presence.absent_for(room, turn, now) >= wait
        ):
            with contextlib.suppress(Refused):
                await self.do(room, lambda table: table.overdue(turn, thinkers.DEFAULT))
        self.bots.start(room)


def _tokens(kinds: Sequence[str]) -> list[str | None]:
    """One token for all who sit here, one for each who comes by link, none for bots."""
    maker = new_token()
    return [maker if kind == HERE else new_token() if kind == LINK else None for kind in kinds]
