"""Undertow, told: what a roll and a step bring about, what can be done, and what there is to see."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from strandline.engine import records
from strandline.engine.story import Event, Roll, Told
from strandline.engine.vocabulary import first, second, third, verb
from strandline.engine.words import Words, listed, message, reader, seat_name, seat_names

from . import rules
from .box import FAMILY, MODIFIER, MODIFIERS, START, STEPS, TURNS
from .rules import BEACH, TURN_OVER, Phase, Verb

_ = Words(__file__)

KINDS = {
    "family": "a die of the family is rolled (U3, U40), or rolled again after a recall (U33)",
    "place": "a swimmer is placed (U4, U5), further out if its step is full (U6)",
    "roll": "the three dice are rolled (U9)",
    "lifeguard": "the lifeguard brings a swimmer to the beach (U13)",
    "recall": "a swimmer is called back from the beach (U33)",
    "undertow": "the undertow is taken, although a swimmer could be called back (U33)",
    "out": "a swimmer is pulled a step out (U20), to the last step at most (U19)",
    "detour": "a blocked swimmer goes round, a step to the side (U21, U23)",
    "weaken": "a swimmer is weakened (U46)",
    "blocked": "nobody can move, and the points left do not count (U25, U29)",
    "inward": "the out part is over, and the in part begins (U10, U15)",
    "in": "a swimmer swims a step in (U26)",
    "land": "a swimmer reaches the beach (U26)",
    "sideways": "a swimmer swims a step to the side (U27)",
    "drift": "the current carries a swimmer a step to the side (U28)",
    "strengthen": "a swimmer is strengthened (U46)",
    "stop": "the player stops (U29)",
    "home": "a whole family is on the beach before the day is over (U37)",
    "pass": "a family on the beach is passed over (U37)",
    "round": "a round begins (U8)",
    "evening": "a day of the vacation is over and is scored (U36)",
    "day": "the next day of the vacation begins (U35)",
    "end": "the game is over (U30, U32, U38)",
}
KEPT_FAMILIES = 256
"""Families that were told last, in any language."""
SOUNDS = {"out": "splash", "detour": "splash", "land": "splash", "blocked": "caught"}


def tell(s: Any, w: Any, code: int) -> Iterator[Told]:
    """The roll or the decision, then all that follows by itself."""
    after = records.copy(s)
    rules.carry_out(after, code)
    told = _deed(s, code, after)
    setting_up = s.phase == Phase.PLACE
    if after.phase in (TURN_OVER, Phase.OVER):  # which is told by itself
        s.lane, s.step = after.lane, after.step
    else:
        records.assign(s, after)
    yield told
    records.assign(s, after)
    if setting_up and s.phase == Phase.DICE:
        yield Told("round", None, {"round": s.round})
    yield from _go_on(s, w)
    if s.phase == Phase.OVER:
        yield Told("end", None, _result(s))


def roll(s: Any) -> Roll:
    """The player rolls the three dice, or the dice of the family."""
    match s.phase:
        case Phase.DICE:
            return Roll(s.player, "roll", _("Roll the dice"), ("die-modifier",))
        case Phase.REROLL:
            return Roll(s.player, "roll", _("Roll the swimmer again"))
    return Roll(s.player, "roll", _("Roll your swimmers"))


def _deed(s: Any, code: int, after: Any) -> Told:
    """What the player does or rolls."""
    seat, what, n = s.player, verb(code), first(code)
    match what:
        case Verb.DICE:
            return Told("roll", seat, _dice(after), ("die-red", "die-green", "die-modifier"))
        case Verb.ROLL:
            n = next(i for i, pips in enumerate(s.pips[seat], 1) if not pips)
            return Told("family", seat, {"dice": [first(code)], "swimmer": n}, (_shape(seat, n),))
        case Verb.UNDERTOW:
            return Told("undertow", seat, {"total": after.points})
        case Verb.STOP:
            return Told("stop", seat, {"points": _unused(s)})
    kind, data = _move(s, code)
    return Told(kind, seat, data, (_shape(seat, n),))


def _dice(after: Any) -> dict[str, Any]:
    return {
        "dice": [after.red, after.green, after.modifier],
        "sea": MODIFIERS[MODIFIER[after.modifier]],
        "total": rules.total(after),
        "each": bool(rules.is_for_each(after)),
        "choice": after.phase == Phase.CHOOSE,
    }


def _move(s: Any, code: int) -> tuple[str, dict[str, Any]]:
    """What is done with one swimmer: the kind, and how it will stand then."""
    seat, what, n = s.player, verb(code), first(code)
    lane, step, pips = s.lane[seat][n - 1], s.step[seat][n - 1], s.pips[seat][n - 1]
    data: dict[str, Any] = {"swimmer": n}
    match what:
        case Verb.PLACE:
            goal = rules.starting_step(s, pips)
            full = START[pips] if goal != START[pips] else None
            return "place", {**data, "lane": second(code), "step": goal, "full": full}
        case Verb.SAVE:
            return "lifeguard", data
        case Verb.RECALL:
            return "recall", data
        case Verb.OUT:
            return "out", {**data, "step": step + 1}
        case Verb.IN:
            return ("in", {**data, "step": step - 1}) if step - 1 > BEACH else ("land", data)
        case Verb.WEAKEN:
            return "weaken", {**data, "pips": pips - 1}
        case Verb.STRENGTHEN:
            return "strengthen", {**data, "pips": pips + 1}
    free = bool(rules.free_steps(s, n - 1) > 0)
    data |= {"lane": lane + (1 if what == Verb.RIGHT else -1), "free": free}
    if s.phase == Phase.OUT:
        return "detour", data
    return "drift" if free else "sideways", data


def _go_on(s: Any, w: Any) -> Iterator[Told]:
    """As `rules.go_on` does it: a part ends by itself when nothing is left to do in it, and so does the turn."""
    seat = s.player
    if s.phase == Phase.OUT and s.detour == 0 and not rules.can_go_out(s, w):
        if _unused(s):
            yield Told("blocked", seat, {"part": "out", "points": _unused(s)})
        if rules.has_total(s):
            s.phase = TURN_OVER
        else:
            rules.begin_in_part(s, s.green)
            yield Told("inward", seat, {"points": s.points})
    if s.phase == Phase.IN and not rules.can_go_in(s):
        if _unused(s) and rules.in_water(s, seat):
            yield Told("blocked", seat, {"part": "in", "points": _unused(s)})
        s.phase = TURN_OVER
    if s.phase == TURN_OVER:
        yield from _end_turn(s)


def _unused(s: Any) -> int:
    """The points that are left; if each swimmer has its own, the most that one of them has left."""
    if rules.is_for_each(s):
        return int(max(rules.may_spend(s, i) for i in range(rules.family(s))))
    return int(s.points)


def _end_turn(s: Any) -> Iterator[Told]:
    """As `rules.end_turn` does it: on to the next seat with somebody in the water, perhaps in another round or day."""
    rules.clear_turn(s)
    s.phase = Phase.DICE
    if s.vacation and rules.in_water(s, s.player) == 0:
        yield Told("home", s.player)
    if s.vacation and rules.nobody_in_water(s):
        yield from _end_day(s)
        return
    passed = True
    while passed:
        if s.player + 1 < s.players:
            s.player += 1
        elif s.round == rules.last_round(s):
            yield from _end_day(s)
            return
        else:
            s.player = 0
            s.round += 1
            yield Told("round", None, {"round": s.round})
        passed = rules.in_water(s, s.player) == 0
        if passed:
            yield Told("pass", s.player)


def _end_day(s: Any) -> Iterator[Told]:
    """What the day was worth, and the next morning."""
    seats, day = range(s.players), s.day
    if s.vacation:
        yield Told("evening", None, {"day": day, "scores": [rules.pips_on_beach(s, seat) for seat in seats]})
    rules.end_day(s)
    if s.day > day:
        everybody = (_shape(seat, n) for seat in seats for n in range(1, FAMILY[s.players] + 1))
        yield Told("day", None, {"day": s.day}, tuple(everybody))


def _result(s: Any) -> dict[str, Any]:
    bits = rules.winners(s)
    return {
        "winners": [seat for seat in range(s.players) if bits >> seat & 1],
        "scores": [rules.score(s, seat) for seat in range(s.players)],
        "family": FAMILY[s.players],
        "vacation": bool(s.vacation),
    }


def _shape(seat: int, n: int) -> str:
    return f"swimmer-{seat}-{n}"


# Sentences


def sentence(event: Event) -> str:
    """An event, for the reader."""
    who, data = event.who, event.data
    match event.kind:
        case "roll":
            return rolled(who, data)
        case "family":
            return _.who(
                who,
                "You rolled a {pips} for swimmer {swimmer}.",
                "{name} rolled a {pips} for swimmer {swimmer}.",
                pips=data["dice"][0],
                swimmer=data["swimmer"],
            )
        case "undertow":
            return _.who(
                who,
                "You take the undertow: {total} out.",
                "{name} takes the undertow: {total} out.",
                total=data["total"],
            )
        case "stop" if data["points"]:
            return _.who(
                who,
                ("You stop with {n} point left.", "You stop with {n} points left."),
                ("{name} stops with {n} point left.", "{name} stops with {n} points left."),
                n=data["points"],
            )
        case "stop":
            return _.who(who, "You stop.", "{name} stops.")
        case "blocked" if data["part"] == "out":
            return _(
                (
                    "Nobody can be pulled further out: {n} point does not count.",
                    "Nobody can be pulled further out: {n} points do not count.",
                ),
                n=data["points"],
            )
        case "blocked":
            return _(
                ("Nobody can swim on: {n} point is not used.", "Nobody can swim on: {n} points are not used."),
                n=data["points"],
            )
        case "inward":
            return _.who(
                who,
                ("Now you swim in: {n} point.", "Now you swim in: {n} points."),
                ("Now {name} swims in: {n} point.", "Now {name} swims in: {n} points."),
                n=data["points"],
            )
        case "home":
            return _.who(who, "Your whole family is home for today.", "{name}’s whole family is home for today.")
        case "pass":
            return _.who(
                who,
                "Your family rests on the beach, so you have no turn.",
                "{name}’s family rests on the beach, so {name} has no turn.",
            )
        case "round":
            return _("Round {n} begins.", n=data["round"])
        case "evening":
            scores = [_("{name} {points}", name=seat_name(i), points=n) for i, n in enumerate(data["scores"])]
            return _("Day {day} is over. Points: {scores}.", day=data["day"], scores=listed(scores))
        case "day":
            return _("Day {day} begins: all dice are rolled again.", day=data["day"])
        case "end":
            return ending(data["vacation"], data["family"], data["scores"], data["winners"])
    return _moved(event.kind, who, data)


def rolled(who: int | None, data: Mapping[str, Any]) -> str:
    """What the three dice bring."""
    red, green, _face = data["dice"]
    each, total = data["each"], data["total"]
    match data["sea"]:
        case "lifeguard":
            return _.who(
                who,
                "You rolled the lifeguard: one of your swimmers goes straight home.",
                "{name} rolled the lifeguard: one of {name}’s swimmers goes straight home.",
            )
        case "calm":
            return _.who(
                who,
                "You rolled calm water: {red} out, then {green} in.",
                "{name} rolled calm water: {red} out, then {green} in.",
                red=red,
                green=green,
            )
        case "current":
            return _.who(
                who,
                "You rolled a current: {red} out, then {green} in, and sideways is free.",
                "{name} rolled a current: {red} out, then {green} in, and sideways is free.",
                red=red,
                green=green,
            )
        case "wave" if each:
            return _.who(
                who,
                "You rolled {red}, {green} and a big wave: {total} in for each swimmer.",
                "{name} rolled {red}, {green} and a big wave: {total} in for each swimmer.",
                red=red,
                green=green,
                total=total,
            )
        case "wave":
            return _.who(
                who,
                "You rolled {red}, {green} and a big wave: {total} in.",
                "{name} rolled {red}, {green} and a big wave: {total} in.",
                red=red,
                green=green,
                total=total,
            )
    if data["choice"]:
        return _.who(
            who,
            "You rolled 6, 6 and 6: the undertow, or a swimmer called back.",
            "{name} rolled 6, 6 and 6: the undertow, or a swimmer called back.",
        )
    if each:
        return _.who(
            who,
            "You rolled {red}, {green} and the undertow: {total} out for each swimmer.",
            "{name} rolled {red}, {green} and the undertow: {total} out for each swimmer.",
            red=red,
            green=green,
            total=total,
        )
    return _.who(
        who,
        "You rolled {red}, {green} and the undertow: {total} out.",
        "{name} rolled {red}, {green} and the undertow: {total} out.",
        red=red,
        green=green,
        total=total,
    )


def _moved(kind: str, who: int | None, data: Mapping[str, Any]) -> str:
    """What happens to one swimmer."""
    swimmer = data["swimmer"]
    match kind:
        case "place" if data["full"]:
            return _.who(
                who,
                "You place swimmer {swimmer} in lane {lane}. Step {full} is full, so it starts at step {step}.",
                "{name} places swimmer {swimmer} in lane {lane}. Step {full} is full, so it starts at step {step}.",
                **data,
            )
        case "place":
            return _.who(
                who,
                "You place swimmer {swimmer} in lane {lane}, step {step}.",
                "{name} places swimmer {swimmer} in lane {lane}, step {step}.",
                swimmer=swimmer,
                lane=data["lane"],
                step=data["step"],
            )
        case "lifeguard":
            return _.who(
                who,
                "The lifeguard brings your swimmer {swimmer} to the beach.",
                "The lifeguard brings {name}’s swimmer {swimmer} to the beach.",
                swimmer=swimmer,
            )
        case "recall":
            return _.who(
                who,
                "You call swimmer {swimmer} back from the beach.",
                "{name} calls swimmer {swimmer} back from the beach.",
                swimmer=swimmer,
            )
        case "out" if data["step"] == STEPS:
            return _.who(
                who,
                "The sea pulls your swimmer {swimmer} out to step {step}, as far as it goes.",
                "The sea pulls {name}’s swimmer {swimmer} out to step {step}, as far as it goes.",
                **data,
            )
        case "out":
            return _.who(
                who,
                "The sea pulls your swimmer {swimmer} out to step {step}.",
                "The sea pulls {name}’s swimmer {swimmer} out to step {step}.",
                **data,
            )
        case "in":
            return _.who(
                who,
                "Your swimmer {swimmer} swims in to step {step}.",
                "{name}’s swimmer {swimmer} swims in to step {step}.",
                **data,
            )
        case "land":
            return _.who(
                who,
                "Your swimmer {swimmer} reaches the beach!",
                "{name}’s swimmer {swimmer} reaches the beach!",
                swimmer=swimmer,
            )
        case "weaken":
            return _.who(
                who,
                ("You weaken swimmer {swimmer} to {n} pip.", "You weaken swimmer {swimmer} to {n} pips."),
                ("{name} weakens swimmer {swimmer} to {n} pip.", "{name} weakens swimmer {swimmer} to {n} pips."),
                swimmer=swimmer,
                n=data["pips"],
            )
        case "strengthen":
            return _.who(
                who,
                "You strengthen swimmer {swimmer} to {pips} pips.",
                "{name} strengthens swimmer {swimmer} to {pips} pips.",
                **data,
            )
    return _sideways(kind, who, swimmer=swimmer, lane=data["lane"], free=data["free"])


def _sideways(kind: str, who: int | None, swimmer: int, lane: int, free: bool) -> str:
    match kind:
        case "drift":
            return _.who(
                who,
                "The current carries your swimmer {swimmer} over to lane {lane}.",
                "The current carries {name}’s swimmer {swimmer} over to lane {lane}.",
                swimmer=swimmer,
                lane=lane,
            )
        case "sideways":
            return _.who(
                who,
                "Your swimmer {swimmer} swims over to lane {lane}.",
                "{name}’s swimmer {swimmer} swims over to lane {lane}.",
                swimmer=swimmer,
                lane=lane,
            )
    if free:
        return _.who(
            who,
            "The way out is blocked: the current carries your swimmer {swimmer} round to lane {lane}, for free.",
            "The way out is blocked: the current carries {name}’s swimmer {swimmer} round to lane {lane}, for free.",
            swimmer=swimmer,
            lane=lane,
        )
    return _.who(
        who,
        "The way out is blocked: the sea pulls your swimmer {swimmer} round to lane {lane}.",
        "The way out is blocked: the sea pulls {name}’s swimmer {swimmer} round to lane {lane}.",
        swimmer=swimmer,
        lane=lane,
    )


def ending(vacation: bool, family: int, scores: Sequence[int], winners: Sequence[int]) -> str:
    """Who has won and why; a kind word for a reader who has not."""
    best, one = scores[winners[0]], winners[0]
    if vacation and len(winners) > 1:
        end = _(
            (
                "The vacation is over. {names} share the win with {n} point.",
                "The vacation is over. {names} share the win with {n} points.",
            ),
            names=seat_names(winners),
            n=best,
        )
    elif vacation:
        end = _.who(
            one,
            ("The vacation is over. You win with {n} point!", "The vacation is over. You win with {n} points!"),
            ("The vacation is over. {name} wins with {n} point.", "The vacation is over. {name} wins with {n} points."),
            n=best,
        )
    elif best == family:
        end = _.who(
            one,
            "Your whole family is on the beach. You win!",
            "{name}’s whole family is on the beach. {name} wins.",
        )
    elif len(winners) > 1:
        end = _("That was the last round. {names} share the win.", names=seat_names(winners))
    else:
        end = _.who(
            one,
            "That was the last round. You are nearest to home and win!",
            "That was the last round. {name} is nearest to home and wins.",
        )
    mine = reader().seats
    if len(mine) != 1 or mine & set(winners):
        return end
    return f"{end} {_consolation(vacation, family, scores[next(iter(mine))])}"


def _consolation(vacation: bool, family: int, score: int) -> str:
    if score == 0:
        return _("The sea was too strong for your family.")
    if vacation:
        return _(("Well swum: you have {n} point.", "Well swum: you have {n} points."), n=score)
    return _("Well swum: you brought {n} of {family} home.", n=score, family=family)


SEAS = {
    "lifeguard": message("the lifeguard"),
    "calm": message("calm water"),
    "wave": message("a big wave"),
    "current": message("a current"),
    "undertow": message("the undertow"),
}


def describe(s: Any, code: int) -> str:
    """What a roll would be, or what a move would do."""
    what, n = verb(code), first(code)
    if what == Verb.DICE:
        sea = _(SEAS[MODIFIERS[MODIFIER[third(code)]]])
        return _("Rolled: red {red}, green {green} and {sea}.", red=n, green=second(code), sea=sea)
    if what == Verb.ROLL:
        return _("A {pips} is rolled.", pips=n)
    if what == Verb.UNDERTOW:
        return _("Take the undertow: {total} out.", total=rules.total(s))
    if what == Verb.STOP:
        return (
            _(("Stop with {n} point left.", "Stop with {n} points left."), n=_unused(s)) if _unused(s) else _("Stop.")
        )
    kind, data = _move(s, code)
    match kind:
        case "place":
            data.pop("full")
            return _("Place swimmer {swimmer} in lane {lane}, step {step}.", **data)
        case "lifeguard":
            step = s.step[s.player][n - 1]
            return _("Bring swimmer {swimmer} home from step {step}.", swimmer=n, step=step)
        case "recall":
            return _("Call swimmer {swimmer} back from the beach.", **data)
        case "out":
            return _("Swimmer {swimmer} out to step {step}.", **data)
        case "in":
            return _("Swimmer {swimmer} in to step {step}.", **data)
        case "land":
            return _("Swimmer {swimmer} to the beach.", **data)
        case "weaken":
            return _(
                ("Weaken swimmer {swimmer} to {n} pip.", "Weaken swimmer {swimmer} to {n} pips."),
                swimmer=n,
                n=data["pips"],
            )
        case "strengthen":
            return _("Strengthen swimmer {swimmer} to {pips} pips.", **data)
    free = data.pop("free")
    if kind == "detour":
        return (
            _("Swimmer {swimmer} round to lane {lane}, for free.", **data)
            if free
            else _("Swimmer {swimmer} round to lane {lane}, for a point.", **data)
        )
    if free:
        return _("Swimmer {swimmer} over to lane {lane}, for free.", **data)
    return _("Swimmer {swimmer} over to lane {lane}, for a point.", **data)


# What there is to see


def task(view: dict[str, Any]) -> str | None:
    """What the person who decides is to do."""
    match view["phase"]:
        case "place":
            return _("Choose a swimmer and a lane.")
        case "save":
            return _("Choose a swimmer for the lifeguard to bring home.")
        case "choose":
            return _("Choose the undertow, or call a swimmer back from the beach.")
        case "return":
            return _("Choose a lane for the swimmer who was called back.")
        case "out" if view["detour"]:
            return _("Swimmer {swimmer} is on its way round: choose the next space.", swimmer=view["detour"])
        case "out" if is_for_each(view):
            return _(
                (
                    "{n} point for each swimmer: choose who is pulled out.",
                    "{n} points for each swimmer: choose who is pulled out.",
                ),
                n=view["points"],
            )
        case "out":
            return _(
                ("{n} point: choose who is pulled out.", "{n} points: choose who is pulled out."), n=view["points"]
            )
        case "in" if is_for_each(view):
            return _(
                ("{n} point for each swimmer: swim in, or stop.", "{n} points for each swimmer: swim in, or stop."),
                n=view["points"],
            )
        case "in" if view["points"]:
            return _(("{n} point: swim in, or stop.", "{n} points: swim in, or stop."), n=view["points"])
        case "in":
            return _("No points left. You may still drift sideways for free, or stop.")
    return None


def score_lines(view: dict[str, Any], scores: Sequence[int]) -> list[tuple[str, list[object]]]:
    """The days of a vacation (U38), or who is home and how far out the others are (U30, U32)."""
    if view["options"]["vacation"]:
        days = [(_("Day {day}", day=day), [*points]) for day, points in enumerate(view["day_scores"], 1)]
        return [*days, (_("Points"), [*scores])]
    steps = [sum(swimmer["step"] or BEACH for swimmer in family) for family in view["swimmers"]]
    return [(_("Swimmers on the beach"), [*scores]), (_("Steps from the beach"), [*steps])]


def words(view: dict[str, Any], scores: Sequence[int], winners: Sequence[int]) -> str:
    """The position in words."""
    family, vacation = FAMILY[view["players"]], view["options"]["vacation"]
    lines = [_progress(view)]
    for day, points in enumerate(view["day_scores"], 1):
        said = [_("{name} {points}", name=seat_name(seat), points=n) for seat, n in enumerate(points)]
        lines.append(_("Points of day {day}: {scores}.", day=day, scores=listed(said)))
    for seat, score in enumerate(scores):
        swimmers = _swimmers(reader().language, tuple(map(_place, view["swimmers"][seat])))
        name = seat_name(seat)
        lines.append(
            _(
                ("{name}, {n} point: {swimmers}.", "{name}, {n} points: {swimmers}."),
                name=name,
                n=score,
                swimmers=swimmers,
            )
            if vacation
            else _("{name}, {n} of {family} home: {swimmers}.", name=name, n=score, family=family, swimmers=swimmers)
        )
    if view["phase"] == "over":
        return "\n".join([*lines, ending(bool(vacation), family, scores, winners)])
    return "\n".join([*lines, *_turn(view), _what_now(view)])


Place = tuple[int | None, int | None, int | None]
"""A swimmer's pips, lane and step."""


