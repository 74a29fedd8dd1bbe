"""What a site's worker runs: the tables of this browser, asked and answered as a server is."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import strandline
from strandline.engine import words
from strandline.lessons import script, view
from strandline.lessons.player import BadAct
from strandline.site.searching import BrowserThinkers, Unfetched, Unsolved
from strandline.site.signing import Signer
from strandline.site.store import Rows, Store
from strandline.table import document, levels, messages, overview, perspective
from strandline.table import review as reviews
from strandline.table.advice import Advice
from strandline.table.bot_turns import BotTurns
from strandline.table.guest import Gone, Guest, apology
from strandline.table.making import new_table
from strandline.table.record import BadRecord
from strandline.table.room import Command, Room
from strandline.table.table import Entry, Refused, Setup, Table, is_id, level_of, new_id
from strandline.table.tasks import Tasks

_ = words.Words(__file__)

ATTEMPTS = 8
"""How often a command looks again after another tab was faster."""
STATUS = {"malformed": 422, "token": 401, "table": 404}
UNKNOWN, TOKEN, BROKEN = 4404, 4401, 1011
"""Why a line is closed."""
PATH = re.compile(r"/api/tables(?:/(?P<table>[a-z0-9]+)(?:/(?P<what>[a-z.]+)(?:/(?P<more>\w+))?)?)?")
LESSON = re.compile(r"/api/games/(?P<game>\w+)/lessons/(?P<name>\w+)(?P<what>/left|/why)?")
ALONE = words.message("That needs a server: here everything happens on this device.")

logger = logging.getLogger("strandline.table")

Tell = Callable[[str, int, str], None]
"""Tells the page something: a kind, whom it concerns, and the rest as JSON."""


class Hall:
    """The tables of this browser."""

    def __init__(self, rows: Rows, thinkers: BrowserThinkers) -> None:
        self._store = Store(rows)
        self._rooms: dict[str, Room] = {}
        self._finding = asyncio.Lock()
        self.tasks = Tasks()
        self.bots: BotTurns[Room] = BotTurns(thinkers, self.tasks, self.do)

    async def find(self, table: str) -> Room:
        """The table with that id. `Refused` if there is none."""
        async with self._finding:
            if table not in self._rooms:
                found = await self._store.load(table) if is_id(table) else None
                if found is None:
                    raise Refused("table", _("There is no such table in this browser."))
                setup, entries = found
                self._rooms[table] = Room(Table(setup))
                self._rooms[table].table.replay(entries)
        return self._rooms[table]

    async def make(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """A new table; the answer tells its page."""
        for kind in wanted["seats"]:
            _check_kind(kind, wanted["game"], len(wanted["seats"]))
        if wanted.get("clock"):
            raise Refused("state", _("Only a server keeps clocks. Here nobody is in a hurry."))
        known = {name: wanted[name] for name in ("names", "hints", "undo") if name in wanted}
        made = new_table(wanted["game"], wanted.get("options", {}), wanted["seats"], **known)
        first = [*made.sent(), *made.table.opening()]
        await self._store.create(made.table.setup, [step.entry for step in first], made.token)
        made.table.fold(first)
        self._rooms[made.table.id] = Room(made.table)
        return made.links()

    async def take_in(self, saved: Any) -> dict[str, Any]:
        """A table from a file, to be played on here; the answer tells its id."""
        setup, entries = document.from_json(saved)
        if not await self._store.create(setup, entries, saved.get("key")):
            raise Refused("state", _("This table is here already."))
        title = strandline.game(setup.header.game).told_title
        return {"id": setup.header.table, "title": title, "names": list(setup.names)}

    async def whole(self, table: str) -> dict[str, Any]:
        """The table as a file, to be played on elsewhere."""
        found = await self._store.load(table)
        assert found is not None
        return document.to_json(*found)

    async def overview(self) -> list[dict[str, Any]]:
        """What goes on at the tables of this browser, the newest first: also at those that a page has forgotten."""
        found = []
        for kept in await self._store.list():
            try:
                room, key = await self.find(kept["id"]), kept["key"]
            except BadRecord:  # it is damaged: the others are not
                continue
            page = {"page": f"/table/{kept['id']}" + (f"#{key}" if key else "")}
            found.append({**overview.status(room.table, key), **page, "made": kept["made"], "touched": kept["made"]})
        return found

    async def do(self, room: Room, command: Command) -> None:
        """Carry out a command and tell everybody. `Refused` says why not; then nothing has changed."""
        table = room.table
        await self._do(room, command, lambda new: self._store.append(table.id, table.entries, new))

    async def rematch(self, room: Room, seats: frozenset[int], visitor: str) -> None:
        """Open a new table for the same people and tell them."""
        table = room.table
        made: list[tuple[Setup, list[Entry]]] = []

        def command(table: Table) -> list[Any]:
            setup, steps = table.offer_rematch(seats, new_id())
            made[:] = [(setup, [step.entry for step in Table(setup).opening()])]
            return steps

        await self._do(room, command, lambda new: self._store.rematch(table.id, table.entries, new, *made[0]))

    async def _do(self, room: Room, command: Command, write: Callable[[list[Entry]], Awaitable[bool]]) -> None:
        for _attempt in range(ATTEMPTS):
            async with room.lock:
                steps = command(room.table)
                if await write([step.entry for step in steps]):
                    room.table.fold(steps)
                    break
                await self._catch_up(room)
        else:
            raise Refused("server", _("This table is open elsewhere too, and busy. Please try again."))
        self.changed(room)

    async def _catch_up(self, room: Room) -> None:
        found = await self._store.load(room.table.id, room.table.entries)
        if found is not None:
            room.table.replay(found[1])

    async def heard(self, table: str) -> None:
        """Another tab has written to a table."""
        if (room := self._rooms.get(table)) is not None:
            async with room.lock:
                await self._catch_up(room)
            self.changed(room)

    async def hint(self, room: Room, seats: frozenset[int], number: int) -> Advice:
        """What a bot would do in this seat's place."""
        return await self.bots.hint(room, seats, number)

    def attending(self, room: Room) -> set[int]:
        """Everybody sits at this device."""
        return room.table.all_persons()

    def changed(self, room: Room) -> None:
        """Tell everybody, and let bots think."""
        room.wake_guests()
        self.bots.start(room)


