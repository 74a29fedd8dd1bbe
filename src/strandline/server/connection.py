"""One WebSocket connection: reads what a person or a spectator says, and shows them their table."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from strandline.engine import words
from strandline.server import logs, models, thinkers
from strandline.server.commands import Command
from strandline.server.hall import Hall
from strandline.server.limits import BURST_S, LARGEST_MESSAGE, MOST_SCREENS, MOST_SPECTATORS, Bucket, same_origin
from strandline.server.rooms import Room
from strandline.server.store import is_outage, report_outage
from strandline.table.perspective import Perspective, first_to_show, picture, reader_of, seen_by, state, steps
from strandline.table.picture import Picture
from strandline.table.table import Refused, Table, is_id

_ = words.Words(__file__)

HELLO_S = 10.0
PATIENCE = 100
"""The connection is closed after this many messages in a row that came too fast."""
LATER = 1013
MALFORMED, TOKEN, ORIGIN, UNKNOWN, SILENT, FAST = 4400, 4401, 4403, 4404, 4408, 4429

WRONG = words.message("Something went wrong. Nothing was changed; please try again.")
NO_STORE = words.message("The tables cannot be reached just now. Please try again in a moment.")

TableMessage = models.Undo | models.Takeover | models.Vote | models.Leave | models.Return | models.Name
"""Messages that are answered with the table as it is after them."""

logger = logging.getLogger("strandline.table")


class Closing(Exception):
    """The connection is to be closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Connection:
    """A guest at a table."""

    def __init__(self, socket: WebSocket, hall: Hall, room: Room, hello: models.Hello, seats: frozenset[int]) -> None:
        self.seats = seats
        self._socket = socket
        self._hall = hall
        self._room = room
        self._shown: int | None = None
        self._logged = hello.since
        self._pieces = hello.pieces
        self._wide = hello.wide
        self._language = (
            words.best([hello.language])
            if hello.language
            else words.accepted(socket.headers.get("accept-language", ""))
        )
        self._told = max(hello.since, first_to_show(room.table)) if hello.story else None
        self._board: Picture | None = None
        self._news = asyncio.Event()
        self._sending = asyncio.Lock()

    def wake(self) -> None:
        """Something has changed at the table: the sender shows it."""
        self._news.set()

    async def tell(self) -> None:
        """Send the table whenever it has changed. What changes faster than it can be sent is sent as one."""
        while True:
            await self._news.wait()
            await self.show(only_news=True)

    async def show(self, re: Any = None, only_news: bool = False) -> None:
        """Send the table as this caller may see it; `only_news`: unless it has been sent meanwhile."""
        async with self._sending:
            if only_news and not self._news.is_set():
                return
            self._news.clear()
            table = self._room.table
            turn = table.record.position.turn
            if self._shown != turn:
                self._shown = None
            seen = seen_by(table, self.seats, self._shown, self._language, self._wide)
            value = state(table, seen, self._room.present(), self._logged)
            self._logged = table.number
            head = json.dumps({"type": "state", "re": re, **value}, ensure_ascii=False)
            told = ", ".join(self._steps(table, seen))
            with words.reading(reader_of(table, seen)):
                board = self._drawn(picture(table.record.position, seen))
            await _send_text(self._socket, f'{head[:-1]}, "steps": [{told}], "svg": {board}}}')

    def _steps(self, table: Table, seen: Perspective) -> Iterator[str]:
        """What has happened since the last time, as JSON, for those who asked for it."""
        if self._told is None:
            return
        for step, board in steps(table, seen, self._told):
            head = json.dumps(step, ensure_ascii=False)
            yield f'{head[:-1]}, "svg": {self._drawn(board)}}}'
        self._told = table.number

    def _drawn(self, board: Picture) -> str:
        """The board as JSON: whole, or in pieces for those who asked for it."""
        if not self._pieces:
            return board.whole
        before, self._board = self._board, board
        return board.since(before)

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        """All that is said to the guest is said in their language."""
        with words.reading(reader_of(self._room.table, seen_by(self._room.table, self.seats, None, self._language))):
            yield

    async def refuse(self, re: Any, code: str, sentence: str) -> None:
        """Say why not."""
        await self._say(_refusal(re, code, sentence, self._room.table.number))

    async def _say(self, value: dict[str, Any]) -> None:
        async with self._sending:
            await _send(self._socket, value)

    async def listen(self) -> None:
        """Carry out what the guest says, message by message, until the connection ends."""
        bucket = Bucket(self._hall.settings.messages, BURST_S)
        hasty = 0
        while True:
            text = await _text(self._socket)
            if bucket.take():
                hasty = 0
                await self._answer(text)
                continue
            hasty += 1
            await self.refuse(id_in(text), "rate", _("That is too fast. Please wait a moment."))
            if hasty > PATIENCE:
                raise Closing(FAST)

    async def _answer(self, text: str) -> None:
        with self._speaking():
            await self._answer_or_refuse(text)

    async def _answer_or_refuse(self, text: str) -> None:
        try:
            await self._carry_out(read(text))
        except Refused as refused:
            await self.refuse(id_in(text), refused.code, str(refused))
            if refused.code == "stale":
                await self.show()
        except WebSocketDisconnect:
            raise
        except Exception as error:
            if is_outage(error):
                report_outage(error)
            else:
                logger.exception("A message could not be carried out.")
            await self.refuse(id_in(text), "server", _(NO_STORE) if is_outage(error) else _(WRONG))

    async def _carry_out(self, message: models.Said) -> None:
        match message:
            case models.Hello():
                raise Refused("malformed", "You have said hello already. Connect again to be somebody else.")
            case models.Ping():
                await self._say({"type": "pong", "re": message.id})
            case models.Move():
                await self._move(message)
            case models.Here():
                await self._here(message)
            case models.Form():
                self._wide = message.wide
                await self.show(message.id)
            case models.Hint():
                await self._hint(message)
            case models.Rematch():
                await self._hall.rematch(self._room, self.seats)
                await self.show(message.id)
            case _:
                await self._hall.do(self._room, self._command(message))
                await self.show(message.id)

    def _command(self, message: TableMessage) -> Command:
        """What a message asks the table for."""
        match message:
            case models.Undo():
                return functools.partial(Table.undo, seats=self.seats, number=message.number)
            case models.Takeover():
                ask = functools.partial(Table.takeover, seats=self.seats, seat=message.seat, level=thinkers.DEFAULT)
                return functools.partial(ask, present=self._room.attending(self._hall.settings.away_after))
            case models.Vote():
                vote = functools.partial(Table.vote, seats=self.seats, number=message.vote, seat=message.seat)
                return functools.partial(vote, yes=message.yes, level=thinkers.DEFAULT)
            case models.Leave():
                return functools.partial(Table.leave, seats=self.seats, seat=message.seat, level=thinkers.DEFAULT)
            case models.Return():
                return functools.partial(Table.come_back, seats=self.seats, seat=message.seat)
            case models.Name():
                return functools.partial(Table.rename, seats=self.seats, seat=message.seat, name=message.name)

    async def _move(self, message: models.Move) -> None:
        play = functools.partial(Table.move, seats=self.seats, text=message.move)
        await self._hall.do(self._room, functools.partial(play, number=message.number, salt=message.salt))
        turn = self._room.table.record.position.turn
        if turn in self.seats and self._mover() == turn:
            self._shown = self._mover()  # who has just moved is at the screen
        await self.show(message.id)

    def _mover(self) -> int | None:
        """The seat that made the last move that stands."""
        record = self._room.table.record
        for number in record.standing():
            by = record.lines[number - 1].by if number else None
            if by != "chance":
                return by
        return None

    async def _here(self, message: models.Here) -> None:
        table = self._room.table
        if message.seat not in self.seats:
            raise Refused("seat", _("That seat is not yours."))
        if message.number != table.number or table.record.position.turn != message.seat:
            raise Refused("stale", _("The game has moved on. Look again before you move."))
        self._shown = message.seat
        await self.show(message.id)

    async def _hint(self, message: models.Hint) -> None:
        position = self._room.table.record.position
        move = await self._hall.bots.hint(self._room, self.seats, message.number)
        answer = {"type": "hint", "re": message.id, "number": message.number, "move": move}
        await self._say({**answer, "sentence": _("A bot would play: {move}", move=position.describe(move))})


