"""Undertow: why a swimmer cannot be chosen, a space not reached, or a move not made."""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason
from strandline.engine.vocabulary import CHANCE, first, pack, second, verb
from strandline.engine.words import Words, seat_name

from . import rules
from .box import LANES, MODIFIER, PIPS, START, STEPS, WALLS
from .rules import BEACH, LEFT, NOT_PLACED, RIGHT, Modifier, Phase, Verb

_ = Words(__file__)

SIDES: dict[int, int] = {Verb.LEFT: LEFT, Verb.RIGHT: RIGHT}
STEPS_OF = {(0, 1): Verb.OUT, (0, -1): Verb.IN, (-1, 0): Verb.LEFT, (1, 0): Verb.RIGHT}
"""The move that goes that many lanes across and that many steps out."""


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """Swimmers, spaces and buttons say what holds them back; dice and signs say what they show."""
    match name.split("-"):
        case ["swimmer", seat, n]:
            return _of_turn(s) or _swimmer(s, w, int(seat), int(n) - 1)
        case ["space", lane, step]:
            return _of_turn(s) or _goal(s, w, int(lane), int(step), chosen)
        case ["beach"]:
            return _of_turn(s) or _goal(s, w, 0, BEACH, chosen)
        case ["weaken" | "strengthen", n]:
            return Reason(_("Choose swimmer {swimmer} first.", swimmer=n), "U46")
        case ["die", *_] | ["points"]:
            return _of_turn(s) or _dice(s)
        case ["day", day]:
            return Reason(_("This shows the points of day {n}.", n=day), "U36")
    return None


def move(s: Any, w: Any, code: int) -> Reason | None:
    """The phase says what is done now; then it is up to the swimmer."""
    what, i = verb(code), first(code) - 1
    if reason := _of_turn(s) or _of_phase(s, what):
        return reason
    if what not in (Verb.STOP, Verb.UNDERTOW) and i >= rules.family(s):
        return Reason(_("There is no swimmer {swimmer}: a family has {n}.", swimmer=i + 1, n=rules.family(s)), "U1")
    if what == Verb.PLACE:
        return _unplaceable(s, i) or _lane(s, i, second(code), rules.starting_step(s, s.pips[s.player][i]))
    if what in (Verb.WEAKEN, Verb.STRENGTHEN):
        return _strength(s, what, i)
    if what in (Verb.OUT, Verb.IN, Verb.LEFT, Verb.RIGHT):
        return _step(s, w, what, i)
    return _swimmer(s, w, s.player, i)


# Whose turn, which phase


def _of_turn(s: Any) -> Reason | None:
    """While chance is on, the dice come first."""
    if rules.to_move(s) != CHANCE:
        return None
    rule = {Phase.DICE: "U9", Phase.REROLL: "U33"}.get(s.phase, "U40" if s.slow_start else "U3")
    if s.phase == Phase.DICE:
        return Reason(_.who(s.player, "Roll the three dice first.", "{name} rolls the three dice first."), rule)
    return Reason(_.who(s.player, "Roll the swimmer’s die first.", "{name} rolls a swimmer’s die first."), rule)


def _of_phase(s: Any, what: int) -> Reason | None:
    """What is done in this phase, if it is not this."""
    match s.phase:
        case Phase.PLACE if what != Verb.PLACE:
            return Reason(_("The swimmers are still being placed, one after another."), "U4")
        case Phase.RETURN if what != Verb.PLACE:
            return Reason(_("The swimmer who was called back is placed first."), "U33")
        case Phase.SAVE if what != Verb.SAVE:
            return Reason(_("The lifeguard brings a swimmer in. Nobody else moves this turn."), "U13")
        case Phase.CHOOSE if what not in (Verb.RECALL, Verb.UNDERTOW):
            return Reason(_("Choose first: the undertow, or a swimmer called back from the beach."), "U33")
        case Phase.OUT | Phase.IN:
            return _of_part(s, what)
    return None


