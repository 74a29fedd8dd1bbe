"""Up the River: why a boat cannot be chosen, or a move not made."""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.vocabulary import first, second, verb
from strandline.engine.words import Words, seat_name

from . import rules
from .rules import BOATS, HARBOR, LOST, TIDE_ADVANCE, Phase, Verb

_ = Words(__file__)


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """A boat says what holds it back; the river and the harbor say what they are for."""
    match name.split("-"):
        case ["boat", seat, number]:
            return _boat(s, int(seat), int(number) - 1)
        case ["sandbank", *_rest]:
            return Reason(_("The sandbank stops every boat that sails onto it. Only the current moves it."), "R5")
        case ["tide", *_rest]:
            return Reason(
                _(
                    "A roll that ends exactly on the high tide goes {n} cards further. Only the current moves it.",
                    n=TIDE_ADVANCE,
                ),
                "R7",
            )
        case ["harbor"] | ["next", "dock"]:
            return Reason(_("The next boat home ties up at dock {dock}.", dock=s.next_dock), "R23")
        case ["die"] if s.phase != Phase.ROLL:
            return _rolled(s)
        case ["die"]:
            return _roll_first(s)
    return None


def move(s: Any, w: Any, code: int) -> Reason | None:
    """The throw decides what can be done; then it is up to the boat."""
    what = verb(code)
    if s.phase == Phase.ROLL:
        return _roll_first(s)
    if what == Verb.ROLL:
        return _rolled(s)
    if what == Verb.SAIL and s.phase == Phase.WIND:
        return Reason(_("A 6 is wind: no boat sails with it."), "R9")
    if what in (Verb.GOOD, Verb.ILL) and s.phase == Phase.SAIL:
        return Reason(_("Only a 6 brings wind, and this is a {die}.", die=s.die), "R9")
    if what != Verb.ILL:
        return _boat(s, s.player, first(code) - 1)
    if first(code) >= s.players:
        return Reason(_("Nobody sits there: there are {n} players.", n=s.players), "R3")
    if first(code) == s.player:
        return Reason(_("An ill wind blows against other people’s boats, never against your own."), "R-R17")
    return _boat(s, first(code), second(code) - 1)


def _roll_first(s: Any) -> Reason:
    return Reason(_.who(s.player, "Roll the die first.", "{name} rolls the die first."), "R4")


def _rolled(s: Any) -> Reason:
    return Reason(_("The die shows a {die}. Now a boat is chosen.", die=s.die), "R4")


def _boat(s: Any, seat: int, boat: int) -> Reason | None:
    """What holds a boat back: where it is, whose it is, or that no wind can blow it."""
    place, number = s.boats[seat][boat], boat + 1
    if place == LOST:
        return Reason(_("Boat {boat} has gone over the waterfall. It is lost.", boat=number), "R19")
    if place == HARBOR:
        return Reason(
            _("Boat {boat} is home in dock {dock} and stays there.", boat=number, dock=s.docks[seat][boat]), "R23"
        )
    if s.phase == Phase.ROLL:
        return _roll_first(s)
    if s.phase == Phase.SAIL:
        return Reason(_("That is {name}’s boat. You sail your own.", name=seat_name(seat)), "R4")
    if seat == s.player:
        return Reason(
            _("No good wind for boat {boat}: no boat of its colour is ahead of it.", boat=number),
            _alone(s, seat, "R12"),
        )
    return Reason(
        _(
            "No ill wind for {name}’s boat {boat}: no boat of its colour is behind it.",
            name=seat_name(seat),
            boat=number,
        ),
        _alone(s, seat, "R15"),
    )


def _alone(s: Any, seat: int, rule: str) -> str:
    """R-R15 speaks of two boats on one card, the third of them home or lost."""
    places = {place for place in s.boats[seat] if rules.on_river(place)}
    return "R-R15" if len(places) == 1 and rules.afloat(s, seat) == BOATS - 1 else rule
