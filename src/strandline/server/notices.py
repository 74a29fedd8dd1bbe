"""Telling people that it is their turn: by web push and by webhook, to those who asked for it.

One notice a turn, on any number of servers: whoever sends it first writes down for which turn. None is sent while the
table is open in front of the person; a server that sees them there writes the turn down as told. A push message is
withdrawn from all devices when the person looks at the table on one of them, and when the turn is over.
"""

import asyncio
import functools
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI, Header, Request

from strandline.engine import words
from strandline.engine.words import Words
from strandline.server import limits, models, outbox, push, waiting
from strandline.server.notice import PUSH, WEBHOOK, Notice
from strandline.server.rooms import Room
from strandline.server.store import Store
from strandline.table.table import Refused, Table, hashed
from strandline.table.tasks import Tasks

if TYPE_CHECKING:
    from strandline.server.hall import Hall

_ = Words(__file__)

PAUSES_S = (2.0, 10.0, 60.0, 300.0)
"""How long a notice that could not be delivered waits before each further try."""
GONE = (404, 410)
"""The subscription does not exist any more."""
AGAIN = (408, 429)
AT_ONCE = 16
"""Notices that are under way at the same time, in threads of their own: who is slow to take them holds up nobody."""
MOST = 8
"""Notices that one seat may ask for."""
ASKED, ASKED_BURST_S = 0.1, 600.0
"""Notices a second that one address may ask for, on average: nobody has this server knock at other doors all day."""
KEY = "push"

YOUR_TURN = words.message("{name}, it is your turn: {title}.")
SEEN = words.message("{name}, you have seen it on another device.")
OVER = words.message("{name}, your turn is over.")

logger = logging.getLogger("strandline.table")