def _place(swimmer: dict[str, int | None]) -> Place:
    return swimmer["pips"], swimmer["lane"], swimmer["step"]


@functools.lru_cache(KEPT_FAMILIES)
def _swimmers(_language: str, family: tuple[Place, ...]) -> str:
    """Where a family's swimmers are. From one position to the next most families stay where they are."""
    return "; ".join(
        _("swimmer {swimmer}: {where}", swimmer=n, where=_whereabouts(*place)) for n, place in enumerate(family, 1)
    )


def _progress(view: dict[str, Any]) -> str:
    """How far the game is: day and round."""
    day, days, n = view["day"], view["options"]["vacation"], view["round"]
    if days and n:
        return _("Day {day} of {days}, round {n} of {turns}.", day=day, days=days, n=n, turns=TURNS)
    if days:
        return _("Day {day} of {days}: the families get ready.", day=day, days=days)
    return _("Round {n}.", n=n) if n else _("The families get ready.")


def whereabouts(swimmer: dict[str, int | None]) -> str:
    """A swimmer's pips and place."""
    return _whereabouts(*_place(swimmer))


def _whereabouts(n: int | None, lane: int | None, step: int | None) -> str:
    if n is None:
        return _("not rolled yet")
    if step is None:
        return _(("{n} pip, not placed yet", "{n} pips, not placed yet"), n=n)
    if step == BEACH:
        return _(("{n} pip, on the beach", "{n} pips, on the beach"), n=n)
    return _(
        ("{n} pip, in lane {lane}, step {step}", "{n} pips, in lane {lane}, step {step}"), n=n, lane=lane, step=step
    )


