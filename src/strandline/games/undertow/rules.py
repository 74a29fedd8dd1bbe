"""Undertow: families of dice swim to the beach against the pull of the red die.

Rule numbers are those of `docs/rules/undertow.md`. Swimmers count from 0 here, from 1 in the notation; lanes and steps
count from 1, and step 0 is the beach.
"""

from enum import IntEnum

from strandline.engine.vocabulary import CHANCE, OVER, Facts, Option, first, pack, scratch, second, state, third, verb

from .box import FAMILY, LANES, LARGEST_FAMILY, MODIFIER, PIPS, START, STEPS, TURNS, WALLS

FACTS = Facts(
    "Undertow", "Bring your whole family back to the beach while the sea pulls them out.", seats=(2, 3, 4), minutes=30
)

OPTIONS = (
    Option(
        "surge",
        ("pool", "each"),
        "pool",
        "The points of a big wave or an undertow are shared by your swimmers, or each swimmer gets all of them.",
        title="Wave and undertow",
        labels={"pool": "Shared points", "each": "Points for each swimmer"},
    ),
    Option(
        "easy",
        (False, True),
        False,
        "A big wave or an undertow has the points of the larger die, not of both together.",
        title="Easy mode",
    ),
    Option(
        "slow_start",
        (False, True),
        False,
        "Each die is rolled and placed before the next one is rolled.",
        title="Slow start",
    ),
    Option(
        "triple_six",
        (False, True),
        False,
        "If you roll 6 6 6, you may call a swimmer back from the beach instead of taking the undertow.",
        title="Triple six",
    ),
    Option(
        "vacation",
        (0, 3, 4, 5, 6, 7),
        0,
        "A vacation lasts several days; each evening you score the pips on your beach.",
        title="Vacation",
        labels={0: "No vacation", 3: "3 days", 4: "4 days", 5: "5 days", 6: "6 days", 7: "7 days"},
    ),
    Option(
        "lane_limits",
        (False, True),
        False,
        "A current carries a swimmer for free only as many lanes as it has pips.",
        title="Lane limits",
    ),
    Option(
        "strength",
        (False, True),
        False,
        "In calm water or a current a swimmer spends no more points than it has pips; points can change its pips.",
        title="Swimmer strength",
    ),
    Option(
        "max_rounds",
        range(1001),
        200,
        "The game ends after this many rounds; 0 means no limit. A vacation ends after its days.",
        title="Longest game, in rounds",
    ),
)

SEATS = 4
DAYS = 7
EACH = 1
BEACH = 0
NOT_PLACED = -1
LEFT = -1
RIGHT = 1
ROLLS = PIPS * PIPS * PIPS

LINE = 6 * LARGEST_FAMILY + 1  # nobody goes round more than 6 times: with up to 12 points it costs 2 or more, else 1
BOUNDLESS = 100  # more than any line can use
SLOTS = 2048  # places in the memory of lines; a power of two
PATIENCE = 32  # ways round that are tried before lines are remembered: most searches are shorter
UNKNOWN = 0
AT_MOST = 1
EXACTLY = 2


class Phase(IntEnum):
    """What the game waits for."""

    FAMILY = 0
    PLACE = 1
    DICE = 2
    SAVE = 3
    CHOOSE = 4
    REROLL = 5
    RETURN = 6
    OUT = 7
    IN = 8
    OVER = 9


TURN_OVER = -1
"""In place of a phase, within `apply` only: nothing is left to do in this turn."""


class Verb(IntEnum):
    """What a move does."""

    ROLL = 0
    DICE = 1
    PLACE = 2
    SAVE = 3
    RECALL = 4
    UNDERTOW = 5
    OUT = 6
    IN = 7
    LEFT = 8
    RIGHT = 9
    WEAKEN = 10
    STRENGTHEN = 11
    STOP = 12


class Modifier(IntEnum):
    """What the modifier means, in the order of the box."""

    LIFEGUARD = 0
    CALM = 1
    WAVE = 2
    CURRENT = 3
    UNDERTOW = 4


STATE = state(
    OPTIONS,
    ("phase", "i1"),
    ("player", "i1"),
    ("day", "i1"),
    ("red", "i1"),
    ("green", "i1"),
    ("modifier", "i1"),  # the face, not its meaning
    ("points", "i1"),
    ("detour", "i1"),  # the number, from 1, of the swimmer whose way round has begun
    ("round", "i4"),
    ("swum", "i1", LARGEST_FAMILY),
    ("drifted", "i1", LARGEST_FAMILY),
    ("drift", "i1", LARGEST_FAMILY),  # LEFT, RIGHT or 0
    ("pips", "i1", (SEATS, LARGEST_FAMILY)),  # 0 is not rolled
    ("lane", "i1", (SEATS, LARGEST_FAMILY)),  # 0 is not in the water
    ("step", "i1", (SEATS, LARGEST_FAMILY)),  # or BEACH or NOT_PLACED
    ("taken", "i2", STEPS + 2),  # the lanes, as bits, in which nobody can come to this step
    ("day_scores", "i1", (DAYS, SEATS)),
)

