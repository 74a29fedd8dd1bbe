"""One WebSocket connection: the limits that strangers have to keep to, and what it carries to and from a guest."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable
from typing import Any, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from strandline.engine import words
from strandline.server import invitations, limits, logs
from strandline.server.hall import Hall, outage
from strandline.server.limits import FAST, LARGEST_MESSAGE, MOST_SCREENS, MOST_SPECTATORS, Bucket, same_origin, visitor
from strandline.server.rooms import Room
from strandline.server.store import is_outage, report_outage
from strandline.table import messages
from strandline.table.guest import Gone, Guest, LetGo, refusal
from strandline.table.table import Refused, is_id

_ = words.Words(__file__)

Result = TypeVar("Result")

HELLO_S = 10.0
PATIENCE = 100
"""The connection is closed after this many messages in a row that came too fast."""
LATER = 1013
MALFORMED, TOKEN, ORIGIN, UNKNOWN, SILENT = 4400, 4401, 4403, 4404, 4408

NO_STORE = words.message("The tables cannot be reached just now. Please try again in a moment.")


class Closing(Exception):
    """The connection is to be closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Connection(Guest[Room]):
    """A guest who comes over a WebSocket."""

    def __init__(self, socket: WebSocket, hall: Hall, room: Room, hello: messages.Hello, seats: frozenset[int]) -> None:
        language = words.accepted(socket.headers.get("accept-language", ""))
        super().__init__(lambda text: _send_text(socket, text), hall, room, hello, seats, language)
        self._socket = socket
        self._server = hall
        self._rate = hall.settings.messages
        self.visitor = visitor(socket.scope)

    async def tell(self) -> None:
        """Send the table whenever it has changed, until the device is let go."""
        try:
            await super().tell()
        except LetGo:
            await self._socket.close(TOKEN)

    async def reach_others(self, message: messages.Message) -> None:
        """Carry out what concerns other devices."""
        hall, room = self._server, self._room
        match message:
            case messages.Invite():
                link = await invitations.invite(hall, room, self.seats, message.seat)
                await self._say({"type": "invitation", "re": message.id, "seat": message.seat, "link": link})
            case messages.Code():
                code = await invitations.code_for(hall, room, self.seats)
                await self._say({"type": "code", "re": message.id, "code": code})
            case messages.Withdraw():
                await invitations.withdraw(hall, room, self.seats, message.seat)
                await self.show(message.id)
            case messages.Emote():
                hall.emotes.send(room, self.seats, message.seat, message.emote)
                await self._say({"type": "sent", "re": message.id})
            case messages.Look():
                self.is_looking = message.visible
                self.was_shown()
                await self._say({"type": "noted", "re": message.id})
            case messages.Release():
                await invitations.release(hall, room, self.seats, message.seat, self._device)
                await self.show(message.id)

    def was_shown(self) -> None:
        """Whoever looks at the table has seen it."""
        if self.is_looking:
            self._server.notices.seen(self._room, self.seats, self._device)

    async def listen(self) -> None:
        """Carry out what the guest says, message by message, until the connection ends."""
        bucket = Bucket(self._rate, limits.BURST_S)
        hasty = 0
        while True:
            text = await _text(self._socket)
            if bucket.take() and self._server.messages.take(self.visitor):
                hasty = 0
                await self.answer(text)
                continue
            hasty += 1
            await self.refuse(messages.id_in(text), "rate", _("That is too fast. Please wait a moment."))
            if hasty > PATIENCE:
                raise Closing(FAST)

    def excuse(self, error: Exception) -> str:
        """What the guest is told when something fails that should not."""
        return _(NO_STORE) if outage(error) else super().excuse(error)


async def serve(socket: WebSocket, hall: Hall, table: str) -> None:
    """A connection from its first word to its end."""
    try:
        if not same_origin(socket.headers):
            await socket.close(ORIGIN)
            return
        logs.table.set(table if is_id(table) else None)
        await socket.accept()
    except OSError:  # they did not wait for that
        return
    try:
        await _attend(socket, hall, table)
    except Closing as closing:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(closing.code)
    except LetGo:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(TOKEN)
    except (Gone, WebSocketDisconnect):
        pass


