"""Game Title, told: what rolls and choices bring about, what can be done, and what there is to see."""

from collections.abc import Iterator, Sequence
from typing import Any

from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import first, verb
from strandline.engine.words import Words, seat_name

from . import rules
from .rules import LOSING_FACE, Phase, Verb

_ = Words(__file__)

KINDS = {
    "roll": "the die is rolled (G2)",
    "lost": "a 1 takes the points of the turn (G2)",
    "again": "the player rolls again (G3)",
    "stop": "the player keeps the points of the turn (G3)",
    "end": "the goal is reached (G4)",
}


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The roll or the choice, and what follows from it."""
    seat = s.player
    match verb(code):
        case Verb.ROLL:
            face, points = first(code), s.turn_points
            s.die = face
            yield Told("roll", seat, {"dice": [face]}, ("die",))
            s.die = 0
            rules.roll(s, face)
            if face == LOSING_FACE:
                yield Told("lost", seat, {"points": points})
        case Verb.AGAIN:
            rules.apply(s, w, code)
            yield Told("again", seat)
        case _:
            points = s.turn_points
            rules.stop(s)
            yield Told("stop", seat, {"points": points})
            if s.phase == Phase.END:
                yield Told("end", seat)


def roll(s: Any) -> Roll:
    """The player rolls the die."""
    return Roll(s.player, "roll", _("Roll the die"), ("die",))


def sentence(event: Event) -> str:
    """An event, for the reader."""
    who, data = event.who, event.data
    match event.kind:
        case "roll":
            return _.who(who, "You rolled a {die}.", "{name} rolled a {die}.", die=data["dice"][0])
        case "lost":
            return _.who(
                who,
                ("You lose {n} point.", "You lose {n} points."),
                ("{name} loses {n} point.", "{name} loses {n} points."),
                n=data["points"],
            )
        case "again":
            return _.who(who, "You roll again.", "{name} rolls again.")
        case "stop":
            return _.who(
                who,
                ("You stop and keep {n} point.", "You stop and keep {n} points."),
                ("{name} stops and keeps {n} point.", "{name} stops and keeps {n} points."),
                n=data["points"],
            )
    return ending(who)


def ending(winner: int | None) -> str:
    """Who has won."""
    return _.who(winner, "The game is over. You win!", "The game is over. {name} wins.")


def describe(s: Any, code: int) -> str:
    """What a roll would be, or what a choice would do."""
    match verb(code):
        case Verb.ROLL:
            return _("A {die} is rolled.", die=first(code))
        case Verb.AGAIN:
            return _("Roll again.")
    return _(("Stop and keep {n} point.", "Stop and keep {n} points."), n=s.turn_points)


def task(view: dict[str, Any]) -> str | None:
    """What the person who decides is to do."""
    return _("Roll again, or stop?") if view["phase"] == "choose" else None


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position in words."""
    lines = [_("Round {n}. {goal} points win.", n=view["round"], goal=view["options"]["goal"])]
    lines += [
        _(("{name}: {n} point.", "{name}: {n} points."), name=seat_name(seat), n=score)
        for seat, score in enumerate(scores)
    ]
    if winners:
        lines.append(ending(winners[0]))
    else:
        lines.append(_.who(view["player"], "It is your turn.", "It is {name}’s turn."))
        lines.append(_(("{n} point in this turn.", "{n} points in this turn."), n=view["turn_points"]))
    return "\n".join(lines)
