"""Why those at a table cannot click a shape of the board: the rules of the table, and then those of the game."""

from collections.abc import Collection, Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.words import Words
from strandline.table.table import Table

_ = Words(__file__)


def reason_for(table: Table, seats: Collection[int], shape: str, chosen: Sequence[str]) -> dict[str, Any]:
    """The sentence for the persons at these seats, and the rule behind it; no sentence if the shape can be clicked."""
    reason = _reason(table, seats, shape, chosen)
    return {"sentence": reason and reason.sentence, "rule": reason and reason.rule}


def _reason(table: Table, seats: Collection[int], shape: str, chosen: Sequence[str]) -> Reason | None:
    turn, roll = table.turn, table.roll()
    if not seats and turn is not None:
        return Reason(_("You are watching; only players can move."))
    if turn in seats and turn in table.stand_ins:
        return Reason(_("A bot is playing for you. Take your seat back first."))
    if roll and roll.seat in seats:
        return None if shape in roll.clicks else Reason(f"{roll.label}.")
    seat = turn if isinstance(turn, int) and turn in seats else min(seats, default=0)
    return table.record.position.why(shape, chosen, seat)