def _turn(view: dict[str, Any]) -> Iterator[str]:
    """What was rolled, what is left of it, and what the player's swimmers have spent of it."""
    if view["dice"] is None:
        return
    red, green, _face = view["dice"].values()
    sea = meaning(view)
    yield _.who(
        view["player"],
        "You rolled red {red}, green {green} and {sea}.",
        "{name} rolled red {red}, green {green} and {sea}.",
        red=red,
        green=green,
        sea=_(SEAS[sea]),
    )
    for n, (swum, drifted, drift) in enumerate(zip(view["swum"], view["drifted"], view["drift"], strict=True), 1):
        if swum:
            yield _(
                ("Swimmer {swimmer} has spent {n} point.", "Swimmer {swimmer} has spent {n} points."), swimmer=n, n=swum
            )
        if drifted:
            yield _(
                ("Swimmer {swimmer} has drifted {n} lane.", "Swimmer {swimmer} has drifted {n} lanes."),
                swimmer=n,
                n=drifted,
            )
        if drift:
            yield (
                _("Swimmer {swimmer} is drifting to the left.", swimmer=n)
                if drift == "left"
                else _("Swimmer {swimmer} is drifting to the right.", swimmer=n)
            )
    if view["detour"]:
        yield _("Swimmer {swimmer} is on its way round.", swimmer=view["detour"])
    if is_for_each(view):
        yield _("Each swimmer gets all the points.")


