"""What a caller is shown of a table: the board, moves, words and log as that caller may see them, and nothing else."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from strandline.engine.position import Position
from strandline.table.picture import Picture
from strandline.table.record import has_secrets, hidden
from strandline.table.table import Table, Undo, Vote

KEPT_PICTURES = 256
"""Pictures drawn last; the people at a table mostly ask for the same one."""


@dataclass(frozen=True)
class Perspective:
    """Through whose eyes a caller looks just now."""

    seats: frozenset[int]
    viewer: int | None
    """Whose view the board shows; None is a spectator's."""
    ask: int | None
    """The person who must first say that they are at the screen."""

    @property
    def log_seats(self) -> frozenset[int]:
        """Whose secrets the log tells. It stays on the screen, so with several persons there it tells none."""
        return self.seats if len(self.seats) == 1 else frozenset()


def seen_by(table: Table, seats: frozenset[int], shown: int | None) -> Perspective:
    """How `seats` see the table; `shown` is the person of a hot seat who has said that they are there."""
    position = table.record.position
    if len(seats) < 2:
        return Perspective(seats, min(seats, default=None), None)
    turn = position.turn
    if not isinstance(turn, int) or turn not in seats or table.bot(turn) is not None:
        return Perspective(seats, None, None)
    if shown == turn or hidden(position, turn) == hidden(position, None):
        return Perspective(seats, turn, None)
    return Perspective(seats, None, turn)


def state(table: Table, perspective: Perspective, present: Collection[int], since: int = 0) -> dict[str, Any]:
    """The whole table for one caller, but for the picture; the log begins after line `since`."""
    record, position = table.record, table.record.position
    header = table.setup.header
    acting = _acting(table, perspective)
    return {
        "table": table.id,
        "game": header.game,
        "title": position.game.title,
        "options": position.options,
        "number": table.number,
        "turn": "over" if position.turn is None else position.turn,
        "you": sorted(perspective.seats),
        "acting": acting,
        "ask": perspective.ask,
        "prompt": _prompt(table, perspective, acting),
        "words": words(position, perspective.viewer),
        "moves": offers(position, acting) if acting is not None else [],
        "scores": position.scores(),
        "winners": position.winners(),
        "seats": [_seat(table, perspective, present, seat) for seat in range(table.players)],
        "log": log(table, perspective, since),
        "outcome": _outcome(table, perspective),
        "undo": _undo(table, perspective, table.undoable(perspective.seats)) if perspective.seats else None,
        "votes": [_vote(table, number, vote) for number, vote in table.votes.items()],
        "rematch": f"/table/{table.rematch}" if table.rematch else None,
        "commitment": header.commitment,
        "seed": table.setup.seed.hex() if record.over else None,
        "hints": table.setup.hints,
        "takeover_after": table.setup.takeover_after,
    }


def at(table: Table, seats: frozenset[int], number: int, position: Position) -> dict[str, Any]:
    """The table's position `number` for one caller, for replays."""
    viewer = min(seats) if len(seats) == 1 else None
    turn = position.turn
    open_ = table.record.over or (isinstance(turn, int) and turn == viewer)
    perspective = Perspective(seats, viewer, None)
    return {
        "number": number,
        "last": table.number,
        "turn": "over" if turn is None else turn,
        "svg": picture(position, viewer).svg,
        "words": words(position, viewer),
        "scores": position.scores(),
        "winners": position.winners(),
        "line": _line(table, perspective, number, table.record.dropped()) if number else None,
        "moves": offers(position, turn) if open_ and isinstance(turn, int) else [],
    }


@functools.lru_cache(KEPT_PICTURES)
def _picture(position: Position, viewer: int | None) -> Picture:
    return Picture(position.svg(viewer))


def picture(position: Position, viewer: int | None) -> Picture:
    """The board for `viewer`, drawn once for all who see the same."""
    return _picture(position, viewer if has_secrets(position.game) else None)


@functools.lru_cache(KEPT_PICTURES)
def _words(position: Position, viewer: int | None) -> str:
    return position.words(viewer)


def words(position: Position, viewer: int | None) -> str:
    """The position in words for `viewer`, found once for all who see the same."""
    return _words(position, viewer if has_secrets(position.game) else None)