WORK = scratch(
    ("size", "i4"),
    ("moves", "i4", max(LARGEST_FAMILY * LANES, 4 * LARGEST_FAMILY + 1)),
    # Lines (U22), a level for each way round in it; level 0 is the position itself.
    ("points", "i1", LINE),  # all that can be spent
    ("rest", "i1", (LINE, LARGEST_FAMILY)),  # what the swimmer alone may spend
    ("free", "i1", (LINE, LARGEST_FAMILY)),  # its free sideways steps
    ("lane", "i1", (LINE, LARGEST_FAMILY)),
    ("step", "i1", (LINE, LARGEST_FAMILY)),
    ("taken", "i2", (LINE, STEPS + 2)),
    ("fewest", "i1", LINE),  # sideways steps of the ways round that are allowed here; 0 if none need be tried
    ("way", "i1", LINE),  # the way round to try next
    ("used", "i1", LINE),  # points used on the way here
    ("most", "i1", LINE),  # points that lines use from here on, so far as is known,
    ("certain", "i1", LINE),  # and whether this is EXACTLY so or AT_MOST
    ("needed", "i1"),  # points that a line must use to be of interest
    ("tried", "i4"),  # ways round
    ("each", "i1"),
    # Positions met before in lines, and how many points can be used from them.
    ("number", "i4", LARGEST_FAMILY),
    ("front", "i8"),
    ("back", "i8"),
    ("known", "i1", SLOTS),
    ("known_most", "i1", SLOTS),
    ("known_front", "i8", SLOTS),
    ("known_back", "i8", SLOTS),
)


def setup(s, w):
    """The first day begins with seat 0 (U1, U8)."""
    s.day = 1
    begin_day(s)


def to_move(s):
    """Chance rolls, the player decides everything else."""
    if s.phase == Phase.FAMILY or s.phase == Phase.DICE or s.phase == Phase.REROLL:
        return CHANCE
    if s.phase == Phase.OVER:
        return OVER
    return s.player


def count(s, w):
    """The faces of one die (U3) or of three (U9), or the player's moves, in a list."""
    w.size = 0
    if s.phase == Phase.DICE:
        return ROLLS
    if s.phase == Phase.FAMILY or s.phase == Phase.REROLL:
        return PIPS
    if s.phase == Phase.OUT:
        list_out_moves(s, w)
    elif s.phase == Phase.IN:
        list_in_moves(s, w)
    elif s.phase == Phase.PLACE or s.phase == Phase.RETURN:
        list_places(s, w)
    elif s.phase == Phase.SAVE:
        list_swimmers(s, w, Verb.SAVE)
    elif s.phase == Phase.CHOOSE:
        list_swimmers(s, w, Verb.RECALL)
        add(w, pack(Verb.UNDERTOW))
    return w.size


