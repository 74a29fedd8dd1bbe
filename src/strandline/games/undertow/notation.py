"""Undertow in text and JSON."""

from typing import Any

from strandline.engine import checks, records
from strandline.engine.notation import Notation

from .box import FAMILY, LANES, LARGEST_FAMILY, MODIFIER, PIPS, STEPS, TURNS, WALLS
from .rules import (
    BEACH,
    LEFT,
    NOT_PLACED,
    RIGHT,
    WORK,
    Modifier,
    Phase,
    Verb,
    at_home,
    begin_day,
    can_go_in,
    can_go_out,
    has_straight_step,
    has_total,
    in_water,
    is_for_each,
    is_taken,
    is_tiring,
    is_triple_six,
    last_round,
    pips_on_beach,
    survey,
    total,
    way_round,
)

SWIMMER = f"{{1-{LARGEST_FAMILY}}}"
MOVES = Notation(
    {
        Verb.ROLL: "roll {1-6}",
        Verb.DICE: "roll {1-6} {1-6} {1-6}",
        Verb.PLACE: f"place {SWIMMER} {{1-{LANES}}}",
        Verb.SAVE: f"save {SWIMMER}",
        Verb.RECALL: f"recall {SWIMMER}",
        Verb.UNDERTOW: "undertow",
        Verb.OUT: f"out {SWIMMER}",
        Verb.IN: f"in {SWIMMER}",
        Verb.LEFT: f"left {SWIMMER}",
        Verb.RIGHT: f"right {SWIMMER}",
        Verb.WEAKEN: f"weaken {SWIMMER}",
        Verb.STRENGTHEN: f"strengthen {SWIMMER}",
        Verb.STOP: "stop",
    }
)
write = MOVES.write
read = MOVES.read

FIELDS = (
    *("phase", "turn", "player", "day", "round", "dice", "points", "detour"),
    *("swum", "drifted", "drift", "swimmers", "day_scores"),
)
PHASES = tuple(phase.name.lower() for phase in Phase)
SIDES = {LEFT: "left", 0: None, RIGHT: "right"}
ENDLESS = 10**9  # rounds in a game without a limit


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    over, size = s.phase == Phase.OVER, FAMILY[s.players]
    return {
        "phase": PHASES[s.phase],
        "turn": None if over else "chance" if s.phase in (Phase.FAMILY, Phase.DICE, Phase.REROLL) else s.player,
        "player": None if over else s.player,
        "day": s.day,
        "round": s.round,
        "dice": {"red": s.red, "green": s.green, "modifier": s.modifier} if s.red else None,
        "points": s.points,
        "detour": s.detour or None,
        "swum": s.swum[:size],
        "drifted": s.drifted[:size],
        "drift": [SIDES[side] for side in s.drift[:size]],
        "swimmers": [[_swimmer(s, seat, i) for i in range(size)] for seat in range(s.players)],
        "day_scores": [s.day_scores[day][: s.players] for day in range(_days_over(s))],
    }


def _swimmer(s: Any, seat: int, i: int) -> dict[str, int | None]:
    pips, lane, step = s.pips[seat][i], s.lane[seat][i], s.step[seat][i]
    return {"pips": pips or None, "lane": lane or None, "step": None if step == NOT_PLACED else step}


def _days_over(s: Any) -> int:
    return int(s.vacation if s.phase == Phase.OVER else s.day - 1)


