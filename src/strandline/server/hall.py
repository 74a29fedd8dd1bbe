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
from strandline.engine.words import Words
from strandline.server import limits, logs, thinkers, waiting
from strandline.server.clocks import Clocks
from strandline.server.commands import Commands, entries_of, stamped
from strandline.server.emotes import Emotes
from strandline.server.invitations import Codes
from strandline.server.metrics import Metrics
from strandline.server.notices import Notices
from strandline.server.presence import Presence
from strandline.server.rooms import Room, Rooms
from strandline.server.signing import Signer
from strandline.server.store import Conflict, Store, is_outage, report_outage
from strandline.table import levels
from strandline.table.advice import Advice
from strandline.table.bot_turns import BotTurns
from strandline.table.making import Made, new_table
from strandline.table.room import Command, Guest
from strandline.table.table import Agreements, Refused, Table
from strandline.table.tasks import Tasks

_ = Words(__file__)

TABLES_BURST_S = 180.0
"""Seconds of the average rate at which tables may be made at once."""

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
    """HTTP requests a second that one address may make on average; five times as many for pages and what they show."""
    away_after: float = 60.0
    """Seconds without a connection after which a person counts as away, and the others may let a bot play for them."""
    lost_after: float = 600.0
    """Seconds after which the others may let go the device of a person who is away."""
    messages: float = 20.0
    """WebSocket messages a second that one connection may send on average; one address five times as many."""
    tables: float = 10.0
    """Tables that one address may make in a minute on average."""
    open_tables: int = 50
    """Unfinished tables of one address that are kept in memory."""
    forget_after: float = 365 * 86_400.0
    """Seconds after which a table that was put away is deleted."""
    public: bool = False
    """Whether tables may be open to whoever is on this server, and the lobby lists them."""
    notice_after: float = 5.0
    """Seconds after which a person who is not looking is told that it is their turn."""
    webhooks: bool = False
    """Whether people may name addresses to which this server says that it is their turn."""
    notices_inside: bool = False
    """Whether notices may go to addresses on local networks too, and without TLS."""
    watching_pace: float = 1.0
    """Seconds between two moves of a game of bots that is only watched, while people play at other tables."""
    connections: int = 100
    """Connections that one address may have, and as many WebSockets."""
    patience: float = 10.0
    """Seconds that a request may take to arrive, and that an answer may wait to be taken."""
    open_metrics: bool = False
    """Whether others than this machine may read the metrics."""
    json_log: bool = False
    """Whether the log is written as JSON, one object a line."""
    hosts: tuple[str, ...] = ()
    """Names by which the server is known, apart from addresses, `localhost` and the machine's own name."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies, or networks of them, that are believed when they say for whom they ask."""