def _of_part(s: Any, what: int) -> Reason | None:
    match what:
        case Verb.ROLL | Verb.DICE:
            return _dice(s)
        case Verb.PLACE:
            return Reason(_("Everybody has been placed."), "U4")
        case Verb.SAVE:
            return Reason(_("The lifeguard comes only when the third die shows it."), "U13")
        case Verb.RECALL | Verb.UNDERTOW:
            return Reason(_("That choice comes only with 6 6 6, and only with the option “Triple six”."), "U33")
        case Verb.STOP if s.phase == Phase.OUT:
            return Reason(
                _("The sea pulls as long as it can: there is no stopping before your swimmers are out."), "U25"
            )
        case Verb.IN if s.phase == Phase.OUT:
            return Reason(_("The sea pulls out first. Swimming in comes after."), "U11")
        case Verb.OUT if s.phase == Phase.IN:
            return Reason(_("Now your swimmers swim in. Nobody goes further out."), "U10")
    return None


def _dice(s: Any) -> Reason:
    if s.phase in (Phase.OUT, Phase.IN):
        return Reason(_("The dice have been rolled. Now move your swimmers."), "U9")
    return Reason(_("The dice are not needed now. Choose something highlighted."), "U9")


# Swimmers


def _swimmer(s: Any, w: Any, seat: int, i: int) -> Reason | None:
    """Why a swimmer can do nothing now."""
    if seat != s.player:
        rule = "U4" if s.phase == Phase.PLACE else "U12"
        return Reason(_("That is {name}’s swimmer. You move your own.", name=seat_name(seat)), rule)
    match s.phase:
        case Phase.PLACE | Phase.RETURN:
            return _unplaceable(s, i)
        case Phase.SAVE:
            said = _(
                "Swimmer {swimmer} is on the beach already. The lifeguard helps somebody in the water.", swimmer=i + 1
            )
            return Reason(said, "U13")
        case Phase.CHOOSE:
            said = _(
                "Swimmer {swimmer} is in the water. Only a swimmer on the beach can be called back.", swimmer=i + 1
            )
            return Reason(said, "U33")
        case Phase.OUT:
            return _kept(s, i) or _blocked_outward(s, w, i)
        case Phase.IN:
            return _kept(s, i) or _stuck(s, i)
    return None


def _unplaceable(s: Any, i: int) -> Reason | None:
    if s.pips[s.player][i] == 0:
        return Reason(_("The die of swimmer {swimmer} has not been rolled yet.", swimmer=i + 1), "U40")
    if s.step[s.player][i] == NOT_PLACED:
        return None
    if s.phase == Phase.RETURN:
        return Reason(_("Only the swimmer who was called back is placed now."), "U33")
    return Reason(_("Swimmer {swimmer} has been placed already.", swimmer=i + 1), "U4")


def _kept(s: Any, i: int) -> Reason | None:
    """What keeps a swimmer from taking any step: the beach, a way round, or no points."""
    if s.step[s.player][i] == BEACH:
        return Reason(_("Swimmer {swimmer} is safe on the beach and stays there.", swimmer=i + 1), "U18")
    if s.phase == Phase.OUT and s.detour not in (0, i + 1):
        said = _("Swimmer {swimmer} is on its way round and finishes that first.", swimmer=s.detour)
        return Reason(said, "U24")
    if s.phase == Phase.OUT and s.step[s.player][i] == STEPS:
        return Reason(_("Swimmer {swimmer} is as far out as anybody can be.", swimmer=i + 1), "U19")
    if rules.may_spend(s, i) > 0 or (s.phase == Phase.IN and rules.free_steps(s, i) > 0):
        return None
    return _spent(s, i)


def _spent(s: Any, i: int) -> Reason:
    if rules.is_for_each(s):
        rule = "U16" if s.phase == Phase.OUT else "U14"
        return Reason(_("Swimmer {swimmer} has used all its points.", swimmer=i + 1), rule)
    if s.points > 0:
        said = _(
            "Swimmer {swimmer} is tired: its strength is {n}, and it has swum that far.",
            swimmer=i + 1,
            n=s.pips[s.player][i],
        )
        return Reason(said, "U43")
    return Reason(_("No points are left for this."), "U12")


