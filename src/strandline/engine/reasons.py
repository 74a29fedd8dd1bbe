"""Why something cannot be done now, in a sentence for one reader, with the number of the rule behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strandline.engine.words import Words, seat_name

if TYPE_CHECKING:
    from strandline.engine.position import Position

_ = Words(__file__)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why not."""

    sentence: str
    """For the reader of the moment (`strandline.engine.words`)."""
    rule: str | None = None
    """Its number on the game's rule page."""


def of_shape(position: Position, shape: str, chosen: Sequence[str], seat: int | None) -> Reason | None:
    """Why a seat cannot click a shape of the board now, after those in `chosen`; None if it can."""
    if not _decides(position, seat):
        reason = _not_now(position)
        chosen = ()
    else:
        paths = click_paths(position)
        begun = [path for path in paths if path[: len(chosen)] == list(chosen)]
        chosen = chosen if begun else ()
        usable = {*chosen, *(path[0] for path in paths), *(id for path in begun for id in path[len(chosen) :][:1])}
        usable |= {path[1] for path in paths if path[:-1] and _lone_piece(paths) == path[0]}
        if shape in usable:
            return None
        reason = None
    return (
        reason
        or position.game.reasons.shape(position.record(), position.game.work(), shape, tuple(chosen))
        or _score(shape)
        or Reason(_("This cannot be used now. Choose something highlighted."))
    )


def _lone_piece(paths: Sequence[Sequence[str]]) -> str | None:
    """The shape with which all paths of more than one click begin, so that nobody needs to click it."""
    pieces = {path[0] for path in paths if len(path) > 1}
    return pieces.pop() if len(pieces) == 1 else None


def of_move(position: Position, move: object, seat: int | None) -> Reason | None:
    """Why a seat cannot make a move now; None if it can."""
    decides = _decides(position, seat)
    if decides and move in position.moves():
        return None
    code = position.game.notation.read(move) if isinstance(move, str) else None
    if code is None:
        return Reason(_("That is not a move of this game."))
    return (
        (None if decides else _not_now(position))
        or position.game.reasons.move(position.record(), position.game.work(), code)
        or Reason(_("That cannot be played now."))
    )


def nowhere() -> Reason:
    """What is said about a shape that is not there."""
    return Reason(_("There is nothing like that on the board."))


def click_paths(position: Position) -> list[list[str]]:
    """The shapes to click, in order, for each move of whoever decides."""
    if not isinstance(position.turn, int):
        return []
    view, clicks = position.view(position.turn), position.game.board.clicks
    return [path for move in position.moves() if (path := clicks(view, move))]


def _score(shape: str) -> Reason | None:
    """The cards of `drawing.score_strip` are there to be read."""
    what, _dash, seat = shape.partition("-")
    if what != "seat" or not seat.isdecimal():
        return None
    return Reason(_("This shows how {name} is doing.", name=seat_name(int(seat))))


def _decides(position: Position, seat: int | None) -> bool:
    return isinstance(position.turn, int) and seat in (None, position.turn)


def _not_now(position: Position) -> Reason | None:
    """What holds in every game for those who do not decide; what is said about chance is up to each game."""
    if position.turn is None:
        return Reason(_("The game is over."))
    if isinstance(position.turn, int):
        return Reason(_("It is {name}’s turn.", name=seat_name(position.turn)))
    return None
