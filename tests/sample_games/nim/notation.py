"""Nim in text and JSON."""

from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation

from .rules import STONES

MOVES = Notation({0: "take {1-3}"})
write = MOVES.write
read = MOVES.read


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    return {"turn": s.player if s.stones else None, "player": s.player, "stones": s.stones, "turns": s.turns}


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in."""
    fields = checks.fields(value, ("turn", "player", "stones", "turns"), "The position")
    s.stones = checks.whole(fields["stones"], 0, STONES, "stones")
    s.turns = checks.whole(fields["turns"], 0, STONES, "turns")
    s.player = checks.whole(fields["player"], 0, 1, "player")
    taken = STONES - s.stones
    if s.player != s.turns % 2 or not s.turns <= taken <= 3 * s.turns:
        raise checks.Flaw("That many stones cannot have been taken in that many turns.")
