"""The hall: the tables that this server has open. It brings commands, store, bots and guests together.

A command is carried out under its table's lock: look, write, and only when the store has it, fold and tell the
guests. What another server has written shows as a conflict or as news; then the table is brought up to date and the
command looks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

import strandline
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value
from strandline.server import thinkers
from strandline.server.store import Conflict, Kept, Store
from strandline.table import dice, review
from strandline.table.record import Header
from strandline.table.table import HERE, LINK, Entry, Head, Refused, Table, hashed, named, new_id, new_token

ATTEMPTS = 8
"""How often a command looks again after somebody else was faster."""
PRESENT_S = 60.0
"""How long a person counts as present after a server has last said so."""
ELSEWHERE_S = 15.0
"""How long the bots of a table are left to the server that has moved there last."""
QUICKEN_S = 20.0
"""How long tables wait for the compiler after the first of them has asked for it."""
LISTERS = 4
"""Threads that list moves where that may take long."""

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


class Guest(Protocol):
    """One connection: a person's, or a spectator's."""

    seats: frozenset[int]

    def wake(self) -> None:
        """Something has changed at the table."""


@dataclass(eq=False)
class Room:
    """An open table with the guests that are connected to this server."""

    table: Table
    archived: bool
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    guests: set[Guest] = field(default_factory=set)
    behind: bool = False
    """Whether the store may have entries that the table has not."""
    elsewhere: float = float("-inf")
    """When another server has last moved here; long ago if the last move was ours."""
    present_until: dict[int, float] = field(default_factory=dict)
    met: set[int] = field(default_factory=set)
    """Who was present when the hall last looked around."""
    used: float = field(default_factory=time.monotonic)
    thinking: asyncio.Task[None] | None = None
    thought: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a bot thinks for this table: one thought at a time."""
    hinted: tuple[int, str] | None = None
    """The number of the position for which a hint was given, and the hint."""
    reviewing: asyncio.Task[dict[str, Any] | None] | None = None

    def here(self) -> set[int]:
        """The seats with a connection to this server."""
        return {seat for guest in self.guests for seat in guest.seats}

    def present(self) -> set[int]:
        """The seats whose persons are connected to any server."""
        now = time.time()
        return self.here() | {seat for seat, until in self.present_until.items() if until > now}


@dataclass(frozen=True)
class Made:
    """A new table, with the tokens that are told only once."""

    table: Table
    tokens: list[str | None]


