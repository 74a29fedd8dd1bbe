"""Reef Route: why a fish, a predator or a tile cannot be chosen, or a move not made."""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.vocabulary import CHANCE, first, second, third, verb
from strandline.engine.words import Words

from . import rules, story
from .box import BACK, COLUMNS, FRONT
from .box import COLOURS as NAMES
from .rules import (
    COLOUR,
    COVERED,
    FISH_STEP,
    NUMBER,
    RIM,
    SIZE,
    STRIDE,
    VACANT,
    Phase,
    Verb,
    Way,
)

_ = Words(__file__)


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """Fish, predators and tiles say what holds them back; dice and lots say that they come first."""
    match name.split("-"):
        case ["fish", colour, number]:
            return _of_turn(s) or _of_phase(s, Verb.SWIM) or _fish(s, NAMES.index(colour), int(number) - 1)
        case ["predator", number]:
            return _of_turn(s) or _of_phase(s, Verb.PREDATOR) or _predator(s, int(number) - 1)
        case ["step", number, _way]:
            return _of_turn(s) or Reason(_("Choose predator {n} first.", n=number), "F13")
        case ["tile", column, row]:
            return _of_turn(s) or _goal(s, int(column), int(row), chosen)
        case ["reef", row] if row.isdecimal():
            return _of_turn(s) or _goal(s, COLUMNS + 1, int(row), chosen)
        case ["die", _number]:
            return _of_turn(s) or _rolled()
        case ["lot"]:
            return _of_turn(s)
    return None


def move(s: Any, w: Any, code: int) -> Reason | None:
    """The phase says what is done now; then it is up to the piece."""
    what = verb(code)
    if reason := _of_turn(s) or _of_phase(s, what):
        return reason
    match what:
        case Verb.PUT:
            return _put(s, first(code), second(code))
        case Verb.PLACE:
            return _place(s, first(code), second(code))
        case Verb.PREDATOR:
            return _predator_step(s, first(code) - 1, second(code))
        case Verb.SWIM:
            return _swim(s, first(code), second(code) - 1, third(code))
    return None


# Whose turn, which phase


def _of_turn(s: Any) -> Reason | None:
    """While chance is on, lots and dice come first."""
    if rules.to_move(s) != CHANCE:
        return None
    if s.phase == Phase.LAYOUT:
        return Reason(_("A lot puts the predators first."), "F-R5")
    if s.phase == Phase.FILL:
        return Reason(_("The other fish are placed by lot first."), "F10")
    return Reason(_.who(s.seat, "Roll the dice first.", "{name} rolls the dice first."), "F12")


def _of_phase(s: Any, what: int) -> Reason | None:
    """What is done in this phase, if it is not this."""
    match s.phase:
        case Phase.LAYOUT if what != Verb.PUT:
            return Reason(_("Predator {n} is put on the board first.", n=rules.laid_out(s) + 1), "F7")
        case Phase.PLACE if what != Verb.PLACE:
            return Reason(_("The fish are still being placed. Choose a tile for yours."), "F7")
        case Phase.PREDATOR | Phase.FISH | Phase.ANY if what in (Verb.PUT, Verb.PLACE, Verb.FILL, Verb.LAYOUT):
            return Reason(_("Everything is on the board already."), "F11")
        case Phase.PREDATOR | Phase.FISH | Phase.ANY if what == Verb.ROLL:
            return _rolled()
        case Phase.PREDATOR if what == Verb.SWIM:
            return Reason(_("A predator was rolled, and predators move first."), "F12")
        case Phase.FISH | Phase.ANY if what == Verb.PREDATOR:
            return Reason(_("No predator moves now: no predator die is left."), "F13")
    return None


def _rolled() -> Reason:
    return Reason(_("The dice have been rolled. Now use them."), "F12")


# Set-up


def _put(s: Any, number: int, row: int) -> Reason | None:
    if number != rules.laid_out(s) + 1:
        return Reason(_("Predator {n} is put on the board first.", n=rules.laid_out(s) + 1), "F-R5")
    return Reason(_("There must be a free row between any two predators, and room for all of them."), "F4")


def _place(s: Any, column: int, row: int) -> Reason:
    if column > FRONT:
        return Reason(_("Fish start in columns {back} and {front}.", back=BACK, front=FRONT), "F8")
    if s.on[column * STRIDE + row] != VACANT:
        return Reason(_("There is a fish on that tile already."), "F8")
    return Reason(_("Your first fish starts in column {front}.", front=FRONT), "F7")


# Predators


def _predator(s: Any, number: int) -> Reason:
    """Why a predator cannot go anywhere."""
    return Reason(
        _("Predator {n} cannot move: the edge or another predator is everywhere it could go.", n=number + 1), "F16"
    )