def _blocked_outward(s: Any, w: Any, i: int) -> Reason:
    """Somebody is further out in its lane, and no way round counts now (U20, U21, U22)."""
    blocker = _whose(s, s.lane[s.player][i], s.step[s.player][i] + 1)
    if any(rules.can_step_out(s, other) for other in range(rules.family(s))):
        said = _(
            "Swimmer {swimmer} is blocked: {other} is right behind it. Others can still go straight.",
            swimmer=i + 1,
            other=blocker,
        )
        return Reason(said, "U20")
    rules.survey(s, w)
    ways = [way for side in (LEFT, RIGHT) if (way := rules.way_round(w, 0, i, side))]
    if not ways:
        said = _(
            "Swimmer {swimmer} is blocked: {other} is right behind it, and your points do not pay for a way round.",
            swimmer=i + 1,
            other=blocker,
        )
        return Reason(said, "U21")
    return _longer(w, min(ways))


def _longer(w: Any, way: int) -> Reason:
    """There is a way round, but another comes first."""
    if way > rules.fewest_sideways(w, 0):
        return Reason(_("A way round with fewer sideways steps comes first."), "U21")
    return Reason(_("Another way round uses more of the points, so it comes first."), "U22")


def _stuck(s: Any, i: int) -> Reason:
    """In the in part it could pay, or drift, but has nowhere to go."""
    for side in (LEFT, RIGHT):
        if s.drift[i] == -side and rules.free_steps(s, i) > 0 and not _shut(s, i, side):
            return _back_and_forth(i)
    if rules.may_spend(s, i) < 1:
        said = _("Swimmer {swimmer} cannot drift: both sides are taken, and no points are left.", swimmer=i + 1)
        return Reason(said, "U28")
    return Reason(_("Swimmer {swimmer} is blocked on every side.", swimmer=i + 1), "U17")


def _back_and_forth(i: int) -> Reason:
    said = _(
        "Swimmer {swimmer} has drifted the other way. It can drift back once you have spent a point.", swimmer=i + 1
    )
    return Reason(said, "U28")


# Where to


def _goal(s: Any, w: Any, lane: int, step: int, chosen: Sequence[str]) -> Reason | None:
    """Why the chosen swimmer cannot go to a space, or to the beach; without one it is chosen first."""
    if s.phase == Phase.SAVE:
        return Reason(_("Choose one of your swimmers in the water: the lifeguard brings it in."), "U13")
    if s.phase == Phase.CHOOSE:
        return Reason(_("Choose first: the undertow, or a swimmer called back from the beach."), "U33")
    placing = s.phase in (Phase.PLACE, Phase.RETURN)
    if not chosen:
        return Reason(_("Choose one of your swimmers first."), "U4" if placing else "U12")
    i = int(chosen[0].split("-")[2]) - 1
    if placing:
        return _start(s, i, lane, step)
    across = lane - s.lane[s.player][i] if step > BEACH else 0
    what = STEPS_OF.get((across, step - s.step[s.player][i]))
    if what is None:
        return Reason(_("A swimmer goes one space at a time: out, in or sideways."), "U17")
    return move(s, w, pack(what, i + 1))


def _start(s: Any, i: int, lane: int, step: int) -> Reason | None:
    """A die starts where its side number stands (U5), or further out if that is full (U6)."""
    start, pips = rules.starting_step(s, s.pips[s.player][i]), s.pips[s.player][i]
    if step != start:
        rule = "U5" if start == START[pips] else "U6"
        return Reason(_("A swimmer with {pips} starts on step {step}.", pips=pips, step=start), rule)
    return _lane(s, i, lane, step)


def _lane(s: Any, i: int, lane: int, step: int) -> Reason | None:
    if _unused(s, lane):
        return Reason(_("Lane {lane} is out of use with so few players.", lane=lane), "U2")
    return Reason(_("The space is taken: {other} is there.", other=_whose(s, lane, step)), "U5")