def nth(s, w, i):
    """Rolls in rising order, or the move from the list."""
    if s.phase == Phase.DICE:
        return pack(Verb.DICE, i // (PIPS * PIPS) + 1, i // PIPS % PIPS + 1, i % PIPS + 1)
    if s.phase == Phase.FAMILY or s.phase == Phase.REROLL:
        return pack(Verb.ROLL, i + 1)
    return w.moves[i]


def apply(s, w, code):
    """Roll, place, or carry out one decision of the player's turn, with all that follows by itself."""
    carry_out(s, code)
    go_on(s, w)


def carry_out(s, code):
    """The roll or the decision alone."""
    what = verb(code)
    i = first(code) - 1
    if s.phase == Phase.OUT:
        play_out(s, what, i)
    elif s.phase == Phase.IN:
        play_in(s, what, i)
    elif what == Verb.DICE:
        roll(s, first(code), second(code), third(code))
    elif what == Verb.ROLL:
        roll_family(s, first(code))
    elif what == Verb.PLACE:
        place(s, i, second(code))
    elif what == Verb.SAVE:
        save(s, i)
    elif what == Verb.RECALL:
        recall(s, i)
    else:
        begin_out_part(s, total(s))


def go_on(s, w):
    """A part ends by itself when nothing is left to do in it, and so does the turn (U25, U29).

    Without an affordable step out the rest of the points is ignored (U-R4). Calm and current have an in part then
    (U-R9).
    """
    if s.phase == Phase.OUT and s.detour == 0 and not can_go_out(s, w):
        if has_total(s):
            s.phase = TURN_OVER
        else:
            begin_in_part(s, s.green)
    if s.phase == Phase.IN and not can_go_in(s):
        s.phase = TURN_OVER
    if s.phase == TURN_OVER:
        end_turn(s)


def add(w, code):
    """Put a move on the list."""
    w.moves[w.size] = code
    w.size += 1


# Swimmers and spaces


def family(s):
    """How many swimmers each seat has (U1)."""
    return FAMILY[s.players]


def in_water(s, seat):
    """How many swimmers of the seat are in the water."""
    swimmers = 0
    for i in range(family(s)):
        swimmers += s.step[seat][i] > BEACH
    return swimmers


def at_home(s, seat):
    """How many swimmers of the seat are on the beach."""
    swimmers = 0
    for i in range(family(s)):
        swimmers += s.step[seat][i] == BEACH
    return swimmers


def is_taken(row, lane):
    """Whether nobody can come to that lane of a row: there is a swimmer, or it is out of use (U2, U17)."""
    return (row >> lane) & 1


def bring(s, i, lane, step):
    """Move a swimmer of the player to a space, or to the beach, where it blocks nobody (U18)."""
    seat = s.player
    old = s.step[seat][i]
    if old > BEACH:
        s.taken[old] ^= 1 << s.lane[seat][i]
    if step > BEACH:
        s.taken[step] |= 1 << lane
    s.lane[seat][i] = lane if step > BEACH else 0
    s.step[seat][i] = step


# Set-up


def begin_day(s):
    """No die is rolled or placed (U3, U35); lanes out of use (U2) and the sea beyond the last step (U19) are taken."""
    s.phase = Phase.FAMILY
    s.player = 0
    s.round = 0
    for step in range(1, STEPS + 1):
        s.taken[step] = WALLS[s.players]
    s.taken[STEPS + 1] = (1 << (LANES + 2)) - 1
    for seat in range(s.players):
        for i in range(family(s)):
            s.pips[seat][i] = 0
            s.lane[seat][i] = 0
            s.step[seat][i] = NOT_PLACED


def roll_family(s, face):
    """The next die shows its pips for the whole day (U7): seat 0's first, then seat 1's, … (U3, U-R14).

    With Slow Start it is placed at once (U40), and so is a die that was called back (U33).
    """
    i = 0
    while s.pips[s.player][i] > 0:
        i += 1
    s.pips[s.player][i] = face
    if s.phase == Phase.REROLL:
        s.phase = Phase.RETURN
    elif s.slow_start:
        s.phase = Phase.PLACE
    elif i + 1 == family(s):
        s.player += 1
        if s.player == s.players:
            s.player = 0
            s.phase = Phase.PLACE


def starting_step(s, face):
    """The step of that side number (U5, U-R1), or the nearest one further out that has an empty space (U6, U-R13)."""
    step = START[face]
    while s.taken[step] == s.taken[STEPS + 1]:
        step += 1
    return step


def list_places(s, w):
    """Any die of the player's that is rolled and not placed (U4), in any empty lane of its step (U5)."""
    for i in range(family(s)):
        face = s.pips[s.player][i]
        if face > 0 and s.step[s.player][i] == NOT_PLACED:
            row = s.taken[starting_step(s, face)]
            for lane in range(1, LANES + 1):
                if not is_taken(row, lane):
                    add(w, pack(Verb.PLACE, i + 1, lane))


def place(s, i, lane):
    """Place a die; the next seat is on (U4), and when all are placed seat 0 begins round 1 (U8, U-R17).

    A die that was called back ends the turn (U33).
    """
    bring(s, i, lane, starting_step(s, s.pips[s.player][i]))
    if s.phase == Phase.RETURN:
        s.phase = TURN_OVER
        return
    s.player = (s.player + 1) % s.players
    if s.player == 0 and in_water(s, 0) == family(s):
        s.phase = Phase.DICE
        s.round = 1
    elif s.slow_start:
        s.phase = Phase.FAMILY


# The turn


def roll(s, red, green, modifier):
    """The three dice say which parts the turn has and with how many points (U9).

    Calm and current: out first, with real steps, and then in (U10, U11, U15, U-R9). A wave has no out part (U14).
    """
    s.red = red
    s.green = green
    s.modifier = modifier
    meaning = MODIFIER[modifier]
    if meaning == Modifier.LIFEGUARD:
        s.phase = Phase.SAVE
    elif meaning == Modifier.WAVE:
        begin_in_part(s, total(s))
    elif meaning == Modifier.UNDERTOW:
        roll_undertow(s)
    else:
        begin_out_part(s, red)


def roll_undertow(s):
    """The undertow has an out part only (U16); 6 6 6 may bring a choice first, even if nobody can move (U33, U-R15)."""
    if s.triple_six and is_triple_six(s) and at_home(s, s.player) > 0:
        s.phase = Phase.CHOOSE
    else:
        begin_out_part(s, total(s))


def is_triple_six(s):
    """Whether all three dice show a six (U33)."""
    return s.red == PIPS and s.green == PIPS and s.modifier == PIPS


def total(s):
    """What the wave and the undertow have: the sum of both dice (U14, U16), or the larger in Easy Mode (U39)."""
    if s.easy:
        return max(s.red, s.green)
    return s.red + s.green


def has_total(s):
    """Whether the wave or the undertow is on, where strength does not count (U44, U-R26)."""
    meaning = MODIFIER[s.modifier]
    return meaning == Modifier.WAVE or meaning == Modifier.UNDERTOW


def is_for_each(s):
    """Whether every swimmer has the total as its own points (U14, U16, U-R2, U-R30)."""
    return s.surge == EACH and has_total(s)


def is_tiring(s):
    """Whether a swimmer's pips are its strength: under calm and current (U42)."""
    return s.strength == 1 and not has_total(s)


def may_spend(s, i):
    """How many points a swimmer in the water may still spend on steps in this part.

    All that are left (U12), or its own (U14, U16); and no more than its strength leaves it now (U43, U45, U-R23).
    """
    if s.step[s.player][i] <= BEACH:
        return 0
    if is_for_each(s):
        return s.points - s.swum[i]
    if is_tiring(s):
        return max(min(s.points, s.pips[s.player][i] - s.swum[i]), 0)
    return s.points


def free_steps(s, i):
    """How many sideways steps the swimmer has free: any number under a current (U15), else none (U-R11).

    With Lane Change Limits as many as it has pips now, both parts together (U41, U-R30).
    """
    if MODIFIER[s.modifier] != Modifier.CURRENT:
        return 0
    if s.lane_limits:
        return max(s.pips[s.player][i] - s.drifted[i], 0)
    return BOUNDLESS


def spend(s, i):
    """Pay for a step of the swimmer. It counts for the swimmer where it has a limit of its own (U43, U-R22)."""
    if is_for_each(s):
        s.swum[i] += 1
        return
    if is_tiring(s):
        s.swum[i] += 1
    s.points -= 1
    let_drift(s)


def let_drift(s):
    """A spent point lets everybody drift either way again (U28)."""
    for i in range(LARGEST_FAMILY):
        s.drift[i] = 0


def step_sideways(s, i, side):
    """Free if it can be (U23, U28), else for a point (U23, U27, U41, U-R21)."""
    if free_steps(s, i) > 0:
        s.drifted[i] += s.lane_limits
        if s.phase == Phase.IN:
            s.drift[i] = side
    else:
        spend(s, i)
    bring(s, i, s.lane[s.player][i] + side, s.step[s.player][i])


def list_swimmers(s, w, what):
    """Those in the water for the lifeguard (U13, U-R12), those on the beach for a recall (U33)."""
    for i in range(family(s)):
        if (s.step[s.player][i] > BEACH) == (what == Verb.SAVE):
            add(w, pack(what, i + 1))


def save(s, i):
    """The lifeguard brings a swimmer to the beach, the last one too (U13, U31)."""
    bring(s, i, 0, BEACH)
    if has_won(s):
        end(s)
    else:
        s.phase = TURN_OVER


def recall(s, i):
    """A swimmer leaves the beach; its die is rolled and placed anew (U33)."""
    s.pips[s.player][i] = 0
    s.step[s.player][i] = NOT_PLACED
    s.phase = Phase.REROLL


# The out part


def begin_out_part(s, points):
    """The points pull the swimmers out (U10, U16). The printed example that breaks off adds nothing (U-R28)."""
    s.phase = Phase.OUT
    s.points = points


def can_go_out(s, w):
    """Whether any of the player's swimmers has an affordable straight step or way round (U25)."""
    for i in range(family(s)):
        if can_step_out(s, i):
            return True
    survey(s, w)
    return fewest_sideways(w, 0) > 0


def can_step_out(s, i):
    """For a point, to the empty space further out (U17, U19, U20)."""
    return may_spend(s, i) > 0 and not is_taken(s.taken[s.step[s.player][i] + 1], s.lane[s.player][i])


def list_out_moves(s, w):
    """Straight steps if there are any (U20), else ways round (U21, U22); one that has begun is finished first (U24).

    There is no `stop` (U25). Weakening is allowed beside both (U46, U47, U-R25).
    """
    if s.detour > 0:
        survey(s, w)
        add(w, next_of_detour(w, s.detour - 1))
        return
    for i in range(family(s)):
        if can_step_out(s, i):
            add(w, pack(Verb.OUT, i + 1))
    if w.size == 0:
        survey(s, w)
        list_ways_round(w)
    if is_tiring(s):
        for i in range(family(s)):
            if s.step[s.player][i] > BEACH and s.pips[s.player][i] > 1:
                add(w, pack(Verb.WEAKEN, i + 1))


def is_long_list(s):
    """Whether listing the moves may take long: the lines that ways round begin have no small bound (U22)."""
    return s.phase == Phase.OUT


def next_of_detour(w, i):
    """The step out, or one more to the side on which the rest of the way is shorter: there it was begun (U24, U-R6)."""
    if has_straight_step(w, 0, i):
        return pack(Verb.OUT, i + 1)
    left = way_round(w, 0, i, LEFT)
    right = way_round(w, 0, i, RIGHT)
    if right == 0 or 0 < left < right:
        return pack(Verb.LEFT, i + 1)
    return pack(Verb.RIGHT, i + 1)


def play_out(s, what, i):
    """One step of a swimmer, or a weakening."""
    if what == Verb.LEFT or what == Verb.RIGHT:
        s.detour = i + 1
        step_sideways(s, i, LEFT if what == Verb.LEFT else RIGHT)
        return
    if what == Verb.WEAKEN:
        weaken(s, i)
    else:
        s.detour = 0
        spend(s, i)
        bring(s, i, s.lane[s.player][i], s.step[s.player][i] + 1)


def weaken(s, i):
    """An outward point lowers a swimmer by a pip, to 1 at least; it is not spent on a step (U46, U-R27)."""
    s.points -= 1
    s.pips[s.player][i] -= 1


# Ways out, in the position (level 0) and further on in a line


def survey(s, w):
    """Note down, as the first level of every line, where the player's swimmers are and what they may spend."""
    own = 0
    for i in range(LARGEST_FAMILY):
        w.lane[0][i] = s.lane[s.player][i]
        w.step[0][i] = s.step[s.player][i]
        w.rest[0][i] = may_spend(s, i) if s.step[s.player][i] < STEPS else 0
        w.free[0][i] = free_steps(s, i)
        own += w.rest[0][i]
    for step in range(STEPS + 2):
        w.taken[0][step] = s.taken[step]
    w.each = is_for_each(s)
    w.points[0] = own if w.each else s.points


def can_spend(w, level, i):
    """What the swimmer can spend there: its own rest, but no more than there is."""
    return min(w.rest[level][i], w.points[level])


def has_straight_step(w, level, i):
    """Whether the space further out is empty and the swimmer has a point for it (U17, U19, U20)."""
    if can_spend(w, level, i) < 1:
        return False
    return not is_taken(w.taken[level][w.step[level][i] + 1], w.lane[level][i])


def can_go_straight(w, level):
    """Whether any of the player's swimmers has an affordable straight step (U20)."""
    for i in range(LARGEST_FAMILY):
        if has_straight_step(w, level, i):
            return True
    return False


def way_round(w, level, i, side):
    """How many sideways steps an affordable way round to that side has, or 0 if there is none (U21, U-R4, U-R6).

    Those beyond the free ones cost a point each (U23, U41), the step out one more; the current alters no more (U-R7).
    """
    points = can_spend(w, level, i)
    lane = w.lane[level][i]
    row = w.taken[level][w.step[level][i]]
    further_out = w.taken[level][w.step[level][i] + 1]
    if points < 1 or not is_taken(further_out, lane):
        return 0
    sideways = 1
    while not is_taken(row, lane + side * sideways):
        if not is_taken(further_out, lane + side * sideways):
            if sideways - w.free[level][i] + 1 <= points:
                return sideways
            return 0
        sideways += 1
    return 0


def fewest_sideways(w, level):
    """The fewest sideways steps of the player's affordable ways round, or 0 if there is none (U21, U-R5)."""
    fewest = 0
    for way in range(2 * LARGEST_FAMILY):
        sideways = way_round(w, level, swimmer_of(way), side_of(way))
        if sideways > 0 and (fewest == 0 or sideways < fewest):
            fewest = sideways
    return fewest


def swimmer_of(way):
    """Each swimmer has two ways round."""
    return way // 2


def side_of(way):
    """The even ways are to the left."""
    return RIGHT if way & 1 else LEFT


# Lines


def list_ways_round(w):
    """Of the shortest ways round those that begin a line using the most points (U22, U-R3); one alone is clear."""
    w.fewest[0] = fewest_sideways(w, 0)
    shortest = 0
    for way in range(2 * LARGEST_FAMILY):
        shortest += is_shortest(w, 0, way)
    w.tried = 0
    w.needed = 0
    for way in range(2 * LARGEST_FAMILY):
        if is_shortest(w, 0, way):
            most = w.needed
            if shortest > 1:
                try_lines(w, way)
            if w.needed > most + 1:  # it begins a better line than all ways before it
                w.size = 0
            if w.needed > most or shortest == 1:
                add(w, pack(Verb.LEFT if side_of(way) == LEFT else Verb.RIGHT, swimmer_of(way) + 1))
            w.needed = max(w.needed - 1, most)


def is_shortest(w, level, way):
    """Whether there is such a way round, and none has fewer sideways steps (U21)."""
    return 0 < w.fewest[level] == way_round(w, level, swimmer_of(way), side_of(way))


def try_lines(w, way):
    """Try all lines that begin with this way round, a level deeper for each way round in them (U22).

    One that uses the points needed, or more, raises what is needed to one more than that.
    """
    w.used[0] = 0
    go_round(w, 0, way)
    level = 1
    while level > 0:
        way = next_way(w, level)
        if way >= 0:
            go_round(w, level, way)
            level += 1
        else:
            if w.fewest[level] > 0:
                remember(w, level)
            level -= 1
            compare(w, level)


def next_way(w, level):
    """The next of the shortest ways round here, or -1: all are tried, or a line is known that uses all points."""
    if w.certain[level] == AT_MOST or w.most[level] < w.points[level]:
        for way in range(w.way[level], 2 * LARGEST_FAMILY):
            if is_shortest(w, level, way):
                w.way[level] = way + 1
                return way
    return -1


def compare(w, level):
    """Of the ways round tried at this level keep the one that can use the most points."""
    most = w.used[level + 1] - w.used[level] + w.most[level + 1]
    if most > w.most[level]:
        w.most[level] = most
        w.certain[level] = w.certain[level + 1]
    elif most == w.most[level]:
        w.certain[level] = max(w.certain[level], w.certain[level + 1])


def go_round(w, level, way):
    """Make the next level: the line goes on with this way round and with all straight steps that follow (U20)."""
    if w.tried == PATIENCE:
        forget(w)
    to = level + 1
    for i in range(LARGEST_FAMILY):
        w.rest[to][i] = w.rest[level][i]
        w.free[to][i] = w.free[level][i]
        w.lane[to][i] = w.lane[level][i]
        w.step[to][i] = w.step[level][i]
    for step in range(STEPS + 2):
        w.taken[to][step] = w.taken[level][step]
    w.points[to] = w.points[level]
    w.used[to] = w.used[level]
    w.tried += 1
    swim(w, to, swimmer_of(way), side_of(way), w.fewest[level])
    go_straight(w, to)
    w.fewest[to] = fewest_sideways(w, to)
    w.way[to] = 0
    judge(w, to)


def judge(w, level):
    """Whether ways round must be tried from here: not at a line's end, with too few points left, or if it is known."""
    w.most[level] = 0
    w.certain[level] = AT_MOST
    if w.fewest[level] == 0:
        settle(w, level, 0, EXACTLY)
    elif w.used[level] + w.points[level] < w.needed:
        settle(w, level, w.points[level], AT_MOST)
    else:
        look_up(w, level)


def settle(w, level, most, certain):
    """From here on lines use at most, or exactly, this many points; nothing need be tried."""
    w.fewest[level] = 0
    w.most[level] = most
    w.certain[level] = certain
    if certain == EXACTLY:
        w.needed = max(w.needed, w.used[level] + most + 1)


def go_straight(w, level):
    """Take straight steps as long as there are any. They never hinder each other, so any order will do (U22)."""
    while can_go_straight(w, level):
        for i in range(LARGEST_FAMILY):
            while has_straight_step(w, level, i):
                swim(w, level, i, LEFT, 0)


def swim(w, level, i, side, sideways):
    """Some steps to the side and one out, with their cost (U23)."""
    cost = max(sideways - w.free[level][i], 0) + 1
    w.used[level] += cost
    w.points[level] -= cost
    w.rest[level][i] -= cost
    w.free[level][i] -= sideways + 1 - cost
    step = w.step[level][i]
    w.taken[level][step] ^= 1 << w.lane[level][i]
    w.lane[level][i] += side * sideways
    w.step[level][i] = step + 1
    w.taken[level][step + 1] |= 1 << w.lane[level][i]
    if w.each and step + 1 == STEPS:  # the points it has left are nobody else's
        w.points[level] -= w.rest[level][i]
        w.rest[level][i] = 0


# Different lines often meet in one position. How many points can be used from there is remembered and not sought again.
# It does not matter which swimmer is where: a position is the sorted list of their numbers.


def number_swimmers(w, level):
    """Number and sort the swimmers: lane, step, and what each can still use."""
    for i in range(LARGEST_FAMILY):
        points = can_spend(w, level, i)
        number = (((w.lane[level][i] << 4) | w.step[level][i]) << 4) | points
        number = (number << 3) | (min(w.free[level][i], PIPS + 1) if points > 0 else 0)
        at = i
        while at > 0 and w.number[at - 1] < number:
            w.number[at] = w.number[at - 1]
            at -= 1
        w.number[at] = number


def note_key(w, level):
    """Note down the position as two numbers: four swimmers, of 15 bits each, and the others with the points."""
    number_swimmers(w, level)
    w.front = 0
    w.back = min(w.points[level], 15)  # with "each" the swimmers' own points say it all
    for i in range(LARGEST_FAMILY):
        if i < 4:
            w.front = (w.front << 15) | w.number[i]
        else:
            w.back = (w.back << 15) | w.number[i]


def slot(w):
    """Where in the memory the noted position has its place."""
    number = w.front ^ (w.back << 7)
    number ^= number >> 31
    number ^= number >> 17
    return (number ^ (number >> 9)) & (SLOTS - 1)


def forget(w):
    """Nothing is known of any position."""
    for at in range(SLOTS):
        w.known[at] = UNKNOWN


def remember(w, level):
    """Keep how many points can be used from here; an older position may have to give way. Short searches keep none."""
    if w.tried <= PATIENCE:
        return
    note_key(w, level)
    at = slot(w)
    w.known[at] = w.certain[level]
    w.known_most[at] = w.most[level]
    w.known_front[at] = w.front
    w.known_back[at] = w.back


def look_up(w, level):
    """If the position was met before, and what is known of it is enough, no way need be tried."""
    if w.tried <= PATIENCE:
        return
    note_key(w, level)
    at = slot(w)
    if w.known[at] != UNKNOWN and w.known_front[at] == w.front and w.known_back[at] == w.back:
        if w.known[at] == EXACTLY or w.used[level] + w.known_most[at] < w.needed:
            settle(w, level, w.known_most[at], w.known[at])


# The in part


def begin_in_part(s, points):
    """The points may be used to swim in (U10, U14). What was swum and spent outward counts no more (U43)."""
    s.phase = Phase.IN
    s.points = points
    for i in range(LARGEST_FAMILY):
        s.swum[i] = 0


def can_go_in(s):
    """Whether there is anything to do in the in part but `stop`."""
    for i in range(family(s)):
        if can_step_in(s, i) or can_go_sideways(s, i, LEFT) or can_go_sideways(s, i, RIGHT) or can_strengthen(s, i):
            return True
    return False


def list_in_moves(s, w):
    """Whatever a swimmer can do (U12), and `stop` at any time, under the big wave also (U29, U-R10)."""
    for i in range(family(s)):
        if can_step_in(s, i):
            add(w, pack(Verb.IN, i + 1))
        if can_go_sideways(s, i, LEFT):
            add(w, pack(Verb.LEFT, i + 1))
        if can_go_sideways(s, i, RIGHT):
            add(w, pack(Verb.RIGHT, i + 1))
        if can_strengthen(s, i):
            add(w, pack(Verb.STRENGTHEN, i + 1))
    add(w, pack(Verb.STOP))


def can_step_in(s, i):
    """For a point, to an empty space (U17) or to the beach, where there is always room (U26, U-R29)."""
    if may_spend(s, i) < 1:
        return False
    step = s.step[s.player][i] - 1
    return step == BEACH or not is_taken(s.taken[step], s.lane[s.player][i])


def can_go_sideways(s, i, side):
    """To an empty space (U17), for a point (U27) or free. A free step must not undo the drift so far (U28, U-R8)."""
    step = s.step[s.player][i]
    if step <= BEACH or is_taken(s.taken[step], s.lane[s.player][i] + side):
        return False
    if free_steps(s, i) > 0:
        return s.drift[i] != -side
    return may_spend(s, i) > 0


def can_strengthen(s, i):
    """A swimmer in the water with fewer than 6 pips, under calm or current (U44, U46, U-R19, U-R27)."""
    return is_tiring(s) and s.points > 0 and s.step[s.player][i] > BEACH and s.pips[s.player][i] < PIPS


def play_in(s, what, i):
    """One step of a swimmer, a strengthening, or the end of the part."""
    if what == Verb.STOP:
        s.phase = TURN_OVER
        return
    if what == Verb.LEFT or what == Verb.RIGHT:
        step_sideways(s, i, LEFT if what == Verb.LEFT else RIGHT)
    elif what == Verb.STRENGTHEN:
        strengthen(s, i)
    else:
        spend(s, i)
        bring(s, i, s.lane[s.player][i], s.step[s.player][i] - 1)
        if has_won(s):
            end(s)


def strengthen(s, i):
    """An inward point raises a swimmer by a pip, to 6 at most; it is not spent on a step (U46, U-R24)."""
    s.points -= 1
    s.pips[s.player][i] += 1
    let_drift(s)


# The end of turns, days and games


def has_won(s):
    """Whether the player's last swimmer is on the beach, which ends the standard game at once (U30, U34)."""
    return s.vacation == 0 and in_water(s, s.player) == 0


def end_turn(s):
    """The next seat rolls; after the last seat the round is over (U8).

    In a vacation a seat with nobody in the water is passed over (U37, U-R16). The game or the day ends after its last
    round (U32, U34, U-R20).
    """
    clear_turn(s)
    s.phase = Phase.DICE
    if s.vacation > 0 and nobody_in_water(s):
        end_day(s)
        return
    passed = True
    while passed:
        s.player += 1
        if s.player == s.players:
            if s.round == last_round(s):
                end_day(s)
                return
            s.player = 0
            s.round += 1
        passed = in_water(s, s.player) == 0


def last_round(s):
    """The round after which the day (U34) or the game (U32) ends, or 0 if there is no limit."""
    return TURNS if s.vacation > 0 else s.max_rounds


def clear_turn(s):
    """Outside a turn there are no dice, and nobody has swum or drifted."""
    s.red = 0
    s.green = 0
    s.modifier = 0
    s.points = 0
    for i in range(LARGEST_FAMILY):
        s.swum[i] = 0
        s.drifted[i] = 0
        s.drift[i] = 0


def nobody_in_water(s):
    """Whether all families are on the beach; then the day ends at once (U37)."""
    for seat in range(s.players):
        if in_water(s, seat) > 0:
            return False
    return True


def end_day(s):
    """Each seat scores the pips on its beach (U36, U-R19), and another day begins (U34, U35), or it was the last."""
    if s.vacation > 0:
        for seat in range(s.players):
            s.day_scores[s.day - 1][seat] = pips_on_beach(s, seat)
    if s.day < s.vacation:
        s.day += 1
        begin_day(s)
    else:
        end(s)


def end(s):
    """The game is over and the board is left as it stands (U36)."""
    clear_turn(s)
    s.phase = Phase.OVER
    s.player = 0
    if s.vacation > 0:
        s.round = TURNS


# Scores


def pips_on_beach(s, seat):
    """The pips of the seat's swimmers on the beach; those in the water score nothing (U36, U-R19, U-R30)."""
    pips = 0
    for i in range(family(s)):
        if s.step[seat][i] == BEACH:
            pips += s.pips[seat][i]
    return pips


def score(s, seat):
    """Swimmers on the beach; in a vacation the sum of the days (U38), the one that is going on included."""
    if s.vacation == 0:
        return at_home(s, seat)
    points = 0
    for day in range(DAYS):
        points += s.day_scores[day][seat]
    if s.phase != Phase.OVER:
        points += pips_on_beach(s, seat)
    return points


def distance(s, seat):
    """The sum of the steps of the seat's swimmers in the water."""
    steps = 0
    for i in range(family(s)):
        steps += max(s.step[seat][i], BEACH)
    return steps


def is_ahead(s, seat, other):
    """By score (U30, U38); in the standard game among equals by the smaller distance (U32)."""
    if score(s, seat) != score(s, other):
        return score(s, seat) > score(s, other)
    return s.vacation == 0 and distance(s, seat) < distance(s, other)


def winners(s):
    """Everybody whom nobody is ahead of; equals share the win (U32, U38, U-R18)."""
    found = 0
    if s.phase == Phase.OVER:
        for seat in range(s.players):
            beaten = False
            for other in range(s.players):
                beaten = beaten or is_ahead(s, other, seat)
            if not beaten:
                found |= 1 << seat
    return found


def rounds(s):
    """The rounds begun, over all days."""
    return (s.day - 1) * TURNS + s.round