class Notices:
    """The notices of all tables."""

    def __init__(self, hall: "Hall", store: Store, tasks: Tasks) -> None:
        self._hall = hall
        self._store = store
        self._tasks = tasks
        self._messengers = ThreadPoolExecutor(AT_ONCE, "strandline-notices")
        self._key: str | None = None

    def close(self) -> None:
        """Send nothing more."""
        self._messengers.shutdown(wait=False, cancel_futures=True)

    async def key(self) -> str:
        """The key with which push messages are signed: made at the first start, the same on all servers of a store."""
        if self._key is None:
            self._key = await waiting.done(self._store.secret(KEY, push.new_key()))
        return self._key

    def changed(self, room: Room) -> None:
        """Something has happened: whoever's turn begins is told in a moment, unless they are looking."""
        turn = turn_of(room.table)
        if turn is not None and turn != room.noticed:
            room.noticed = turn
            self._tasks.spawn(self._tell(room.table.id, turn))
        self._withdraw(room, room.announced - ({turn[0]} if turn else set()))

    def seen(self, room: Room, seats: frozenset[int], device: str | None) -> None:
        """A person looks at the table: nobody needs to tell them any more, and their other devices say so no longer."""
        seat = room.table.turn
        if not isinstance(seat, int) or seat not in seats or room.table.bot(seat) is not None:
            return
        if self._store.shared and (turn := turn_of(room.table)) and turn != room.seen:
            room.seen = turn
            self._store.mark_told(room.table.id, *turn)
            self._store.tell(room.table.id, f"seen {seat} {room.table.number}")
        _say_seen(room, seat, room.table.number)
        self._withdraw(room, room.announced & {seat}, device)

    def heard(self, table: str, kind: str, seat: int, number: int) -> None:
        """Another server has shown a notice, or its person looks at the table there."""
        for room in self._hall.rooms.known([table]):
            if kind == "shown":
                room.announced.add(seat)
            else:
                _say_seen(room, seat, number)

    async def _tell(self, table: str, turn: tuple[int, int]) -> None:
        await asyncio.sleep(self._hall.settings.notice_after)
        seat, number = turn
        room = await self._waiting(table, turn)
        if room is None:
            return
        for notice in await waiting.read(self._store.notices, table, seat, number):
            if seat not in room.table.devices.seats_of(notice.device):
                continue
            room.announced.add(seat)
            if await asyncio.wrap_future(self._store.claim_notice(notice, number)):  # however long it takes: it is ours
                self._store.tell(table, f"shown {seat} {number}")
                self._tasks.spawn(self._deliver(room.table, turn, notice))

    async def _waiting(self, table: str, turn: tuple[int, int]) -> Room | None:
        """The table, up to date, if it is still that turn and its person does not look."""
        room = await self._hall.rooms.find(table)
        still = room is not None and turn_of(room.table) == turn and turn[0] not in room.looking()
        return room if still else None

    async def _deliver(self, table: Table, turn: tuple[int, int], notice: Notice) -> None:
        async def is_wanted() -> bool:
            return await self._waiting(table.id, turn) is not None

        sent = await self._send(table, notice, YOUR_TURN, is_wanted)
        if notice.kind != PUSH:
            return
        if not sent:
            await waiting.done(self._store.forget_shown(notice.id))
        elif not await waiting.read(self._store.is_shown, notice.id):  # seen while it was under way
            await self._send(table, notice, SEEN)

    def _withdraw(self, room: Room, seats: set[int], device: str | None = None) -> None:
        """Take the notices of these seats off all screens. `device` is that of whoever looks: it does so itself."""
        if seats:
            room.announced -= seats
            self._tasks.spawn(self._take_back(room.table, seats, device))

    async def _take_back(self, table: Table, seats: set[int], device: str | None) -> None:
        for notice in await asyncio.wrap_future(self._store.take_shown(table.id, seats)):  # however long it takes
            if notice.device != device:
                self._tasks.spawn(self._send(table, notice, OVER if device is None else SEEN))

    async def _send(
        self, table: Table, notice: Notice, sentence: str, is_wanted: Callable[[], Awaitable[bool]] | None = None
    ) -> bool:
        """Say it to one device, or in one group chat, as long as that is wanted; whether it was taken there."""
        message = _message(table, notice, sentence)
        for pause in (0.0, *PAUSES_S):
            await asyncio.sleep(pause)
            if is_wanted and not await is_wanted():
                return False
            try:
                job = functools.partial(self._post, table, notice, await self.key(), message)
                status = await asyncio.get_running_loop().run_in_executor(self._messengers, job)
            except outbox.NotThere as error:
                logger.info("A notice could not be delivered: %s", error)
                continue
            if status in GONE:
                await waiting.done(self._store.forget_notices(notice.table_id, notice.device, notice.id))
            if status < 500 and status not in AGAIN:
                return status < 300
        return False

    def _post(self, table: Table, notice: Notice, key: str, message: dict[str, Any]) -> int:
        inside = self._hall.settings.notices_inside
        if notice.kind == WEBHOOK:
            text = f"{message['body']} {notice.page}"
            body = json.dumps({"text": text, "content": text, "table": notice.page, "seat": notice.seat}).encode()
            return outbox.post(notice.target, body, {"Content-Type": "application/json"}, inside)
        where = json.loads(notice.target)
        sealed = push.encrypted(json.dumps(message).encode(), where["p256dh"], where["auth"])
        contact = f"mailto:strandline@{urlsplit(notice.page).hostname or 'localhost'}"
        headers = push.headers(where["endpoint"], key, contact, topic=table.id)
        return outbox.post(where["endpoint"], sealed, headers, inside)


def _say_seen(room: Room, seat: int, number: int) -> None:
    """Tell the pages of a person's other devices that they have seen the table as it is at line `number`."""
    for guest in room.guests:
        if seat in guest.seats and not guest.is_looking:
            guest.hear({"type": "seen", "seat": seat, "number": number})


def turn_of(table: Table) -> tuple[int, int] | None:
    """The person whose turn it is and the number of the line with which it became theirs; None if it is nobody's."""
    turn = table.turn
    if not isinstance(turn, int) or table.bot(turn) is not None:
        return None
    for number in table.record.path():
        if number and table.record.lines[number - 1].by not in (turn, "chance"):
            return turn, number
    return turn, 0


