"""Game Title: why a sign cannot be tapped, or a move not be made."""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.words import Words

from .rules import Phase

_ = Words(__file__)


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """Signs wait for the roll, and the die for a choice."""
    if name in ("again", "stop"):
        return _roll_first(s)
    return _now(s) if name == "die" else None


def move(s: Any, w: Any, code: int) -> Reason | None:
    """Rolling and choosing take turns."""
    return _now(s)


def _now(s: Any) -> Reason:
    if s.phase == Phase.ROLL:
        return _roll_first(s)
    return Reason(_("The die has been rolled. Roll again, or stop."), "G3")


def _roll_first(s: Any) -> Reason:
    return Reason(_.who(s.player, "Roll the die first.", "{name} rolls the die first."), "G2")