class Hall:
    """The tables of this server, and all who look after them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.thinkers = thinkers.Thinkers()
        self._tasks = Tasks(outage)
        self._tables = limits.Buckets(settings.tables / 60, TABLES_BURST_S)
        self.messages = limits.Buckets(limits.CROWD * settings.messages, limits.BURST_S)
        """How much all connections of each address may say."""
        self.rooms = Rooms(store, self._tasks)
        self._commands = Commands(store, self.rooms)
        self._presence = Presence(store, self.rooms)
        self.codes = Codes(self)
        self.notices = Notices(self, store, self._tasks)
        self.emotes = Emotes(store, self.rooms)
        self.metrics = Metrics(self.rooms)
        self.bots = BotTurns(self.thinkers, self._tasks, self.do, self._pause)
        self.clocks = Clocks(self, self._tasks)

    @functools.cached_property
    def signer(self) -> Signer:
        """Signs records; its key is read when it is first needed."""
        return Signer(self.store.signing_key())

    async def open(self) -> None:
        """Begin to listen and to look after the tables. Those of the past are loaded when somebody comes to them."""
        loop = asyncio.get_running_loop()

        def heard(table: str | None, word: str) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                if table is not None and word:
                    loop.call_soon_threadsafe(self._heard, table, word)
                else:
                    loop.call_soon_threadsafe(self.rooms.heard, table)

        self.store.listen(heard)
        self._tasks.spawn(self._keep_house())

    def _heard(self, table: str, word: str) -> None:
        """Another server has said something about a seat."""
        kind, seat, what = word.split()
        if kind == "emote":
            self.emotes.heard(table, int(seat), what)
        else:
            self.notices.heard(table, kind, int(seat), int(what))

    async def close(self) -> None:
        """Stop everything but the store."""
        await self._tasks.close()
        self.notices.close()
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
        undo: bool = True,
        agreements: Agreements | None = None,
        maker: str | None = None,
    ) -> Made:
        """A new table. The engine's errors say what is wrong with game, options or number of seats.

        `maker` is the address for which it is made; None: for the owner of the server.
        """
        self._check_quota(maker)
        if agreements is not None and agreements.open and not self.settings.public:
            raise Refused("state", _("This server lists no open tables."))
        made = new_table(game, options, kinds, names, hints, takeover_after, undo, agreements)
        table = made.table
        first = stamped([*made.sent(), *table.opening()])
        with contextlib.suppress(Conflict):  # ids are drawn: it is this very table, written without an answer
            await waiting.done(self.store.create(table.setup, entries_of(first)))
        table.fold(first)
        room = Room(table, archived=False, maker=maker)
        room.present_until = dict.fromkeys(range(table.players), time.time())
        self.rooms.add(room)
        self.metrics.tables_made.inc()
        self._changed(room)
        return made

    def _check_quota(self, maker: str | None) -> None:
        if maker is None:
            return
        if self.rooms.unfinished_of(maker) >= self.settings.open_tables:
            raise Refused("rate", _("You have too many unfinished tables here. Play one of them, or come back later."))
        if not self._tables.take(maker):
            raise Refused("rate", _("You have made many tables just now. Please wait a minute."))

    async def do(self, room: Room, command: Command) -> None:
        """Carry out a command and tell everybody. `Refused` says why not; then nothing has changed."""
        with self.metrics.command():
            async with waiting.in_time():  # also for those who are before it
                await self._commands.do(room, command)
        self._changed(room)

    async def rematch(self, room: Room, seats: frozenset[int], visitor: str) -> None:
        """Open a new table for the same people and tell them. It counts as made by whoever asks for it."""
        if room.table.record.over and room.table.rematch is None:
            self._check_quota(visitor)
        async with waiting.in_time():
            await self._commands.rematch(room, seats)
        self._changed(room)
        try:
            made = await self.rooms.find(room.table.rematch or "")
        except Exception as error:
            if not outage(error):
                raise
        else:
            if made is not None:
                made.maker = visitor

    async def hint(self, room: Room, seats: frozenset[int], number: int) -> Advice:
        """What a bot would do in this seat's place."""
        return await self.bots.hint(room, seats, number)

    def _pause(self, room: Room) -> float:
        """Games of bots go on at a pace that can be watched while anybody plays here: all their moves cost time."""
        watched_only = not room.here() and any(other.here() for other in self.rooms.all())
        return self.settings.watching_pace if watched_only else 0.0

    def attending(self, room: Room) -> set[int]:
        """The seats whose persons are connected, or were until a moment ago."""
        return room.attending(self.settings.away_after)

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
        with logs.at(room.table.id):
            self.clocks.changed(room)
            self.notices.changed(room)
            self.bots.start(room)

    # Housekeeping

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(self.settings.tick)
            try:
                await self._tidy()
            except Exception as error:
                if not outage(error):
                    logger.exception("The hall could not be tidied.")

    async def _tidy(self) -> None:
        now = time.time()
        await self._presence.renew(now)
        for room in await self._presence.look_around():
            self._changed(room)
        await self.clocks.tick(now)
        for room in self.rooms.all():
            try:
                await self._look_after(room, now)
            except Exception as error:
                if is_outage(error):  # it is one for all of them
                    raise
                if not room.is_unwell:
                    room.is_unwell = True
                    logger.exception("The table %s could not be looked after.", room.table.id)
        done = await asyncio.gather(  # asked for at once, they share a transaction
            asyncio.wrap_future(self.store.forget_codes(now)),
            asyncio.wrap_future(self.store.forget(now - self.settings.forget_after)),
            asyncio.wrap_future(self.store.put_away(now - self.settings.archive_after)),
        )
        for room in self.rooms.known(done[2]):
            room.archived = True
            if not room.guests:  # who watches stays, and the next move fetches the table back
                self.rooms.close(room)

    async def _look_after(self, room: Room, now: float) -> None:
        with logs.at(room.table.id):
            await self._look_after_it(room, now)

    async def _look_after_it(self, room: Room, now: float) -> None:
        if not room.guests and time.monotonic() - room.used > self.settings.idle and not self.bots.has_work(room):
            self.rooms.close(room)
            return
        await self.rooms.refresh(room)
        wait, turn = room.table.setup.takeover_after, room.table.waits_for()
        if (
            wait is not None
            and turn is not None
            and turn in room.table.persons()
            and await self._presence.absent_for(room, turn, now) >= wait
        ):
            with contextlib.suppress(Refused):
                await self.do(room, lambda table: table.overdue(turn, levels.DEFAULT))
        self.bots.start(room)


def outage(error: BaseException) -> bool:
    """Whether the store does not answer; then the log says so."""
    if is_outage(error):
        report_outage(error)
    return is_outage(error)