def _predator_step(s: Any, number: int, way: int) -> Reason:
    if number >= NUMBER[s.predators]:
        return Reason(_("There is no predator {n} in this game.", n=number + 1), "F2")
    entered = rules.ENTERED[SIZE[s.predators][number]][way]
    if any(s.on[s.lair[number] + tile] == RIM for tile in entered):
        return Reason(_("Predator {n} stays on the board.", n=number + 1), "F-R15" if way == Way.FORWARD else "F16")
    return Reason(_("Predator {n} is blocked: another predator is there.", n=number + 1), "F-R16")


# Fish


def _fish(s: Any, colour: int, number: int) -> Reason | None:
    """Why a fish cannot go anywhere."""
    return _absent(s, colour, number) or _not_rolled(s, colour) or _hemmed_in(s, colour, number)


def _absent(s: Any, colour: int, number: int) -> Reason | None:
    if number >= s.school:
        return Reason(_("Each colour has {n} fish in this game.", n=s.school), "F6")
    name = _named(colour, number)
    match s.fish[colour][number]:
        case rules.WAITING:
            return Reason(_("{fish} is not on the board yet.", fish=name), "F8")
        case rules.EATEN:
            return Reason(_("{fish} has been eaten.", fish=name), "F17")
    return None


def _not_rolled(s: Any, colour: int) -> Reason | None:
    if s.phase == Phase.FISH and not s.colour_dice[colour]:
        return Reason(_("None of the dice left shows {colour}.", colour=_(story.SCHOOLS[NAMES[colour]])), "F18")
    return None


def _hemmed_in(s: Any, colour: int, number: int) -> Reason:
    name, tile = _named(colour, number), s.fish[colour][number]
    ahead = _piece(s, tile + FISH_STEP[Way.FORWARD])
    if s.phase == Phase.ANY:
        return Reason(_("{fish} is blocked: {other} is ahead of it.", fish=name, other=ahead), "F27")
    if colour == COLOUR[s.seat]:
        return Reason(_("{fish} is blocked ahead, above and below.", fish=name), "F21")
    said = _("{fish} is not yours, so it can only go forward, and {other} is ahead of it.", fish=name, other=ahead)
    return Reason(said, "F22")


def _swim(s: Any, colour: int, number: int, way: int) -> Reason | None:
    if reason := _absent(s, colour, number) or _not_rolled(s, colour):
        return reason
    name = _named(colour, number)
    if way != Way.FORWARD and s.phase == Phase.ANY:
        return Reason(_("Now a fish can only go forward."), "F27")
    if way != Way.FORWARD and colour != COLOUR[s.seat]:
        return Reason(_("{fish} is not yours, so it can only go forward.", fish=name), "F22")
    on = s.on[s.fish[colour][number] + FISH_STEP[way]]
    if on == RIM:
        return Reason(_("{fish} stays on the board.", fish=name), "F23")
    other = _piece(s, s.fish[colour][number] + FISH_STEP[way])
    return Reason(_("The tile is taken: {other} is there.", other=other), "F19")


def _named(colour: int, number: int) -> str:
    """A fish at the beginning of a sentence."""
    name = story.fish_name(NAMES[colour], number + 1)
    return name[0].upper() + name[1:]


def _piece(s: Any, tile: int) -> str:
    """What is on a tile that is taken."""
    on = s.on[tile]
    for number in range(NUMBER[s.predators]):
        if tile - s.lair[number] in COVERED[SIZE[s.predators][number]]:
            return _("predator {n}", n=number + 1)
    return story.fish_name(NAMES[(on - 1) // rules.SCHOOL], (on - 1) % rules.SCHOOL + 1)


# Where to


def _goal(s: Any, column: int, row: int, chosen: Sequence[str]) -> Reason | None:
    """Why nobody can go to a tile, or to the reef behind the last column, now."""
    match s.phase:
        case Phase.LAYOUT if column == COLUMNS:
            return _put(s, rules.laid_out(s) + 1, row)
        case Phase.LAYOUT:
            return Reason(_("Predators start against the reef, in column {n}.", n=COLUMNS), "F3")
        case Phase.PLACE:
            return _place(s, column, row)
        case Phase.PREDATOR if chosen:
            return Reason(_("A predator goes one tile, where an arrow shows: away from the reef, up or down."), "F13")
        case Phase.PREDATOR:
            return Reason(_("Choose a predator first."), "F13")
    if not chosen:
        return Reason(_("Choose a fish first."), "F27" if s.phase == Phase.ANY else "F18")
    name, number = chosen[0].split("-")[1:]
    return _reach(s, NAMES.index(name), int(number) - 1, column * STRIDE + row)


def _reach(s: Any, colour: int, fish: int, tile: int) -> Reason | None:
    away = tile - s.fish[colour][fish]
    for way in Way:
        if away == FISH_STEP[way]:
            return _swim(s, colour, fish, way)
    if tile // STRIDE > COLUMNS:
        said = _("Only a fish in column {n} can reach the reef, straight ahead.", n=COLUMNS)
        return Reason(said, "F20")
    if away == -FISH_STEP[Way.FORWARD]:
        return Reason(_("Fish never swim back."), "F23")
    return Reason(_("A fish goes one tile at a time, never diagonally."), "F23")