class Hall:
    """All open tables of this server."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.thinkers = thinkers.Thinkers()
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._rehearsals: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._quickening: dict[str, tuple[asyncio.Task[None], float]] = {}
        self._listers = ThreadPoolExecutor(LISTERS, "strandline-lister")
        self._turnstile = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    # Life

    async def open(self) -> None:
        """Begin to listen and to look after the tables; bots that were interrupted go on."""
        loop = asyncio.get_running_loop()

        def heard(table: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._heard, table)

        self.store.listen(heard)
        self._spawn(self._resume())
        self._spawn(self._keep_house())

    async def close(self) -> None:
        """Stop everything but the store."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._listers.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.thinkers.close)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("A task of the hall failed.", exc_info=error)

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
        table = Table(Head(header, seed, hashes, named(kinds, names), hints, takeover_after))
        first = table.opening()
        await self.prepare(table.ahead)
        await asyncio.wrap_future(self.store.create(table.head, first))
        table.fold(first)
        self._foresee_long_lists(start.game)
        for level in filter(None, map(table.bot, range(table.players))):
            self.rehearse(table.record.position, level)
        arrival = dict.fromkeys(range(table.players), time.time())
        self._rooms[table.id] = room = Room(table, archived=False, present_until=arrival)
        self._kick(room)
        return Made(table, tokens)

    async def room(self, table: str) -> Room | None:
        """The open table with that id, up to date; None if there is none."""
        room = self._rooms.get(table)
        if room is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = self._loading[table] = self._spawn(self._load(table))
                loading.add_done_callback(lambda _: self._loading.pop(table, None))
            room = await asyncio.shield(loading)
        if room is not None and room.behind:
            async with room.lock:
                await self._catch_up(room)
        if room is not None:
            room.used = time.monotonic()
        return room

    async def _load(self, table: str) -> Room | None:
        found = await asyncio.to_thread(self._read, table)
        if found is None:
            return None
        kept, present = found
        game = strandline.game(kept.head.header.game)
        if game.is_laborious:
            await self._quickened(game)
        open_ = await asyncio.to_thread(_replayed, kept)
        room = self._rooms[table] = Room(open_, kept.archived, present_until=present)
        room.behind = self.store.shared  # what was heard while the table was read, nobody noted
        return room

    def _read(self, table: str) -> tuple[Kept, dict[int, float]] | None:
        kept = self.store.load(table)
        return None if kept is None else (kept, self.store.present_until(table))

    async def _catch_up(self, room: Room) -> None:
        """Take in what other servers have written. The caller holds the lock."""
        if not room.behind:
            return
        room.behind = False  # before the store is read: what is heard from now on may be missing in what is read
        try:
            kept = await asyncio.to_thread(self.store.load, room.table.id, room.table.entries)
        except BaseException:
            room.behind = True
            raise
        if kept is not None:
            room.archived = kept.archived
            for entry in kept.entries[room.table.entries :] if kept.archived else kept.entries:
                await self.prepare(room.table.foresee(entry))
                room.table.fold([entry])
                room.elsewhere = time.monotonic()

    # Long lists of moves

    async def prepare(self, position: Position) -> None:
        """Have the moves listed, beside the event loop where that may take long. Then the rest is quick everywhere."""
        if position.is_laborious:
            await self._quickened(position.game)
            await asyncio.get_running_loop().run_in_executor(self._listers, position.codes)

    def _foresee_long_lists(self, game: strandline.Game) -> None:
        """What will be needed is compiled meanwhile."""
        if game.is_laborious and game.name not in self._quickening:
            self._spawn(self._quickened(game))

    async def _quickened(self, game: strandline.Game) -> None:
        """Wait until the game lists its moves with compiled code; not for ever, for it can be done without."""
        now = time.monotonic()
        if game.name not in self._quickening:
            self._quickening[game.name] = self._spawn(self._quicken(game)), now + QUICKEN_S
        task, until = self._quickening[game.name]
        await asyncio.wait([task], timeout=max(0, until - now))

    async def _quicken(self, game: strandline.Game) -> None:
        """The compiler would hold up this process, so it is another that runs it; here it is found in the cache."""
        try:
            await self.thinkers.quicken(game.name)
            await asyncio.to_thread(game.quicken)
        except Exception:  # then the list is made without it
            logger.exception("The list of moves of %s could not be compiled.", game.title)

    # Getting ready

    def rehearse(self, position: Position, level: str) -> asyncio.Task[None] | None:
        """Have ready what bots of a level need. Whoever asks for the same waits for the same process; None: nothing."""
        needed = thinkers.rehearsed_by(position, level)
        if needed is None:
            return None
        key = position.game.name, needed
        if key not in self._rehearsals:
            self._foresee_long_lists(position.game)
            self._rehearsals[key] = self._spawn(self.thinkers.rehearse(position, needed))
        return self._rehearsals[key]

    def is_getting_ready(self, table: Table) -> bool:
        """Whether the bot whose turn it is waits for the compiler, as it does the first time on a machine."""
        turn = table.to_think()
        needed = thinkers.rehearsed_by(table.record.position, turn[1]) if turn else None
        task = self._rehearsals.get((table.head.header.game, needed)) if needed else None
        return task is not None and not task.done()

    async def _choose(self, position: Position, seat: int, level: str) -> str:
        if len(position.codes()) > 1 and (rehearsal := self.rehearse(position, level)):
            await asyncio.wait([rehearsal])
        return await self.thinkers.choose(position, seat, level)

    # Commands

    async def do(self, room: Room, command: Callable[[Table], list[Entry]]) -> None:
        """Carry out a command. `Refused` says why not; then nothing has changed."""
        await self._do(room, command, lambda new: self.store.append(room.table.id, room.table.entries, new))

    async def rematch(self, room: Room, seats: frozenset[int]) -> None:
        """Open a new table for the same people and tell them."""
        made: list[tuple[Table, list[Entry]]] = []

        def command(table: Table) -> list[Entry]:
            head, entries = table.again(seats, new_id())
            fresh = Table(head)
            made[:] = [(fresh, fresh.opening())]
            return entries

        def write(new: Sequence[Entry]) -> Any:
            fresh, first = made[0]
            return self.store.rematch(room.table.id, room.table.entries, new, fresh.head, first)

        await self._do(room, command, write)

    async def _do(self, room: Room, command: Callable[[Table], list[Entry]], write: Callable[..., Any]) -> None:
        for _ in range(ATTEMPTS):
            async with room.lock:
                await self._catch_up(room)
                if room.archived:
                    await asyncio.wrap_future(self.store.fetch_back(room.table.id))
                    room.archived = False
                entries = command(room.table)
                await self.prepare(room.table.ahead)
                try:
                    await asyncio.wrap_future(write(entries))
                except Conflict:
                    room.behind = True
                    continue
                except BaseException:  # also when nobody waits any more: the entries may or may not be there
                    room.behind = True
                    raise
                room.table.fold(entries)
                room.elsewhere = Room.elsewhere
            if room.table.record.over:
                self.store.mark_over(room.table.id)
            self._changed(room)
            return
        raise Refused("server", "The table is very busy just now. Please try again.")

    def _changed(self, room: Room) -> None:
        room.used = time.monotonic()
        for guest in room.guests:
            guest.wake()
        self._kick(room)

    # News from other servers

    def _heard(self, table: str | None) -> None:
        rooms = self._rooms.values() if table is None else filter(None, [self._rooms.get(table)])
        for room in list(rooms):
            room.behind = True
            if room.guests:
                self._spawn(self._tell(room))

    async def _tell(self, room: Room) -> None:
        async with room.lock:
            await self._catch_up(room)
        for guest in room.guests:
            guest.wake()

    # Guests

    async def enter(self, room: Room, guest: Guest) -> None:
        """A connection to a table begins. Persons who come back get their seats back."""
        room.guests.add(guest)
        if guest.seats:
            self._mark(room, guest.seats, time.time() + PRESENT_S)
        for seat in sorted(guest.seats & room.table.stand_ins.keys()):
            with contextlib.suppress(Refused):  # another tab was faster
                await self.do(room, functools.partial(Table.come_back, seats=guest.seats, seat=seat))
        self._changed(room)

    def depart(self, room: Room, guest: Guest) -> None:
        """A connection has ended."""
        room.guests.discard(guest)
        gone = guest.seats - room.here()
        if gone:
            self._mark(room, gone, time.time())
            self._changed(room)

    def _mark(self, room: Room, seats: frozenset[int], until: float) -> None:
        for seat in seats:
            room.present_until[seat] = until
        self.store.mark_present([(room.table.id, seat) for seat in seats], until)

    # Bots

    def _kick(self, room: Room) -> None:
        """Let a bot think if it is a bot's turn and none is thinking."""
        if self._to_think(room) and (room.thinking is None or room.thinking.done()):
            room.thinking = self._spawn(self._think(room))

    def _to_think(self, room: Room) -> tuple[int, str] | None:
        """The bot that is to think here. The server of the last move lets bots think, another one if that is silent."""
        return room.table.to_think() if time.monotonic() - room.elsewhere > ELSEWHERE_S else None

    async def _think(self, room: Room) -> None:
        while turn := self._to_think(room):
            seat, level = turn
            number = room.table.number
            try:
                async with room.thought:
                    move = await self._choose(room.table.record.position, seat, level)
                command = functools.partial(Table.bot_move, seat=seat, number=number, text=move)
            except thinkers.Failed as failure:
                logger.error("The bot %s has failed: %s. A bot of level %s plays on.", level, failure, thinkers.DEFAULT)
                command = functools.partial(Table.bot_failed, seat=seat, number=number, level=thinkers.DEFAULT)
            with contextlib.suppress(Refused):  # the table has moved on
                await self._let_people_go_first()
                await self.do(room, command)
            await asyncio.sleep(0)

    async def _let_people_go_first(self) -> None:
        """However many bots have made up their minds, one passes at a time, after all else that is waiting."""
        async with self._turnstile:
            await asyncio.sleep(0)

    async def hint(self, room: Room, seats: frozenset[int], number: int) -> str:
        """What a bot would do in this seat's place."""
        async with room.thought:
            return await self._hint(room, seats, number)

    async def _hint(self, room: Room, seats: frozenset[int], number: int) -> str:
        table = room.table
        turn = table.record.position.turn
        if not table.head.hints:
            raise Refused("hint", "This table plays without hints.")
        if not isinstance(turn, int) or turn not in seats:
            raise Refused("turn", "There are hints when it is your turn.")
        if number != table.number:
            raise Refused("stale", f"The table has moved on: the position is number {table.number}, you saw {number}.")
        if room.hinted is None or room.hinted[0] != number:
            room.hinted = number, await self._choose(table.record.position, turn, thinkers.HINTS)
        return room.hinted[1]

    async def review(self, room: Room) -> dict[str, Any]:
        """The finished game looked at again; whoever asks later gets the same."""
        if not room.table.record.over:
            raise Refused("state", "A game can be reviewed when it is over.")
        if room.reviewing is None:
            room.reviewing = self._spawn(self._review(room.table))
        found = await asyncio.shield(room.reviewing)
        if found is None:
            room.reviewing = None
            raise Refused("server", "The review has failed. Please try again.")
        return found

    async def _review(self, table: Table) -> dict[str, Any] | None:
        try:
            found = await self.thinkers.review(table.head.header.start(), review.moves(table))
        except Exception:
            logger.exception("A game could not be reviewed.")
            return None
        return review.shown(table, found) if found else None

    # The house

    async def _resume(self) -> None:
        """Bots whose server was stopped in the middle of a game go on."""
        for table in await asyncio.to_thread(self.store.unfinished):
            if (room := await self.room(table)) is not None:
                if room.table.record.over:
                    self.store.mark_over(table)
                self._kick(room)

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(self.settings.tick)
            try:
                await self._tidy()
            except Exception:  # the store may be away for a while
                logger.exception("The hall could not be tidied.")

    async def _tidy(self) -> None:
        now = time.time()
        places = []
        for room in self._rooms.values():
            due = [seat for seat in room.here() if room.present_until.get(seat, now) < now + PRESENT_S / 2]
            room.present_until.update(dict.fromkeys(due, now + PRESENT_S))
            places += [(room.table.id, seat) for seat in due]
        await asyncio.wrap_future(self.store.mark_present(places, now + PRESENT_S))
        if self.store.shared:
            await self._look_around()
        for room in list(self._rooms.values()):
            await self._look_after(room, now)
        away = await asyncio.wrap_future(self.store.put_away(now - self.settings.archive_after))
        for room in [self._rooms[table] for table in away if table in self._rooms]:
            room.archived = True
            if not room.guests:  # who watches stays, and the next move fetches the table back
                del self._rooms[room.table.id]

    async def _look_around(self) -> None:
        """Who is connected to other servers."""
        rooms = [room for room in self._rooms.values() if room.guests]
        found = await asyncio.to_thread(self.store.presence, [room.table.id for room in rooms])
        for room in rooms:
            room.present_until.update(found.get(room.table.id, {}))
            before, room.met = room.met, room.present()
            if room.met != before:
                self._changed(room)

    async def _look_after(self, room: Room, now: float) -> None:
        if not room.guests and time.monotonic() - room.used > self.settings.idle and room.table.to_think() is None:
            self._rooms.pop(room.table.id, None)
            return
        wait, turn = room.table.head.takeover_after, room.table.record.position.turn
        if wait is not None and isinstance(turn, int) and turn in room.table.persons():
            if self.store.shared:
                room.present_until.update(await asyncio.to_thread(self.store.present_until, room.table.id))
            if turn not in room.present() and now - room.present_until.get(turn, now) >= wait:
                with contextlib.suppress(Refused):
                    await self.do(room, lambda table: table.overdue(turn, thinkers.DEFAULT))
        self._kick(room)


def _replayed(kept: Kept) -> Table:
    """The table with all its entries, its moves listed. Done beside the event loop."""
    table = Table(kept.head)
    table.fold(kept.entries)
    table.record.position.codes()
    return table


def _tokens(kinds: Sequence[str]) -> list[str | None]:
    """One token for all who sit here, one for each who comes by link, none for bots."""
    maker = new_token()
    return [maker if kind == HERE else new_token() if kind == LINK else None for kind in kinds]