async def _attend(socket: WebSocket, hall: Hall, table: str) -> None:
    hello = await _hello(socket)
    room = await _room(socket, hall, table, hello.id)
    seats = await _seats(socket, hall, room, hello)
    if hello.token and not seats:
        await _send(socket, refusal(hello.id, "token", _("This link does not match a seat at this table."), None))
        raise Closing(TOKEN)
    if _is_full(room, seats):
        await _send(socket, refusal(hello.id, "rate", _("This table is full. Try again later."), None))
        raise Closing(FAST)
    guest = Connection(socket, hall, room, hello, seats)
    try:
        await _or_later(socket, hello.id, hall.enter(room, guest))
        await _keep_company(guest, hello)
    finally:
        hall.depart(room, guest)


async def _keep_company(guest: Connection, hello: messages.Hello) -> None:
    sender = asyncio.create_task(guest.tell())
    try:
        await guest.show(hello.id)
        await guest.listen()
    finally:
        sender.cancel()
        await asyncio.gather(sender, return_exceptions=True)


async def _seats(socket: WebSocket, hall: Hall, room: Room, hello: messages.Hello) -> frozenset[int]:
    return await _or_later(socket, hello.id, hall.rooms.seats_of(room, hello.token))


async def _or_later(socket: WebSocket, re: Any, work: Awaitable[Result]) -> Result:
    """What the store is needed for; while it does not answer, the guest is told to come back later."""
    try:
        return await work
    except Exception as error:
        await _say_outage(socket, re, error)
        raise Closing(LATER) from None


async def _room(socket: WebSocket, hall: Hall, table: str, re: Any) -> Room:
    try:
        room = await hall.rooms.find(table) if is_id(table) else None
        if room is not None:
            return room
        sentence = _("There is no such table.")
    except Refused as refused:
        sentence = str(refused)
    except Exception as error:
        await _say_outage(socket, re, error)
        raise Closing(LATER) from None
    await _send(socket, refusal(re, "table", sentence, None))
    raise Closing(UNKNOWN)


async def _say_outage(socket: WebSocket, re: Any, error: Exception) -> None:
    """Say that the store does not answer; what else went wrong is raised again."""
    if not is_outage(error):
        raise error
    report_outage(error)
    await _send(socket, refusal(re, "server", _(NO_STORE), None))


def _is_full(room: Room, seats: frozenset[int]) -> bool:
    """Spectators never take the places of those who play; each seat has a few, for a phone and some open pages."""
    if not seats:
        return sum(not guest.seats for guest in room.guests) >= MOST_SPECTATORS
    return sum(bool(guest.seats & seats) for guest in room.guests) >= MOST_SCREENS


async def _hello(socket: WebSocket) -> messages.Hello:
    try:
        text = await asyncio.wait_for(_text(socket), HELLO_S)
    except TimeoutError:
        raise Closing(SILENT) from None
    try:
        message = messages.read(text)
    except Refused as refused:
        await _send(socket, refusal(messages.id_in(text), refused.code, str(refused), None))
        raise Closing(MALFORMED) from None
    if not isinstance(message, messages.Hello):
        await _send(socket, refusal(message.id, "hello", "The first message must be hello.", None))
        raise Closing(MALFORMED)
    return message


async def _text(socket: WebSocket) -> str:
    """The next message. It must be text and not too large."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise Gone
    text = message.get("text")
    if not isinstance(text, str) or len(text.encode("utf-8", "replace")) > LARGEST_MESSAGE:
        sentence = f"A message is text of at most {LARGEST_MESSAGE} bytes."
        await _send(socket, refusal(messages.id_in(text), "malformed", sentence, None))
        raise Closing(MALFORMED)
    return text


async def _send(socket: WebSocket, value: dict[str, Any]) -> None:
    await _send_text(socket, json.dumps(value, ensure_ascii=False))


async def _send_text(socket: WebSocket, text: str) -> None:
    try:
        await socket.send_text(text)
    except (RuntimeError, WebSocketDisconnect):  # the connection is being closed
        raise Gone from None
