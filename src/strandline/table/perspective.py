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
class Face:
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


def face(table: Table, seats: frozenset[int], shown: int | None) -> Face:
    """How `seats` see the table; `shown` is the person of a hot seat who has said that they are there."""
    position = table.record.position
    if len(seats) < 2:
        return Face(seats, min(seats, default=None), None)
    turn = position.turn
    if not isinstance(turn, int) or turn not in seats or table.bot(turn) is not None:
        return Face(seats, None, None)
    if shown == turn or hidden(position, turn) == hidden(position, None):
        return Face(seats, turn, None)
    return Face(seats, None, turn)


def state(
    table: Table, face: Face, present: Collection[int], since: int = 0, getting_ready: bool = False
) -> dict[str, Any]:
    """The whole table for one caller, but for the picture; the log begins after line `since`.

    `getting_ready`: the bot whose turn it is cannot think yet.
    """
    record, position = table.record, table.record.position
    header = table.head.header
    acting = _acting(table, face)
    return {
        "table": table.id,
        "game": header.game,
        "title": position.game.title,
        "options": position.options,
        "number": table.number,
        "turn": "over" if position.turn is None else position.turn,
        "you": sorted(face.seats),
        "acting": acting,
        "ask": face.ask,
        "prompt": _prompt(table, face, acting, getting_ready),
        "words": words(position, face.viewer),
        "moves": offers(position, acting) if acting is not None else [],
        "scores": position.scores(),
        "winners": position.winners(),
        "seats": [_seat(table, face, present, seat) for seat in range(table.players)],
        "log": log(table, face, since),
        "outcome": _outcome(table, face),
        "undo": _undo(table, face, table.undoable(face.seats)) if face.seats else None,
        "votes": [_vote(table, number, vote) for number, vote in table.votes.items()],
        "rematch": f"/table/{table.rematch}" if table.rematch else None,
        "commitment": header.commitment,
        "seed": table.head.seed.hex() if record.over else None,
        "hints": table.head.hints,
        "takeover_after": table.head.takeover_after,
    }


def at(table: Table, seats: frozenset[int], number: int, position: Position) -> dict[str, Any]:
    """The table's position `number` for one caller, for replays."""
    viewer = min(seats) if len(seats) == 1 else None
    turn = position.turn
    open_ = table.record.over or (isinstance(turn, int) and turn == viewer)
    eyes = Face(seats, viewer, None)
    return {
        "number": number,
        "last": table.number,
        "turn": "over" if turn is None else turn,
        "svg": picture(position, viewer).svg,
        "words": words(position, viewer),
        "scores": position.scores(),
        "winners": position.winners(),
        "line": _line(table, eyes, number, table.record.dropped()) if number else None,
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


def log(table: Table, face: Face, since: int) -> list[dict[str, Any]]:
    """The lines after line `since`."""
    dropped = table.record.dropped()
    return [_line(table, face, number, dropped) for number in range(max(since, 0) + 1, table.number + 1)]


def _line(table: Table, face: Face, number: int, dropped: Collection[int]) -> dict[str, Any]:
    record = table.record
    line = record.lines[number - 1]
    return {
        "number": number,
        "by": line.by,
        "bot": line.bot,
        "text": record.text(number, face.log_seats),
        "sentence": record.sentence(number, face.log_seats),
        "dropped": number in dropped,
    }


def _acting(table: Table, face: Face) -> int | None:
    turn = table.record.position.turn
    if not isinstance(turn, int) or turn not in face.seats or turn in table.stand_ins or face.ask is not None:
        return None
    return turn


def _seat(table: Table, face: Face, present: Collection[int], seat: int) -> dict[str, Any]:
    kind = table.head.header.kinds[seat]
    return {
        "seat": seat,
        "kind": kind,
        "name": table.names[seat],
        "yours": seat in face.seats,
        "away": not kind.startswith("bot:") and seat not in present,
        "bot": table.bot(seat),
    }


def _outcome(table: Table, face: Face) -> dict[str, Any] | None:
    for number in table.record.standing():
        if number and table.record.lines[number - 1].by == "chance":
            return _line(table, face, number, ())
    return None


def _undo(table: Table, face: Face, undo: Undo | None) -> dict[str, Any] | None:
    if undo is None:
        return None
    what = table.record.sentence(undo.line, face.log_seats)
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


def _prompt(table: Table, face: Face, acting: int | None, getting_ready: bool) -> str:
    """What is to be done now, in one sentence."""
    record = table.record
    turn = record.position.turn
    if not isinstance(turn, int):
        return _ended([table.names[seat] for seat in record.position.winners()])
    name = table.names[turn]
    if face.ask is not None:
        return f"{name}, are you there? What is secret is shown to you alone."
    if getting_ready:
        return f"{name} is getting ready. The first time takes a moment."
    if acting is None:
        return f"{name} is thinking." if table.bot(turn) is not None else f"Waiting for {name}."
    yours = f"{name}, it is your turn" if len(face.seats) > 1 else "Your turn"
    last = record.number
    rolled = last and record.lines[-1].by == "chance" and record.may_see(last, face.log_seats)
    return f"{yours}: {record.sentence(last, face.log_seats)}" if rolled else f"{yours}."


def _ended(names: list[str]) -> str:
    if not names:
        return "The game is over. Nobody has won."
    *others, last = names
    who = f"{', '.join(others)} and {last} share the win" if others else f"{last} has won"
    return f"The game is over. {who}."
