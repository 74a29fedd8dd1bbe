"""Undertow for learning programs."""

from strandline.engine.spaces import FAR, Extent, Part, in_turn, left, steps_to
from strandline.engine.vocabulary import pack

from .box import FAMILY, LANES, MODIFIER, PIPS, STEPS, TURNS, WALLS
from .rules import DAYS, NOT_PLACED, ROLLS, Modifier, Phase, Verb, family, is_taken

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


def extent(players, options):
    """Three dice. A point brings a swimmer one step out, after sideways ones; inward all may drift for each point."""
    swimmers, points = FAMILY[players], 2 * PIPS
    out = swimmers * points * (LANES + 1)
    turn = out + (points + 1) * (swimmers * LANES + swimmers * points + 1) + LANES
    rounds = options["vacation"] * TURNS or options["max_rounds"]
    placed = players * swimmers * max(1, options["vacation"])
    return Extent(ROLLS, placed + players * rounds * turn if rounds else None)


def parts(players):
    """Whose turn it is, the options, the dice, the player's swimmers in this turn, all swimmers."""
    size = FAMILY[players]
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "whose turn it is, own seat first"),
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
        Part("day_scores", (players, DAYS), 0, PIPS * size, "scores of the days that are over, own first"),
        Part("pips", (players, size, PIPS), 0, 1, "the pips of each swimmer that was rolled, own first"),
        Part("lanes", (players, size, LANES), 0, 1, "the lane of each swimmer in the water"),
        Part(
            "steps", (players, size, STEPS + 1), 0, 1, "the step of each swimmer that was placed; step 0 is the beach"
        ),
    )


def _names(members):
    return ", ".join(member.name.lower() for member in members)


def observe(s, seat, out):
    """There are no secrets."""
    out[seat] = 1
    at = s.players
    if s.phase != Phase.OVER:
        out[at + steps_to(s, seat, s.player)] = 1
    at += s.players
    out[at + s.phase] = 1
    at = observe_options(s, out, at + PHASES)
    if s.red > 0:
        out[at + s.red - 1] = 1
        out[at + PIPS + s.green - 1] = 1
        out[at + 2 * PIPS + MODIFIER[s.modifier]] = 1
    at = observe_player(s, out, at + 2 * PIPS + MODIFIERS)
    for step in range(s.players):
        who = in_turn(s, seat, step)
        for day in range(DAYS):
            out[at + day] = s.day_scores[day][who]
        at += DAYS
    observe_swimmers(s, seat, out, at)


def observe_options(s, out, at):
    """What is played, and how long it still takes."""
    out[at] = s.surge
    out[at + 1] = s.easy
    out[at + 2] = s.slow_start
    out[at + 3] = s.triple_six
    out[at + 4] = s.lane_limits
    out[at + 5] = s.strength
    out[at + 6] = s.vacation > 0
    if s.vacation > 0:
        out[at + 7] = s.vacation - s.day
        out[at + 8] = left(TURNS, s.round)
    else:
        out[at + 8] = left(s.max_rounds, s.round)
    return at + 9


def observe_player(s, out, at):
    """What the player has done in this part of the turn."""
    size = family(s)
    out[at] = s.points
    at += 1
    if s.detour > 0:
        out[at + s.detour - 1] = 1
    for i in range(size):
        out[at + size + i] = s.swum[i]
        out[at + 2 * size + i] = s.drifted[i]
        out[at + 3 * size + i] = s.drift[i]
    return at + 4 * size


def observe_swimmers(s, seat, out, pips):
    """Pips, lane and step of every swimmer."""
    size = family(s)
    lanes = pips + s.players * size * PIPS
    steps = lanes + s.players * size * LANES
    for step in range(s.players):
        who = in_turn(s, seat, step)
        for i in range(size):
            if s.pips[who][i] > 0:
                out[pips + s.pips[who][i] - 1] = 1
            if s.lane[who][i] > 0:
                out[lanes + s.lane[who][i] - 1] = 1
            if s.step[who][i] != NOT_PLACED:
                out[steps + s.step[who][i]] = 1
            pips += PIPS
            lanes += LANES
            steps += STEPS + 1