class Visitor(Guest[Room]):
    """A guest from a page of this browser."""

    async def reach_others(self, message: messages.Message) -> None:
        """Nobody else has to know whether somebody looks."""
        if isinstance(message, messages.Look):
            await self._say({"type": "noted", "re": message.id})
        else:
            await super().reach_others(message)


class Line:
    """A page's line to a table: its first message says who it is, the others are carried out."""

    def __init__(self, hall: Hall, table: str, tell: Callable[[str, dict[str, Any]], None]) -> None:
        self._hall = hall
        self._table = table
        self._tell = tell
        self._room: Room | None = None
        self._guest: Visitor | None = None
        self._sender: asyncio.Task[None] | None = None
        self._order = asyncio.Lock()
        self._open = True

    async def hear(self, text: str) -> None:
        """The page says something."""
        async with self._order:
            if self._guest is not None:
                with contextlib.suppress(Gone):
                    await self._guest.answer(text)
            else:
                try:
                    await self._enter(text)
                except Exception:
                    self._close(BROKEN)
                    raise

    async def _enter(self, text: str) -> None:
        hello = messages.read(text)
        assert isinstance(hello, messages.Hello)
        try:
            room = await self._hall.find(self._table)
        except Refused:
            return self._close(UNKNOWN)
        seats = room.table.seats_of(hello.token) if hello.token else frozenset()
        if hello.token and not seats:
            return self._close(TOKEN)
        guest = self._guest = Visitor(self._send, self._hall, room, hello, seats, words.ENGLISH)
        self._room = room
        room.guests.add(guest)
        for seat in sorted(seats & room.table.stand_ins.keys()):
            await self._hall.do(room, functools.partial(Table.come_back, seats=seats, seat=seat))
        await guest.show(hello.id)
        self._sender = self._hall.tasks.spawn(guest.tell())
        self._hall.changed(room)

    async def _send(self, text: str) -> None:
        if not self._open:
            raise Gone
        self._tell("told", {"text": text})

    def _close(self, code: int) -> None:
        self._open = False
        self._tell("closed", {"code": code})

    def end(self) -> None:
        """The page is gone."""
        self._open = False
        if self._sender is not None:
            self._sender.cancel()
        if self._room is not None and self._guest is not None:
            self._room.guests.discard(self._guest)