async def serve(socket: WebSocket, hall: Hall, table: str) -> None:
    """A connection from its first word to its end."""
    if not same_origin(socket.headers):
        await socket.close(ORIGIN)
        return
    logs.table.set(table if is_id(table) else None)
    await socket.accept()
    try:
        await _attend(socket, hall, table)
    except Closing as closing:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(closing.code)
    except WebSocketDisconnect:
        pass


async def _attend(socket: WebSocket, hall: Hall, table: str) -> None:
    hello = await _hello(socket)
    room = await _room(socket, hall, table, hello.id)
    seats = room.table.seats_of(hello.token) if hello.token else frozenset()
    if hello.token and not seats:
        await _send(socket, _refusal(hello.id, "token", _("This link does not match a seat at this table."), None))
        raise Closing(TOKEN)
    if _is_full(room, seats):
        await _send(socket, _refusal(hello.id, "rate", _("This table is full. Try again later."), None))
        raise Closing(FAST)
    guest = Connection(socket, hall, room, hello, seats)
    await hall.enter(room, guest)
    sender = asyncio.create_task(guest.tell())
    try:
        await guest.show(hello.id)
        await guest.listen()
    finally:
        sender.cancel()
        hall.depart(room, guest)
        await asyncio.gather(sender, return_exceptions=True)