# Steps


def _step(s: Any, w: Any, what: int, i: int) -> Reason | None:
    """Why a swimmer cannot go that way."""
    if reason := _kept(s, i):
        return reason
    side = SIDES.get(what, 0)
    if side and _shut(s, i, side):
        return _in_the_way(s, i, s.lane[s.player][i] + side, s.step[s.player][i])
    if s.phase == Phase.OUT:
        return _step_out(s, w, i, side)
    if what == Verb.IN and rules.may_spend(s, i) > 0:
        return _in_the_way(s, i, s.lane[s.player][i], s.step[s.player][i] - 1)
    if side and rules.free_steps(s, i) > 0:
        return _back_and_forth(i)
    return _spent(s, i)


def _step_out(s: Any, w: Any, i: int, side: int) -> Reason:
    """Straight out if anybody can (U20), else the shortest way round (U21), which is finished as it was begun (U24)."""
    if s.detour:
        return Reason(_("The way round that has begun is finished first, in the same direction."), "U24")
    if not side:
        return _blocked_outward(s, w, i)
    if any(rules.can_step_out(s, other) for other in range(rules.family(s))):
        return Reason(_("Nobody goes sideways while one of your swimmers can go straight out."), "U20")
    rules.survey(s, w)
    way = rules.way_round(w, 0, i, side)
    if way == 0:
        return Reason(_("Your points do not pay for a way round on that side."), "U21")
    return _longer(w, way)


def _in_the_way(s: Any, i: int, lane: int, step: int) -> Reason:
    if _unused(s, lane):
        return Reason(_("There is no lane in use on that side."), "U2")
    return Reason(
        _("Swimmer {swimmer} is blocked: {other} is in the way.", swimmer=i + 1, other=_whose(s, lane, step)), "U17"
    )


def _shut(s: Any, i: int, side: int) -> bool:
    return bool(rules.is_taken(s.taken[s.step[s.player][i]], s.lane[s.player][i] + side))


def _unused(s: Any, lane: int) -> bool:
    """Whether nobody ever comes to the lane (U2)."""
    return not 1 <= lane <= LANES or bool(rules.is_taken(WALLS[s.players], lane))


def _whose(s: Any, lane: int, step: int) -> str:
    """Who is on a space that is taken."""
    for seat in range(s.players):
        for i in range(rules.family(s)):
            if s.lane[seat][i] == lane and s.step[seat][i] == step:
                if seat == s.player:
                    return _("swimmer {swimmer}", swimmer=i + 1)
                return _("{name}’s swimmer {swimmer}", name=seat_name(seat), swimmer=i + 1)
    raise LookupError(f"Nobody is in lane {lane} on step {step}.")


# Strength


def _strength(s: Any, what: int, i: int) -> Reason:
    """Weakening and strengthening (U46), where people play with strength (U42)."""
    if not s.strength:
        return Reason(_("Pips change only with the option “Swimmer strength”."), "U42")
    if MODIFIER[s.modifier] in (Modifier.WAVE, Modifier.UNDERTOW):
        return Reason(_("A big wave or an undertow leaves everybody’s strength as it is."), "U44")
    if (what == Verb.WEAKEN) != (s.phase == Phase.OUT):
        return Reason(_("Swimmers are weakened on the way out and strengthened on the way in."), "U46")
    if s.step[s.player][i] == BEACH:
        return Reason(_("Swimmer {swimmer} is safe on the beach and stays there.", swimmer=i + 1), "U18")
    if s.detour:
        return Reason(_("Swimmer {swimmer} is on its way round and finishes that first.", swimmer=s.detour), "U24")
    if s.pips[s.player][i] == (1 if what == Verb.WEAKEN else PIPS):
        said = _("Swimmer {swimmer} shows a {n}: that is as far as it goes.", swimmer=i + 1, n=s.pips[s.player][i])
        return Reason(said, "U46")
    return Reason(_("No points are left for this."), "U46")