class Site:
    """What the page's messages reach."""

    def __init__(self, hall: Hall, signer: Signer, tell: Tell) -> None:
        self._hall = hall
        self._signer = signer
        self._tell = tell
        self._lines: dict[int, Line] = {}

    def open(self, id: int, table: str) -> None:
        """A line to a table begins."""

        def tell(kind: str, told: dict[str, Any]) -> None:
            self._tell(kind, id, json.dumps(told))

        self._lines[id] = Line(self._hall, table, tell)
        tell("opened", {})

    def say(self, id: int, text: str) -> None:
        """Something is said on a line."""
        if id in self._lines:
            self._hall.tasks.spawn(self._lines[id].hear(text))

    def close(self, id: int) -> None:
        """A line ends."""
        if id in self._lines:
            self._lines.pop(id).end()

    def heard(self, table: str) -> None:
        """Another tab has written to a table."""
        self._hall.tasks.spawn(self._hall.heard(table))

    def request(self, id: int, path: str, token: str | None, language: str, body: str | None) -> None:
        """A request is made."""
        self._hall.tasks.spawn(self._answer(id, path, token, language, body))

    async def _answer(self, id: int, path: str, token: str | None, language: str, body: str | None) -> None:
        with words.reading(words.Reader(words.best([language]))):
            status, value = await self._answered(path, token, None if body is None else json.loads(body))
        self._tell("answer", id, json.dumps({"status": status, "text": json.dumps(value, ensure_ascii=False)}))

    async def _answered(self, path: str, token: str | None, body: Any) -> tuple[int, Any]:
        try:
            return 200, await self._value(path, token, body)
        except Refused as refused:
            return STATUS.get(refused.code, 409), {"error": str(refused)}
        except (strandline.UnknownGame, strandline.BadOptions, BadRecord, BadAct) as error:
            return 422, {"error": str(error)}
        except Exception:
            logger.exception("A request could not be answered.")
            return 500, {"error": apology()}

    async def _value(self, path: str, token: str | None, body: Any) -> Any:
        asked = urlsplit(path)
        if asked.path == "/api/open":
            return {"enabled": False, "tables": []}
        if asked.path == "/api/key":
            return {"key": await self._signer.key()}
        if lesson := LESSON.fullmatch(asked.path):
            return None if lesson["what"] == "/left" else _lesson(lesson["game"], lesson["name"], lesson["what"], body)
        found = PATH.fullmatch(asked.path)
        if found is None:
            raise Refused("table", _(ALONE))
        if body is not None:
            return await self._made(found["table"], found["what"], body)
        room = await self._hall.find(found["table"])
        seats = room.table.seats_of(token) if token else frozenset()
        if token and not seats:
            raise Refused("token", _("This link does not match a seat at this table."))
        wide = parse_qs(asked.query).get("wide", [""])[0] in ("1", "true")
        return await self._look(room, seats, found["what"], found["more"], wide)

    async def _made(self, table: str | None, what: str | None, body: Any) -> Any:
        """What was asked for with something in hand."""
        if table is None:
            return await (self._hall.take_in(body) if "format" in body else self._hall.make(body))
        if table == "status":
            return {"tables": await self._hall.overview()}
        raise Refused("table", _(ALONE))

    async def _look(self, room: Room, seats: frozenset[int], what: str | None, more: str | None, wide: bool) -> Any:
        table, language = room.table, words.reader().language
        match what:
            case None:
                seen = perspective.seen_by(table, seats, None, language, wide)
                value = perspective.state(table, seen, room.present())
                with words.reading(perspective.reader_of(table, seen)):
                    return {**value, "svg": perspective.picture(table.record.position, seen).svg}
            case "positions":
                seen = perspective.replayed(seats, language, wide)
                return perspective.at(table, seen, int(more or 0), table.record.at(int(more or 0)))
            case "record":
                return await self._signer.signed(_record(table, seats))
            case "review" if more == "progress":
                return {"done": room.reviewed}
            case "review":
                found = await self._hall.bots.review(room)
                with words.reading(perspective.reader_of(table, perspective.replayed(seats, language))):
                    return reviews.shown(table, found)
            case "board.svg":
                with words.reading(words.Reader(language, frozenset(), overview.names(table))):
                    return perspective.picture(table.record.position, perspective.replayed(frozenset(), language)).svg
            case "whole":
                return await self._hall.whole(table.id)
            case _:
                raise Refused("table", _(ALONE))


def _lesson(game: str, name: str, what: str | None, done: dict[str, Any]) -> dict[str, Any]:
    """A lesson as it stands after what the learner has done, or why they cannot tap something."""
    found = script.of(strandline.game(game)).lesson(name)
    if found is None:
        raise Refused("table", _("There is no such lesson."))
    if what == "/why":
        return view.why(strandline.game(game), found, done["acts"], done["shape"], done["chosen"])
    return view.seen(strandline.game(game), found, done["acts"], done["act"], done["wide"])


def _record(table: Table, seats: frozenset[int]) -> dict[str, Any]:
    """Several persons at one screen see no secrets of each other's, so together they see what a spectator sees."""
    return table.record.to_json(seats if len(seats) == 1 else frozenset(), table.names, table.seeds)


def _check_kind(kind: str, game: str, players: int) -> None:
    level = level_of(kind)
    known = [name for name in levels.known(strandline.game(game), players) if name in levels.DESCRIPTIONS]
    if kind == "link":
        raise Refused("seat", _("Players on other devices need a server. Here everybody plays on this one."))
    if kind != "here" and level not in known:
        raise levels.unknown(level or kind, known)


def start(tell: Tell) -> Site:
    """The site, in Pyodide."""
    import strandline_browser
    from pyodide.ffi import JsException, to_js

    from strandline.engine.wasm.host import host

    async def search(module: Any, steps: list[Any]) -> Callable[[int, int], bytes]:
        memory = await strandline_browser.search(module, to_js(steps))
        return lambda at, size: bytes(memory.subarray(at, at + size).to_bytes())

    async def solve(question: str) -> str:
        try:
            return str(await strandline_browser.solve(question))
        except JsException as error:
            raise Unsolved(str(error)) from error

    async def fetch(network: str) -> None:
        try:
            await strandline_browser.unpack(f"python/{network}.zip")
        except JsException as error:
            raise Unfetched(str(error)) from error

    hall = Hall(strandline_browser.store, BrowserThinkers(search, solve, fetch, host()))
    return Site(hall, Signer(strandline_browser.signer), tell)
