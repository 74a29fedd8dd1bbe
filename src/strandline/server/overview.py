"""What goes on at the tables of a browser: for the cards of its lobby."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from strandline.engine import words
from strandline.engine.words import Words, seat_name
from strandline.server import models
from strandline.server.rooms import Room
from strandline.table import perspective
from strandline.table.invitations import free_seats
from strandline.table.table import Refused

if TYPE_CHECKING:
    from strandline.server.hall import Hall

_ = Words(__file__)


def add(app: FastAPI, hall: "Hall") -> None:
    """Add the addresses of the lobby's cards."""
    problems: dict[int | str, dict[str, Any]] = {
        code: {"model": models.Problem} for code in (400, 403, 404, 413, 422, 429)
    }

    @app.post("/api/tables/status", response_model=models.TablesStatus, responses=problems)
    async def status(asked: models.TablesAsked) -> Any:
        """What goes on at the tables that a browser remembers; those that there are no longer are left out."""
        touched = await asyncio.to_thread(hall.store.touched, [each.id for each in asked.tables])
        found = []
        for each in asked.tables:
            try:
                room = await hall.rooms.find(each.id) if each.id in touched else None
            except Refused:  # played by other rules, or damaged: its own page says so
                continue
            if room is not None:
                found.append({**_status(room, each.token), "touched": touched[each.id]})
        return {"tables": sorted(found, key=lambda each: -float(each["touched"]))}

    @app.get("/api/open", response_model=models.OpenTables, responses={429: problems[429]})
    async def open_tables() -> Any:
        """The tables that anybody may join, where the owner of the server allows any."""
        if not hall.settings.public:
            return {"enabled": False, "tables": []}
        found = []
        for name in await asyncio.to_thread(hall.store.open_tables):
            with contextlib.suppress(Refused):  # it cannot be opened
                room = await hall.rooms.find(name)
                if room is None:
                    continue
                free = [] if room.table.record.over else free_seats(room.table)
                if free:
                    found.append({**_card(room), "free": free})
                else:
                    hall.store.set_full(name)
        return {"enabled": True, "tables": found}


def _names(room: Room) -> tuple[str, ...]:
    return room.table.names_for(words.reader().language)


def _card(room: Room) -> dict[str, Any]:
    game = room.table.record.position.game
    picture = f"/api/tables/{room.table.id}/board.svg?at={room.table.number}"
    named = {"id": room.table.id, "game": game.name, "title": game.told_title}
    return {**named, "names": _names(room), "picture": picture}


def _status(room: Room, token: str | None) -> dict[str, Any]:
    table = room.table
    seats = table.seats_of(token) if token else frozenset()
    position = table.record.position
    seen = perspective.seen_by(table, seats, None, words.reader().language)
    with words.reading(perspective.reader_of(table, seen)):
        return {
            **_card(room),
            "you": sorted(seats),
            "number": table.number,
            "turn": "over" if table.record.over else table.turn,
            "your_turn": table.turn in seats and table.turn in table.persons(),
            "winners": position.winners(),
            "status": _sentence(room, seats),
        }


def _sentence(room: Room, seats: frozenset[int]) -> str:
    table = room.table
    turn = table.turn
    if turn == "chance":
        return _("not begun yet")
    if turn is None:
        return _finished(room, seats)
    if turn in seats and table.bot(turn) is None:
        return _("Your turn") if len(seats) == 1 else _("{name}’s turn", name=seat_name(turn))
    return _("{name} is thinking", name=seat_name(turn))


def _finished(room: Room, seats: frozenset[int]) -> str:
    position = room.table.record.position
    winners = position.winners()
    if position.game.facts.cooperative and winners:
        return _("finished: everybody won")
    if not winners:
        return _("finished: nobody won")
    if len(seats) == 1 and seats <= set(winners):
        return _("finished: you won")
    return _("finished: {names} won", names=words.seat_names(winners))
