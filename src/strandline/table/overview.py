"""What goes on at a table, in a few words: for the cards of a lobby."""

from typing import Any

from strandline.engine import words
from strandline.engine.words import Words, seat_name
from strandline.table import perspective
from strandline.table.table import Table

_ = Words(__file__)


def names(table: Table) -> tuple[str, ...]:
    """What everybody is called, to the reader."""
    return table.names_for(words.reader().language)


def card(table: Table) -> dict[str, Any]:
    """What everybody may know of a table."""
    game = table.record.position.game
    picture = f"/api/tables/{table.id}/board.svg?at={table.number}"
    named = {"id": table.id, "game": game.name, "title": game.told_title}
    return {**named, "names": names(table), "picture": picture}


def status(table: Table, token: str | None) -> dict[str, Any]:
    """One table, as whoever has that token sees it."""
    seats = table.seats_of(token) if token else frozenset()
    position = table.record.position
    seen = perspective.seen_by(table, seats, None, words.reader().language)
    with words.reading(perspective.reader_of(table, seen)):
        return {
            **card(table),
            "you": sorted(seats),
            "number": table.number,
            "turn": "over" if table.record.over else table.turn,
            "your_turn": table.turn in seats and table.turn in table.persons(),
            "winners": position.winners(),
            "status": _sentence(table, seats),
        }


def _sentence(table: Table, seats: frozenset[int]) -> str:
    turn = table.turn
    if turn == "chance":
        return _("not begun yet")
    if turn is None:
        return _finished(table, seats)
    if turn in seats and table.bot(turn) is None:
        return _("Your turn") if len(seats) == 1 else _("{name}’s turn", name=seat_name(turn))
    return _("{name} is thinking", name=seat_name(turn))


def _finished(table: Table, seats: frozenset[int]) -> str:
    position = table.record.position
    winners = position.winners()
    if position.game.facts.cooperative and winners:
        return _("finished: everybody won")
    if not winners:
        return _("finished: nobody won")
    mine, names = len(seats) == 1 and seats <= set(winners), words.seat_names(winners)
    if perspective.shared(position):
        return _("finished: you shared the win") if mine else _("finished: {names} shared the win", names=names)
    return _("finished: you won") if mine else _("finished: {names} won", names=names)
