"""Up the River, told: what a roll and a move bring about, what can be done, and what there is to see."""

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from strandline.engine import records
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import first, second, verb
from strandline.engine.words import Words, listed, reader, seat_name, seat_names

from . import rules
from .rules import BOATS, HARBOR, LOST, TIDE_ADVANCE, WIND_FACE, Phase, Verb

_ = Words(__file__)

KINDS = {
    "roll": "the die is rolled (R4)",
    "calm": "a six without any wind that could blow: the turn is lost (R17)",
    "sail": "a boat sails (R4), onto the sandbank (R5) or into the harbor (R22, R23)",
    "tide": "the high tide carries a boat three cards further (R7)",
    "good": "a good wind (R10)",
    "ill": "an ill wind (R13)",
    "waterfall": "the boats on the bottom card go over the waterfall (R19)",
    "current": "all that floats drifts one card down (R18, R20)",
    "end": "the game is over (R24, R-R27)",
}
SOUNDS = {"waterfall": "splash", "current": "splash", "tide": "splash", "calm": "caught"}


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The roll or the move, then what the river does."""
    seat = s.player
    match verb(code):
        case Verb.ROLL:
            yield from _roll(s, first(code))
            return
        case Verb.SAIL:
            yield from _sail(s, first(code) - 1)
        case Verb.GOOD:
            boat = first(code) - 1
            rules.good_wind(s, boat)
            yield Told("good", seat, _arrival(s, seat, boat), (_shape(seat, boat),))
        case Verb.ILL:
            victim, boat = first(code), second(code) - 1
            rules.ill_wind(s, victim, boat)
            yield Told("ill", seat, {"victim": victim, **_arrival(s, victim, boat)}, (_shape(victim, boat),))
    yield from _next_turn(s)


def roll(s: Any) -> Roll:
    """The player rolls the die."""
    return Roll(s.player, "roll", _("Roll the die"), ("die",))


def _roll(s: Any, face: int) -> Iterator[Told]:
    """As `rules.roll` does it: the turn is lost if no wind can blow."""
    seat, s.die = s.player, face
    s.phase = Phase.SAIL if face < WIND_FACE else Phase.WIND
    yield Told("roll", seat, {"dice": [face]}, ("die",))
    if face == WIND_FACE and not rules.any_wind(s):
        yield Told("calm", seat)
        yield from _next_turn(s)


def _sail(s: Any, boat: int) -> Iterator[Told]:
    """To where the throw takes the boat; if that is exactly the high tide, the tide's way is told by itself."""
    seat = s.player
    place = s.boats[seat][boat]
    goal = rules.reach(s, place)
    throw = rules.upstream(s, place, s.die)
    rules.bring(s, boat, throw)
    yield Told("sail", seat, {"by": s.die, **_arrival(s, seat, boat)}, (_shape(seat, boat),))
    if goal != throw:
        rules.bring(s, boat, goal)
        yield Told("tide", seat, _arrival(s, seat, boat), (_shape(seat, boat),))


def _next_turn(s: Any) -> Iterator[Told]:
    """The next seat, and after the last one the waterfall and the current."""
    after = records.copy(s)
    rules.next_turn(after)
    if after.round != s.round:
        lost = [(seat, boat) for seat in range(s.players) for boat in range(BOATS) if s.boats[seat][boat] == 1]
        for seat, boat in lost:
            s.boats[seat][boat] = LOST
        if lost:
            names = [f"{seat} {boat + 1}" for seat, boat in lost]
            yield Told("waterfall", None, {"boats": names}, tuple(_shape(*boat) for boat in lost))
        records.assign(s, after)
        yield Told("current", None, {}, (*_afloat(s), "sandbank", "tide"))
    records.assign(s, after)
    if s.phase == Phase.END:
        yield Told("end", None, {"winners": _winners(s)})


def _afloat(s: Any) -> Iterator[str]:
    for seat in range(s.players):
        for boat in range(BOATS):
            if rules.on_river(s.boats[seat][boat]):
                yield _shape(seat, boat)


def _winners(s: Any) -> list[int]:
    bits = rules.winners(s)
    return [seat for seat in range(s.players) if bits >> seat & 1]


def _shape(seat: int, boat: int) -> str:
    return f"boat-{seat}-{boat + 1}"


def _arrival(s: Any, seat: int, boat: int) -> dict[str, Any]:
    """Which boat has come where."""
    place = s.boats[seat][boat]
    data: dict[str, Any] = {"boat": boat + 1, "card": place}
    if place == HARBOR:
        data["dock"] = s.docks[seat][boat]
    return {**data, "sandbank": place == s.sandbank}


# Sentences


