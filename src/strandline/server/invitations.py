"""Coming to a table: invitations, codes to type, and seats that devices claim."""

import contextlib
import functools
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, FastAPI, Request

from strandline.engine import words
from strandline.engine.words import Words
from strandline.server import limits, models, waiting
from strandline.server.limits import Bucket, Buckets
from strandline.server.rooms import Room
from strandline.server.store import Conflict
from strandline.table import invitations, perspective
from strandline.table.making import invitation_link
from strandline.table.table import Refused, hashed, new_token

if TYPE_CHECKING:
    from strandline.server.hall import Hall

_ = Words(__file__)

CODE_S = 1800.0
"""How long a code can be typed."""
TOLD_AGAIN_S = 900.0
"""Whoever asks for a table's code is told the one that it has, if that holds so long: nobody can use up all codes."""
NUMBERS = range(2, 1000)
TRIES, ALL_TRIES = 0.1, 1.0
"""Wrong codes a second, on average, from one address and from all together: there are few enough codes to guess."""
TRIES_BURST_S, ALL_TRIES_BURST_S = 300.0, 60.0
ATTEMPTS = 20
"""How often another code is drawn when one is in use."""
WORDS = tuple((Path(__file__).parent / "code_words.txt").read_text(encoding="utf-8").split())


class Codes:
    """Short codes that are typed at the lobby. Each opens the free seats of one table, for a while."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._tries = Buckets(TRIES, TRIES_BURST_S)
        self._all_tries = Bucket(ALL_TRIES, ALL_TRIES_BURST_S)

    async def of(self, room: Room) -> str:
        """The code of a table."""
        now = time.time()
        for _attempt in range(ATTEMPTS):
            new = f"{secrets.choice(WORDS)}-{secrets.choice(NUMBERS)}".upper()
            with contextlib.suppress(Conflict):
                return await waiting.done(
                    self._hall.store.code_of(room.table.id, now + TOLD_AGAIN_S, new, now + CODE_S)
                )
        raise Refused("server", _("No code is free just now. Please try again."))

    async def table(self, code: str, who: str) -> str:
        """The table that a code stands for. Whoever guesses is soon asked to wait."""
        tries = self._tries.of(who), self._all_tries
        if not all(bucket.take() for bucket in tries):
            raise Refused("rate", _("Too many codes were tried. Please wait a minute."))
        found = await waiting.read(self._hall.store.table_of_code, tidy(code), time.time())
        if found is None:
            raise Refused("code", _("There is no such code. Codes work for half an hour: ask for a new one."))
        for bucket in tries:
            bucket.give_back()
        return found


def tidy(code: str) -> str:
    """A code as it is kept, however it was typed: `kelp 385` is `KELP-385`."""
    return "-".join(code.upper().replace("-", " ").split())


async def invite(hall: "Hall", room: Room, seats: frozenset[int], seat: int) -> str:
    """A new invitation to a seat; the one before does not hold any more."""
    invitation = new_token()
    command = functools.partial(invitations.invite, seats=seats, seat=seat, invitation=hashed(invitation))
    await hall.do(room, command)
    return invitation_link(room.table.id, invitation)


async def withdraw(hall: "Hall", room: Room, seats: frozenset[int], seat: int) -> None:
    """Take an invitation back."""
    await hall.do(room, functools.partial(invitations.withdraw, seats=seats, seat=seat))


async def release(hall: "Hall", room: Room, seats: frozenset[int], seat: int, device: str | None) -> None:
    """Disconnect a lost device: one's own other ones, or with a vote somebody else's."""
    if device is not None and seat in seats:
        command = functools.partial(invitations.let_go_others, seats=seats, seat=seat, key=device)
    else:
        present = room.attending(hall.settings.lost_after)
        command = functools.partial(invitations.let_go, seats=seats, seat=seat, present=present)
    await hall.do(room, command)


async def code_for(hall: "Hall", room: Room, seats: frozenset[int]) -> str:
    """A code for the free seats of a table."""
    if not seats & invitations.hosts(room.table):
        raise Refused("seat", _("Only those who made the table can invite others."))
    if not invitations.free_seats(room.table):
        raise Refused("state", _("All seats at this table are taken."))
    return await hall.codes.of(room)


def add(app: FastAPI, hall: "Hall", find: Callable[[str], Awaitable[Room]]) -> None:
    """Add the addresses of those who come."""
    problems: dict[int | str, dict[str, Any]] = {
        code: {"model": models.Problem} for code in (400, 403, 404, 409, 413, 422, 429)
    }
    Found = Annotated[Room, Depends(find)]

    @app.post("/api/codes", response_model=models.CodeFound, responses=problems)
    async def typed(said: models.CodeTyped, request: Request) -> Any:
        """The page that a code opens."""
        table = await hall.codes.table(said.code, limits.visitor(request.scope))
        return {"page": f"/table/{table}#code={tidy(said.code)}"}

    @app.post("/api/tables/{table}/invitation", response_model=models.InvitationSeen, responses=problems)
    async def look(room: Found, said: models.Invited, request: Request) -> Any:
        """What one is invited to. Nothing is used up by looking."""
        table = room.table
        if said.invitation and not table.devices.invited(hashed(said.invitation)):
            await hall.rooms.look_again(room)
        seats = table.devices.invited(hashed(said.invitation)) if said.invitation else []
        if not said.invitation:
            await _check_open(hall, room, said.code, request)
            seats = invitations.free_seats(table)
        with words.reading(words.Reader(words.reader().language, frozenset(), (names := _names(room)))):
            title = table.record.position.game.told_title
        own = any(seat in table.devices.claimed() for seat in seats)
        looks = [perspective.look_of(look) for look in table.record.position.game.board.looks()]
        return {"title": title, "own": own, "names": names, "seats": seats, "looks": looks[: table.players]}

    @app.post("/api/tables/{table}/claim", response_model=models.Seated, responses=problems)
    async def claim(room: Found, said: models.Claim, request: Request) -> Any:
        """Sit down: the invitation is used up, and the device's key holds the seat from now on."""
        key, name = hashed(said.key), said.name
        with words.reading(words.Reader(words.reader().language, frozenset(), _names(room))):
            if said.invitation:
                command = functools.partial(invitations.claim, invitation=hashed(said.invitation), key=key, name=name)
            else:
                await _check_open(hall, room, said.code, request)
                command = functools.partial(invitations.sit, seat=said.seat, key=key, name=name)
            await hall.do(room, command)
        return {"page": f"/table/{room.table.id}#{said.key}", "seats": sorted(room.table.seats_of(said.key))}


def _names(room: Room) -> tuple[str, ...]:
    return room.table.names_for(words.reader().language)


async def _check_open(hall: "Hall", room: Room, code: str | None, request: Request) -> None:
    """Refuse to whoever has no invitation, and no code for this table, unless it is open to everybody."""
    if code is None and hall.settings.public and room.table.setup.agreements.open:
        return
    if code is None:
        raise Refused("malformed", _("You need an invitation or a code to sit down here."))
    if await hall.codes.table(code, limits.visitor(request.scope)) != room.table.id:
        raise Refused("code", _("There is no such code. Codes work for half an hour: ask for a new one."))