# From JSON. What can be told from other fields is compared afterwards by the engine.


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in, and refuse what the rules can never bring about."""
    checks.fields(value, FIELDS, "The position")
    begin_day(s)
    s.phase = PHASES.index(checks.word(value["phase"], PHASES, "phase"))
    _read_days(value, s)
    _read_swimmers(value, s)
    if s.phase == Phase.OVER:
        _check_over(s)
        return
    s.player = checks.whole(value["player"], 0, s.players - 1, "player")
    if s.phase in (Phase.FAMILY, Phase.PLACE):
        _check_setup(s)
        return
    _check_play(s)
    if s.phase != Phase.DICE:
        _read_dice(value, s)
    if s.phase in (Phase.OUT, Phase.IN):
        _read_part(value, s)


def _read_days(value: dict[str, Any], s: Any) -> None:
    """Day and round (U32, U34), and the scores of the days that are over (U36)."""
    s.day = 1
    if s.vacation:
        s.day = s.vacation if s.phase == Phase.OVER else checks.whole(value["day"], 1, s.vacation, "day")
    if s.phase == Phase.OVER and s.vacation:
        s.round = TURNS
    elif s.phase not in (Phase.FAMILY, Phase.PLACE):
        s.round = checks.whole(value["round"], 1, last_round(s) or ENDLESS, "round")
    days = _days_over(s)
    for day, scores in enumerate(checks.items(value["day_scores"], days, days, "day_scores")):
        for seat, score in enumerate(checks.items(scores, s.players, s.players, f"day_scores[{day}]")):
            s.day_scores[day][seat] = checks.whole(score, 0, PIPS * FAMILY[s.players], f"day_scores[{day}][{seat}]")


def _read_swimmers(value: dict[str, Any], s: Any) -> None:
    size = FAMILY[s.players]
    for seat, row in enumerate(checks.items(value["swimmers"], s.players, s.players, "swimmers")):
        for i, swimmer in enumerate(checks.items(row, size, size, f"swimmers[{seat}]")):
            _read_swimmer(swimmer, s, seat, i, f"swimmers[{seat}][{i}]")


def _read_swimmer(value: Any, s: Any, seat: int, i: int, where: str) -> None:
    """One swimmer; nobody is on anybody (U17) or in a lane out of use (U2)."""
    checks.fields(value, ("pips", "lane", "step"), where)
    if value["pips"] is None:
        return
    s.pips[seat][i] = checks.whole(value["pips"], 1, PIPS, f"{where}.pips")
    if value["step"] is None:
        return
    step = s.step[seat][i] = checks.whole(value["step"], BEACH, STEPS, f"{where}.step")
    if step == BEACH:
        return
    lane = s.lane[seat][i] = checks.whole(value["lane"], 1, LANES, f"{where}.lane")
    if is_taken(WALLS[s.players], lane):
        raise checks.Flaw(f"{where}.lane must not be {lane}: that lane is out of use with {s.players} players.")
    if is_taken(s.taken[step], lane):
        raise checks.Flaw(f"{where} is in lane {lane}, step {step}, where there is another swimmer already.")
    s.taken[step] |= 1 << lane


def _check_over(s: Any) -> None:
    """Somebody is complete, or the last round is over (U30, U32); in a vacation the last day was scored (U36)."""
    _check_all_placed(s, 0)
    if s.vacation:
        for seat in range(s.players):
            pips = pips_on_beach(s, seat)
            if s.day_scores[s.vacation - 1][seat] != pips:
                raise checks.Flaw(f"The last of day_scores must give seat {seat} the {pips} pips on its beach.")
        return
    complete = [seat for seat in range(s.players) if in_water(s, seat) == 0]
    if len(complete) > 1:
        raise checks.Flaw("Two seats cannot be complete: the first of them ends the game.")
    if not complete and s.round != last_round(s):
        raise checks.Flaw("The game cannot be over: nobody is complete, and no limit of rounds is reached.")


def _check_setup(s: Any) -> None:
    """Dice are rolled and placed in turns (U3, U4, U40)."""
    size, seats = FAMILY[s.players], range(s.players)
    rolled = [sum(pips > 0 for pips in s.pips[seat][:size]) for seat in seats]
    placed = [in_water(s, seat) for seat in seats]
    if s.slow_start or s.phase == Phase.PLACE:
        placed_right = [placed[s.player] + (seat < s.player) for seat in seats]
    else:
        placed_right = [0 for _ in seats]
    if s.slow_start:
        rolled_right = [placed_right[seat] + (seat == s.player and s.phase == Phase.PLACE) for seat in seats]
    elif s.phase == Phase.PLACE:
        rolled_right = [size for _ in seats]
    else:
        rolled_right = [size if seat < s.player else 0 if seat > s.player else rolled[seat] for seat in seats]
    todo = placed[s.player] if s.phase == Phase.PLACE else rolled[s.player]
    if rolled != rolled_right or placed != placed_right or todo == size:
        here = f"phase {PHASES[s.phase]}, player {s.player}"
        raise checks.Flaw(f"The numbers of dice rolled, {rolled}, and placed, {placed}, do not fit {here}.")
    for seat in seats:
        for i in range(size):
            _check_set_up(s, seat, i, rolled[seat], placed[seat])


def _check_set_up(s: Any, seat: int, i: int, rolled: int, placed: int) -> None:
    where, pips, step = f"swimmers[{seat}][{i}]", s.pips[seat][i], s.step[seat][i]
    if step == BEACH:
        raise checks.Flaw(f"{where} cannot be on the beach during the set-up.")
    if (pips > 0) != (i < rolled) or (s.slow_start and (step > BEACH) != (i < placed)):
        raise checks.Flaw(f"{where} is out of order: the dice of a seat are rolled one after the other.")


def _check_all_placed(s: Any, besides: int) -> None:
    """All dice are rolled and placed, save one that was called back (U33)."""
    missing = [
        (seat, i) for seat in range(s.players) for i in range(FAMILY[s.players]) if s.step[seat][i] == NOT_PLACED
    ]
    if len(missing) != besides:
        number = "One swimmer" if besides else "No swimmer"
        raise checks.Flaw(f"{number} must be without a place in phase {PHASES[s.phase]}, not {len(missing)}.")
    for seat, i in missing:
        if seat != s.player or (s.pips[seat][i] > 0) != (s.phase == Phase.RETURN):
            raise checks.Flaw(f"swimmers[{seat}][{i}] is not as a swimmer called back is in phase {PHASES[s.phase]}.")


def _check_play(s: Any) -> None:
    """The player has somebody in the water (U37), and in the standard game everybody has (U30)."""
    _check_all_placed(s, s.phase in (Phase.REROLL, Phase.RETURN))
    for seat in range(s.players):
        if in_water(s, seat) == 0 and not s.vacation:
            raise checks.Flaw(f"Seat {seat} has nobody in the water, so the game would be over.")
    if in_water(s, s.player) == 0:
        raise checks.Flaw(f"Seat {s.player} cannot be the player: it has nobody in the water.")


MEANINGS = {
    Phase.SAVE: (Modifier.LIFEGUARD,),
    Phase.CHOOSE: (Modifier.UNDERTOW,),
    Phase.REROLL: (Modifier.UNDERTOW,),
    Phase.RETURN: (Modifier.UNDERTOW,),
    Phase.OUT: (Modifier.CALM, Modifier.CURRENT, Modifier.UNDERTOW),
    Phase.IN: (Modifier.CALM, Modifier.CURRENT, Modifier.WAVE),
}


def _read_dice(value: dict[str, Any], s: Any) -> None:
    """The modifier has led to this phase (U10, U13–U16); a choice or a recall needs 6 6 6 and the option (U33)."""
    dice = checks.fields(value["dice"], ("red", "green", "modifier"), "dice")
    for name in dice:
        setattr(s, name, checks.whole(dice[name], 1, PIPS, f"dice.{name}"))
    if MODIFIER[s.modifier] not in MEANINGS[Phase(s.phase)]:
        raise checks.Flaw(f"dice.modifier must not be {s.modifier} in phase {PHASES[s.phase]}.")
    if s.phase in (Phase.CHOOSE, Phase.REROLL, Phase.RETURN) and not (s.triple_six and is_triple_six(s)):
        raise checks.Flaw(f"There is a phase {PHASES[s.phase]} only after 6 6 6, with the option triple_six.")
    if s.phase == Phase.CHOOSE and at_home(s, s.player) == 0:
        raise checks.Flaw(f"There is nothing to choose: seat {s.player} has nobody on the beach.")


def _read_part(value: dict[str, Any], s: Any) -> None:
    """Points, what each swimmer has swum and drifted (U28, U41, U43), and a way round (U24).

    There is something to do, or the part would be over (U25, U29).
    """
    all_points = total(s) if has_total(s) else s.red if s.phase == Phase.OUT else s.green
    adrift = s.phase == Phase.IN and MODIFIER[s.modifier] == Modifier.CURRENT
    s.points = all_points if is_for_each(s) else checks.whole(value["points"], 0 if adrift else 1, all_points, "points")
    size = FAMILY[s.players]
    for i, number in enumerate(checks.items(value["swum"], size, size, "swum")):
        most = all_points if is_for_each(s) else PIPS if is_tiring(s) else 0
        s.swum[i] = checks.whole(number, 0, most if _may_have_moved(s, i) else 0, f"swum[{i}]")
    for i, number in enumerate(checks.items(value["drifted"], size, size, "drifted")):
        most = PIPS if s.strength else s.pips[s.player][i]
        counts = s.lane_limits and MODIFIER[s.modifier] == Modifier.CURRENT and _may_have_moved(s, i)
        s.drifted[i] = checks.whole(number, 0, most if counts else 0, f"drifted[{i}]")
    for i, side in enumerate(checks.items(value["drift"], size, size, "drift")):
        if side is not None:
            _read_drift(side, s, i, adrift)
    if is_tiring(s):
        _check_strength(s, all_points - s.points)
    if value["detour"] is not None and s.phase == Phase.OUT:
        s.detour = checks.whole(value["detour"], 1, size, "detour")
        if not _can_finish_detour(s):
            raise checks.Flaw(f"detour must not be {s.detour} here: swimmer {s.detour} cannot go on a way round.")
    elif not _has_something_to_do(s):
        raise checks.Flaw(f"Nothing can be done in phase {PHASES[s.phase]} here, so it would be over.")


def _may_have_moved(s: Any, i: int) -> bool:
    return bool(s.phase == Phase.IN or s.step[s.player][i] > BEACH)


def _read_drift(value: Any, s: Any, i: int, adrift: bool) -> None:
    """Only in the in part under a current (U28), in the water, and by a step that counts with lane limits (U41)."""
    side = LEFT if checks.word(value, ("left", "right"), f"drift[{i}]") == "left" else RIGHT
    if not adrift or s.step[s.player][i] == BEACH or (s.lane_limits and s.drifted[i] == 0):
        raise checks.Flaw(f"drift[{i}] must be null here: swimmer {i + 1} cannot have drifted.")
    s.drift[i] = side


def _check_strength(s: Any, spent: int) -> None:
    """Nobody spent more than its strength of that moment, which only weakening can have lowered (U43, U45, U46)."""
    size = FAMILY[s.players]
    changes = spent - sum(s.swum[:size])
    above = sum(max(s.swum[i] - s.pips[s.player][i], 0) for i in range(size))
    if changes < 0:
        raise checks.Flaw(f"swum adds up to more than the {spent} points that have been spent.")
    if above > (changes if s.phase == Phase.OUT else 0):
        raise checks.Flaw("swum says that a swimmer has spent more points than it has strength.")


def _has_something_to_do(s: Any) -> bool:
    if s.phase == Phase.OUT:
        return bool(can_go_out(s, records.blank(WORK)))
    return bool(can_go_in(s))


def _can_finish_detour(s: Any) -> bool:
    """Whether the swimmer on a way round can step out, or go on to a side to do so (U24)."""
    work, i = records.blank(WORK), s.detour - 1
    survey(s, work)
    ways = (way_round(work, 0, i, side) for side in (LEFT, RIGHT))
    return s.step[s.player][i] > BEACH and (has_straight_step(work, 0, i) or any(ways))