def sentence(event: Event) -> str:
    """An event, for the reader."""
    who, data = event.who, event.data
    match event.kind:
        case "roll" if data["dice"] == [WIND_FACE]:
            return _.who(who, "You rolled a 6: wind!", "{name} rolled a 6: wind!")
        case "roll":
            return _.who(who, "You rolled a {die}.", "{name} rolled a {die}.", die=data["dice"][0])
        case "calm":
            return _.who(
                who, "The wind helps nobody. Your turn is over.", "The wind helps nobody. {name}’s turn is over."
            )
        case "sail" if "dock" in data:
            return _.who(
                who,
                "You sail boat {boat} home to dock {dock}.",
                "{name} sails boat {boat} home to dock {dock}.",
                **_of(data),
            )
        case "sail" if data["sandbank"]:
            return _.who(
                who,
                "You sail boat {boat} onto the sandbank at card {card}.",
                "{name} sails boat {boat} onto the sandbank at card {card}.",
                **_of(data),
            )
        case "sail":
            return _.who(
                who, "You sail boat {boat} to card {card}.", "{name} sails boat {boat} to card {card}.", **_of(data)
            )
        case "tide" if "dock" in data:
            return _("The high tide carries boat {boat} home to dock {dock}.", **_of(data))
        case "tide" if data["sandbank"]:
            return _("The high tide carries boat {boat} onto the sandbank at card {card}.", **_of(data))
        case "tide":
            return _(
                "The high tide carries boat {boat} {n} cards further, to card {card}.", n=TIDE_ADVANCE, **_of(data)
            )
        case "good" if data["sandbank"]:
            return _("A good wind blows boat {boat} onto the sandbank at card {card}.", **_of(data))
        case "good":
            return _("A good wind blows boat {boat} up to card {card}.", **_of(data))
        case "ill":
            return _.who(
                data["victim"],
                "An ill wind blows your boat {boat} back to card {card}.",
                "An ill wind blows {name}’s boat {boat} back to card {card}.",
                **_of(data),
            )
        case "waterfall":
            boats = [boat.split() for boat in data["boats"]]
            lost = listed([_.who(int(s), "your boat {boat}", "{name}’s boat {boat}", boat=boat) for s, boat in boats])
            return _(
                ("Over the waterfall: {boats} is lost.", "Over the waterfall: {boats} are lost."),
                n=len(boats),
                boats=lost,
            )
        case "current":
            return _("The current carries everything down one card.")
    return ending(list(data["winners"]))


def _of(data: Any) -> dict[str, Any]:
    """What sentences say of a boat's arrival."""
    return {name: data[name] for name in ("boat", "card", "dock") if name in data}


def ending(winners: Sequence[int]) -> str:
    """Who has won, or why nobody has."""
    if not winners:
        return _("The game is over. No boat came home, so nobody wins.")
    if len(winners) > 1:
        said = _("The game is over. {names} share the win.", names=seat_names(winners))
    else:
        said = _.who(winners[0], "The game is over. You win!", "The game is over. {name} wins.")
    lost = bool(reader().seats) and not reader().seats & set(winners)
    return f"{said} {_('Well sailed all the same!')}" if lost else said


def describe(s: Any, code: int) -> str:
    """What a roll would be, or what a move would do."""
    what, boat = verb(code), first(code)
    if what == Verb.ROLL:
        return _("A {die} is rolled.", die=boat) if boat < WIND_FACE else _("A 6 is rolled: wind.")
    after = records.copy(s)
    if what == Verb.SAIL:
        rules.sail(after, boat - 1)
        where = _arrival(after, s.player, boat - 1)
        if "dock" in where:
            return _("Sail boat {boat} home to dock {dock}.", **_of(where))
        if where["sandbank"]:
            return _("Sail boat {boat} onto the sandbank at card {card}.", **_of(where))
        return _("Sail boat {boat} to card {card}.", **_of(where))
    if what == Verb.GOOD:
        rules.good_wind(after, boat - 1)
        where = _arrival(after, s.player, boat - 1)
        if where["sandbank"]:
            return _("Good wind: boat {boat} to the sandbank at card {card}.", **_of(where))
        return _("Good wind: boat {boat} to card {card}.", **_of(where))
    victim, boat = first(code), second(code)
    rules.ill_wind(after, victim, boat - 1)
    where = _arrival(after, victim, boat - 1)
    return _("Ill wind: {name}’s boat {boat} back to card {card}.", name=seat_name(victim), **_of(where))


def task(view: dict[str, Any]) -> str | None:
    """What the person who decides is to do."""
    match view["phase"]:
        case "sail":
            return _(("Choose a boat to sail {n} card.", "Choose a boat to sail {n} cards."), n=view["die"])
        case "wind":
            return _("Choose a boat: a good wind for yours, or an ill wind for somebody else’s.")
    return None


def score_lines(view: dict[str, Any], scores: Sequence[int]) -> list[tuple[str, list[object]]]:
    """What the dock of each boat is worth (R25)."""
    boats = [
        (_("Boat {boat}", boat=boat + 1), [docks[boat] or "–" for docks in view["docks"]]) for boat in range(BOATS)
    ]
    return [*boats, (_("Points"), [*scores])]


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position in words."""
    lines = [
        _("Round {n}.", n=view["round"]),
        _(
            "The sandbank is at card {sandbank}, the high tide at card {tide}.",
            sandbank=view["sandbank"],
            tide=view["tide"],
        ),
    ]
    for seat, score in enumerate(scores):
        fleet = listed([whereabouts(view, seat, boat) for boat in range(BOATS)])
        lines.append(
            _(
                ("{name}, {n} point: {fleet}.", "{name}, {n} points: {fleet}."),
                name=seat_name(seat),
                n=score,
                fleet=fleet,
            )
        )
    if view["phase"] == "end":
        lines.append(ending(winners))
    elif view["die"]:
        lines.append(_.who(view["player"], "You rolled a {die}.", "{name} rolled a {die}.", die=view["die"]))
    else:
        lines.append(_.who(view["player"], "It is your turn to roll.", "{name} rolls next."))
    return "\n".join(lines)


def whereabouts(view: dict[str, Any], seat: int, boat: int) -> str:
    """Where a boat is."""
    return _whereabouts(reader().language, boat + 1, view["boats"][seat][boat], view["docks"][seat][boat])


@functools.lru_cache(1024)
def _whereabouts(_language: str, boat: int, place: int, dock: int) -> str:
    """Remembered: every board tells it of every boat."""
    if place == HARBOR:
        return _("boat {boat} in dock {dock}", boat=boat, dock=dock)
    if place == LOST:
        return _("boat {boat} lost", boat=boat)
    return _("boat {boat} on card {card}", boat=boat, card=place)