def meaning(view: dict[str, Any]) -> str:
    """What the modifier that was rolled means."""
    return MODIFIERS[MODIFIER[view["dice"]["modifier"]]]


def is_for_each(view: dict[str, Any]) -> bool:
    """Whether every swimmer has all points as its own."""
    return view["options"]["surge"] == "each" and meaning(view) in ("wave", "undertow")


def _what_now(view: dict[str, Any]) -> str:
    seat, n = view["player"], view["points"]
    match view["phase"]:
        case "family" | "reroll":
            return _.who(
                seat, "It is your turn to roll a die of your family.", "{name} rolls a die of the family next."
            )
        case "place" | "return":
            return _.who(seat, "It is your turn to place a swimmer.", "{name} places a swimmer next.")
        case "dice":
            return _.who(seat, "It is your turn to roll.", "{name} rolls next.")
        case "save":
            return _.who(
                seat, "You choose whom the lifeguard brings home.", "{name} chooses whom the lifeguard brings home."
            )
        case "choose":
            return _.who(
                seat,
                "You choose: the undertow, or a swimmer called back.",
                "{name} chooses: the undertow, or a swimmer called back.",
            )
        case "out":
            return _.who(
                seat,
                ("The sea still pulls your swimmers {n} step out.", "The sea still pulls your swimmers {n} steps out."),
                (
                    "The sea still pulls {name}’s swimmers {n} step out.",
                    "The sea still pulls {name}’s swimmers {n} steps out.",
                ),
                n=n,
            )
    return _.who(
        seat,
        ("You may still swim in: {n} point.", "You may still swim in: {n} points."),
        ("{name} may still swim in: {n} point.", "{name} may still swim in: {n} points."),
        n=n,
    )
