"""Undertow for learning programs."""

from strandline.engine.spaces import FAR, Part, mark, mark_seat, tell, tell_left
from strandline.engine.vocabulary import pack

from .box import FAMILY, LANES, MODIFIER, PIPS, STEPS, TURNS, WALLS
from .rules import DAYS, Modifier, Phase, Verb, family, is_taken

PHASES = len(Phase)
MODIFIERS = len(Modifier)

EACH_SWIMMER = (
    *(Verb.SAVE, Verb.RECALL, Verb.OUT, Verb.IN),
    *(Verb.LEFT, Verb.RIGHT, Verb.WEAKEN, Verb.STRENGTHEN),
)


def decisions(players):
    """Placing in any lane in use, then what can be done with each swimmer, and what with none."""
    swimmers = range(1, FAMILY[players] + 1)
    lanes = [lane for lane in range(1, LANES + 1) if not is_taken(WALLS[players], lane)]
    yield from (pack(Verb.PLACE, swimmer, lane) for swimmer in swimmers for lane in lanes)
    yield from (pack(what, swimmer) for what in EACH_SWIMMER for swimmer in swimmers)
    yield pack(Verb.UNDERTOW)
    yield pack(Verb.STOP)


def parts(players):
    """Whose turn it is, the options, the dice, the player's swimmers in this turn, all swimmers."""
    size = FAMILY[players]
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "whose turn it is, the own seat first"),
        Part("phase", (PHASES,), 0, 1, "what is going on: " + _names(Phase)),
        Part("surge_each", (1,), 0, 1, 'whether the option `surge` is "each"'),
        Part("easy", (1,), 0, 1, "the option `easy`"),
        Part("slow_start", (1,), 0, 1, "the option `slow_start`"),
        Part("triple_six", (1,), 0, 1, "the option `triple_six`"),
        Part("lane_limits", (1,), 0, 1, "the option `lane_limits`"),
        Part("strength", (1,), 0, 1, "the option `strength`"),
        Part("vacation", (1,), 0, 1, "whether it is a vacation, scored by pips"),
        Part("days_left", (1,), 0, DAYS, "days of the vacation after this one"),
        Part("rounds_left", (1,), 0, FAR, f"rounds until the game or the day ends, at most {FAR}"),
        Part("red", (PIPS,), 0, 1, "the red die"),
        Part("green", (PIPS,), 0, 1, "the green die"),
        Part("modifier", (MODIFIERS,), 0, 1, "what the modifier means: " + _names(Modifier)),
        Part("points", (1,), 0, 2 * PIPS, "points left in this part of the turn"),
        Part("detour", (size,), 0, 1, "the player's swimmer whose way round has begun"),
        Part("swum", (size,), 0, 2 * PIPS, "points that each of the player's swimmers has spent on steps"),
        Part("drifted", (size,), 0, PIPS, "free sideways steps of each of the player's swimmers"),
        Part("drift", (size,), -1, 1, "how each of the player's swimmers drifts: -1 left, 1 right"),
        Part("day_scores", (players, DAYS), 0, PIPS * size, "scores of the days that are over, the own first"),
        Part("pips", (players, size, PIPS), 0, 1, "the pips of each swimmer that was rolled, the own first"),
        Part("lanes", (players, size, LANES), 0, 1, "the lane of each swimmer in the water"),
        Part(
            "steps", (players, size, STEPS + 1), 0, 1, "the step of each swimmer that was placed; step 0 is the beach"
        ),
    )


def _names(members):
    return ", ".join(member.name.lower() for member in members)


def observe(s, seat, out):
    """There are no secrets."""
    at = mark(out, 0, s.players, seat)
    at = mark_seat(out, at, s, seat, -1 if s.phase == Phase.OVER else s.player)
    at = mark(out, at, PHASES, s.phase)
    at = observe_options(s, out, at)
    at = mark(out, at, PIPS, s.red - 1)
    at = mark(out, at, PIPS, s.green - 1)
    at = mark(out, at, MODIFIERS, MODIFIER[s.modifier] if s.modifier > 0 else -1)
    at = observe_player(s, out, at)
    for step in range(s.players):
        for day in range(DAYS):
            at = tell(out, at, s.day_scores[day][(seat + step) % s.players])
    observe_swimmers(s, seat, out, at)


def observe_options(s, out, at):
    """What is played, and how long it still takes."""
    at = tell(out, at, s.surge)
    at = tell(out, at, s.easy)
    at = tell(out, at, s.slow_start)
    at = tell(out, at, s.triple_six)
    at = tell(out, at, s.lane_limits)
    at = tell(out, at, s.strength)
    at = tell(out, at, s.vacation > 0)
    at = tell(out, at, s.vacation - s.day if s.vacation > 0 else 0)
    return tell_left(out, at, TURNS if s.vacation > 0 else s.max_rounds, s.round)


def observe_player(s, out, at):
    """What the player has done in this part of the turn."""
    size = family(s)
    at = tell(out, at, s.points)
    at = mark(out, at, size, s.detour - 1)
    for i in range(size):
        at = tell(out, at, s.swum[i])
    for i in range(size):
        at = tell(out, at, s.drifted[i])
    for i in range(size):
        at = tell(out, at, s.drift[i])
    return at


def observe_swimmers(s, seat, out, at):
    """Pips, lane and step of every swimmer."""
    size = family(s)
    lanes = at + s.players * size * PIPS
    steps = lanes + s.players * size * LANES
    for step in range(s.players):
        who = (seat + step) % s.players
        for i in range(size):
            at = mark(out, at, PIPS, s.pips[who][i] - 1)
            lanes = mark(out, lanes, LANES, s.lane[who][i] - 1)
            steps = mark(out, steps, STEPS + 1, s.step[who][i])