def _message(table: Table, notice: Notice, sentence: str) -> dict[str, Any]:
    """What a device is told. Where a notice is withdrawn, browsers want to see one all the same, for a moment."""
    names = table.names_for(notice.language)
    with words.reading(words.Reader(notice.language, frozenset(), names)):
        title = table.record.position.game.told_title
        body = _(sentence, name=names[notice.seat], title=title)
    return {"title": title, "body": body, "tag": table.id, "page": notice.page, "withdrawn": sentence != YOUR_TURN}


def add(app: FastAPI, hall: "Hall", find: Callable[[str], Awaitable[Room]]) -> None:
    """Add the addresses where notices are asked for."""
    problems: dict[int | str, dict[str, Any]] = {
        code: {"model": models.Problem} for code in (400, 401, 403, 404, 409, 413, 422, 429)
    }
    Found = Annotated[Room, Depends(find)]
    Bearer = Annotated[str | None, Header(description="`Bearer TOKEN`")]
    addresses = limits.Buckets(ASKED, ASKED_BURST_S)

    @app.get("/api/notices", response_model=models.NoticesOffered, responses={429: problems[429]})
    async def offered() -> Any:
        """How this server can tell people that it is their turn."""
        return {"push": push.public_key(await hall.notices.key()), "webhooks": hall.settings.webhooks}

    @app.post("/api/tables/{table}/notices", response_model=models.NoticesKept, responses=problems)
    async def ask(room: Found, said: models.NoticeAsked, request: Request, authorization: Bearer = None) -> Any:
        """Ask to be told when it is one's turn at this table."""
        token = _token(authorization)
        seats = await _seats(hall, room, token)
        kind, target = _target(hall, said)
        if not addresses.take(limits.visitor(request.scope)):
            raise Refused("rate", _("Many notices were asked for just now. Please wait a minute."))
        page = f"{_origin(request)}/table/{room.table.id}"
        asked = [
            Notice(
                _id(room, seat, token, target), room.table.id, seat, hashed(token), kind, target, page, said.language
            )
            for seat in sorted(seats)
        ]
        kept = await waiting.done(hall.store.add_notices(asked, MOST))
        if not kept:
            raise Refused("state", _("You can have at most {n} notices. Stop some first.", n=MOST))
        return {"notices": len(asked)}

    @app.post("/api/tables/{table}/notices/stop", response_model=models.NoticesKept, responses=problems)
    async def stop(room: Found, authorization: Bearer = None) -> Any:
        """Stop all notices that this device has asked for at this table."""
        token = _token(authorization)
        await _seats(hall, room, token)
        await waiting.done(hall.store.forget_notices(room.table.id, hashed(token)))
        return {"notices": 0}


def _token(authorization: str | None) -> str:
    scheme, _space, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _seats(hall: "Hall", room: Room, token: str) -> frozenset[int]:
    seats = await hall.rooms.seats_of(room, token)
    if not seats:
        raise Refused("token", _("This link does not match a seat at this table."))
    return seats


def _target(hall: "Hall", said: models.NoticeAsked) -> tuple[str, str]:
    """Where the notice goes, checked as far as it can be now; the name is looked up when it is sent."""
    if (said.webhook is None) == (said.push is None):
        raise Refused("malformed", _("A notice is sent by push or by webhook."))
    if said.webhook is not None and not hall.settings.webhooks:
        raise Refused("state", _("This server sends no webhooks."))
    url = said.webhook if said.webhook is not None else said.push.endpoint if said.push else ""
    try:
        outbox.check(url, hall.settings.notices_inside)
    except outbox.NotThere as error:
        raise Refused("malformed", str(error)) from None
    if said.push is None:
        return WEBHOOK, url
    if not push.is_subscription(said.push.p256dh, said.push.auth):
        raise Refused("malformed", _("These are not a subscription’s keys."))
    return PUSH, json.dumps({"endpoint": url, "p256dh": said.push.p256dh, "auth": said.push.auth})


def _origin(request: Request) -> str:
    """Where the person's browser finds this server; the name was checked before anything got here."""
    return f"{request.url.scheme}://{request.headers.get('host', limits.address(request.scope))}"


def _id(room: Room, seat: int, token: str, target: str) -> str:
    return hashlib.sha256(f"{room.table.id} {seat} {token} {target}".encode()).hexdigest()
