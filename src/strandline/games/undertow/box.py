"""The box's numbers, checked: board and side numbers (U5, U-R1), families and lanes in use (U1, U2), dice, days."""

from typing import Any

from strandline.engine import box, checks
from strandline.engine.vocabulary import table

MODIFIERS = ("lifeguard", "calm", "wave", "current", "undertow")
SEATS = (2, 3, 4)
PIPS = 6
MOST_LANES, MOST_STEPS, MOST_FAMILY, MOST_TURNS = 12, 15, 7, 100  # what the rules' records have room for

_box = checks.fields(box.contents(__package__), ("board", "seats", "dice", "vacation"), "The box")
_board = checks.fields(_box["board"], ("lanes", "steps", "start"), "board")
_dice = checks.fields(_box["dice"], ("modifier",), "dice")
_seats = checks.fields(_box["seats"], tuple(map(str, SEATS)), "seats")

LANES = checks.whole(_board["lanes"], 1, MOST_LANES, "board.lanes")
STEPS = checks.whole(_board["steps"], 1, MOST_STEPS, "board.steps")
TURNS = checks.whole(checks.fields(_box["vacation"], ("turns",), "vacation")["turns"], 1, MOST_TURNS, "vacation.turns")


def _step(value: Any, where: str) -> int:
    return checks.whole(value, 1, STEPS, where)


def _modifier(value: Any, where: str) -> int:
    return MODIFIERS.index(checks.word(value, MODIFIERS, where))


def _lane(value: Any, where: str) -> int:
    return checks.whole(value, 1, LANES, where)


def _seat_count(seats: int) -> tuple[int, int, int]:
    """The family's size and the first and last lane in use; all dice must find room wherever they start (U6, U-R13)."""
    where = f"seats.{seats}"
    entry = checks.fields(_seats[str(seats)], ("family", "lanes"), where)
    family = checks.whole(entry["family"], 1, MOST_FAMILY, f"{where}.family")
    first, last = checks.each(entry["lanes"], 2, 2, f"{where}.lanes", _lane)
    if first > last:
        raise checks.Flaw(f"{where}.lanes must name the first lane in use and then the last, not {first} and {last}.")
    room = (last - first + 1) * (STEPS - max(_START) + 1)
    if seats * family > room:
        raise checks.Flaw(f"{seats} families of {family} need more than the {room} spaces from step {max(_START)} on.")
    return family, first, last


_START = checks.each(_board["start"], PIPS, PIPS, "board.start", _step)
_counts = ((0, 0, 0), (0, 0, 0), *map(_seat_count, SEATS))

START = table([0, *_START])
"""The step at which a die of this face starts."""
MODIFIER = table([0, *checks.each(_dice["modifier"], PIPS, PIPS, "dice.modifier", _modifier)])
"""What this face of the modifier means, as a place in `MODIFIERS`."""
FAMILY = table([family for family, _, _ in _counts])
"""Swimmers of each seat, by the number of seats."""
LARGEST_FAMILY = max(FAMILY)
WALLS = table([2 ** (LANES + 2) - 1 - sum(2**lane for lane in range(first, last + 1)) for _, first, last in _counts])
"""The lanes out of use as bits, by the number of seats. Bits 0 and LANES + 1 stand for the edges of the board."""