def offers(position: Position, seat: int) -> list[dict[str, Any]]:
    """The legal moves of `seat`, whose turn it is, with sentences and what to click."""
    view = position.view(seat)
    clicks = position.game.board.clicks
    warning = getattr(position.game.notation, "warning", _nothing)
    standing = getattr(position.game.notation, "standing", _nothing)
    return [
        {
            "move": move,
            "sentence": position.describe(move),
            "clicks": clicks(view, move),
            "warning": warning(view, move),
            "standing": standing(view, move),
        }
        for move in position.moves()
    ]


def _nothing(view: dict[str, Any], move: str) -> None:
    """What a game says about a move that has nothing to say."""


def log(table: Table, perspective: Perspective, since: int) -> list[dict[str, Any]]:
    """The lines after line `since`."""
    dropped = table.record.dropped()
    return [_line(table, perspective, number, dropped) for number in range(max(since, 0) + 1, table.number + 1)]


def _line(table: Table, perspective: Perspective, number: int, dropped: Collection[int]) -> dict[str, Any]:
    record = table.record
    line = record.lines[number - 1]
    return {
        "number": number,
        "by": line.by,
        "bot": line.bot,
        "text": record.text(number, perspective.log_seats),
        "sentence": record.sentence(number, perspective.log_seats),
        "dropped": number in dropped,
    }


def _acting(table: Table, perspective: Perspective) -> int | None:
    turn = table.record.position.turn
    if (
        not isinstance(turn, int)
        or turn not in perspective.seats
        or turn in table.stand_ins
        or perspective.ask is not None
    ):
        return None
    return turn


def _seat(table: Table, perspective: Perspective, present: Collection[int], seat: int) -> dict[str, Any]:
    kind = table.setup.header.kinds[seat]
    return {
        "seat": seat,
        "kind": kind,
        "name": table.names[seat],
        "yours": seat in perspective.seats,
        "away": not kind.startswith("bot:") and seat not in present,
        "bot": table.bot(seat),
    }


def _outcome(table: Table, perspective: Perspective) -> dict[str, Any] | None:
    for number in table.record.standing():
        if number and table.record.lines[number - 1].by == "chance":
            return _line(table, perspective, number, ())
    return None


def _undo(table: Table, perspective: Perspective, undo: Undo | None) -> dict[str, Any] | None:
    if undo is None:
        return None
    what = table.record.sentence(undo.line, perspective.log_seats)
    alone = undo.free or table.persons() == {undo.seat}
    return {"to": undo.to, "free": alone, "sentence": f"Take back “{what}”{'' if alone else ': everybody must agree.'}"}


def _vote(table: Table, number: int, vote: Vote) -> dict[str, Any]:
    takeover = vote.kind == "takeover"
    name = table.names[vote.by]
    what = f"let a bot play for {table.names[vote.target]}" if takeover else "take back a move"
    return {
        "vote": number,
        "kind": vote.kind,
        "by": vote.by,
        "seat": vote.target if takeover else None,
        "yes": sorted(vote.yes),
        "open": sorted(vote.open),
        "sentence": f"{name} asks to {what}. Do you agree?",
    }


def _prompt(table: Table, perspective: Perspective, acting: int | None) -> str:
    """What is to be done now, in one sentence."""
    record = table.record
    turn = record.position.turn
    if not isinstance(turn, int):
        return _ended([table.names[seat] for seat in record.position.winners()])
    name = table.names[turn]
    if perspective.ask is not None:
        return f"{name}, are you there? What is secret is shown to you alone."
    if acting is None:
        return f"{name} is thinking." if table.bot(turn) is not None else f"Waiting for {name}."
    yours = f"{name}, it is your turn" if len(perspective.seats) > 1 else "Your turn"
    last = record.number
    rolled = last and record.lines[-1].by == "chance" and record.may_see(last, perspective.log_seats)
    return f"{yours}: {record.sentence(last, perspective.log_seats)}" if rolled else f"{yours}."


def _ended(names: list[str]) -> str:
    if not names:
        return "The game is over. Nobody has won."
    *others, last = names
    who = f"{', '.join(others)} and {last} share the win" if others else f"{last} has won"
    return f"The game is over. {who}."