async def _room(socket: WebSocket, hall: Hall, table: str, re: Any) -> Room:
    try:
        room = await hall.rooms.find(table) if is_id(table) else None
        if room is not None:
            return room
        sentence = _("There is no such table.")
    except Refused as refused:
        sentence = str(refused)
    except Exception as error:
        if not is_outage(error):
            raise
        report_outage(error)
        await _send(socket, _refusal(re, "server", _(NO_STORE), None))
        raise Closing(LATER) from None
    await _send(socket, _refusal(re, "table", sentence, None))
    raise Closing(UNKNOWN)


def _is_full(room: Room, seats: frozenset[int]) -> bool:
    """Spectators never take the places of those who play; each seat has a few, for a phone and some open pages."""
    if not seats:
        return sum(not guest.seats for guest in room.guests) >= MOST_SPECTATORS
    return sum(bool(guest.seats & seats) for guest in room.guests) >= MOST_SCREENS


async def _hello(socket: WebSocket) -> models.Hello:
    try:
        text = await asyncio.wait_for(_text(socket), HELLO_S)
    except TimeoutError:
        raise Closing(SILENT) from None
    try:
        message = read(text)
    except Refused as refused:
        await _send(socket, _refusal(id_in(text), refused.code, str(refused), None))
        raise Closing(MALFORMED) from None
    if not isinstance(message, models.Hello):
        await _send(socket, _refusal(message.id, "hello", "The first message must be hello.", None))
        raise Closing(MALFORMED)
    return message


async def _text(socket: WebSocket) -> str:
    """The next message. It must be text and not too large."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str) or len(text.encode("utf-8", "replace")) > LARGEST_MESSAGE:
        sentence = f"A message is text of at most {LARGEST_MESSAGE} bytes."
        await _send(socket, _refusal(id_in(text), "malformed", sentence, None))
        raise Closing(MALFORMED)
    return text


def id_in(text: Any) -> int | str | None:
    """The id of a message, for its answer, even if the message is no good otherwise."""
    try:
        value = json.loads(text)
        return models.ID.validate_python(value.get("id") if isinstance(value, dict) else None)
    except (TypeError, ValueError, RecursionError):
        return None


def read(text: str) -> models.Said:
    """A message from its text; `Refused` if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("malformed", "A message is a JSON object.") from None
    try:
        return models.MESSAGES.validate_python(value)
    except ValidationError as error:
        raise Refused("malformed", models.complaint(error.errors())) from None


def _refusal(re: Any, code: str, sentence: str, number: int | None) -> dict[str, Any]:
    return {"type": "refused", "re": re, "code": code, "error": sentence, "number": number}


async def _send(socket: WebSocket, value: dict[str, Any]) -> None:
    await _send_text(socket, json.dumps(value, ensure_ascii=False))


async def _send_text(socket: WebSocket, text: str) -> None:
    try:
        await socket.send_text(text)
    except RuntimeError:  # the connection is being closed
        raise WebSocketDisconnect(1006) from None
