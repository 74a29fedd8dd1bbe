"""Up the River: sailboats race to the harbor while the current carries them to the waterfall.

Rule numbers are those of `docs/rules/up_the_river.md`. Boats count from 0 here, from 1 in the notation.
"""

from enum import IntEnum

from strandline.engine.vocabulary import (
    CHANCE,
    OVER,
    Facts,
    Option,
    first,
    message,
    pack,
    scratch,
    second,
    state,
    verb,
)

from .box import PLACES, SANDBANK_START, TIDE_START

FACTS = Facts("Up the River", "Sail three boats home before the current takes them.", seats=(2, 3, 4), minutes=20)

OPTIONS = (
    Option(
        "sandbank_start",
        range(1, PLACES + 1),
        SANDBANK_START,
        "The card on which the sandbank lies at the start, counted from the waterfall.",
        title="Sandbank",
    ),
    Option(
        "tide_start",
        range(1, PLACES + 1),
        TIDE_START,
        "The card on which the high tide lies at the start, counted from the waterfall.",
        title="High tide",
    ),
    Option(
        "round_limit",
        range(1001),
        100,
        "The game ends after this many rounds; 0 means no limit.",
        title="Longest game, in rounds",
    ),
)

SEATS = 4
BOATS = 3
LOST = 0
HARBOR = PLACES + 1
START = 4
TOP_DOCK = 12
TIDE_ADVANCE = 3
WIND_FACE = 6


class Phase(IntEnum):
    """What the game waits for."""

    ROLL = 0
    SAIL = 1
    WIND = 2
    END = 3


class Verb(IntEnum):
    """What a move does."""

    ROLL = 0
    SAIL = 1
    GOOD = 2
    ILL = 3


STATE = state(
    OPTIONS,
    ("phase", "i1"),
    ("player", "i1"),
    ("die", "i1"),
    ("sandbank", "i1"),
    ("tide", "i1"),
    ("next_dock", "i1"),
    ("round", "i4"),
    ("boats", "i1", (SEATS, BOATS)),  # a place from 1 to 10, LOST or HARBOR
    ("docks", "i1", (SEATS, BOATS)),  # the number of the boat's dock, or 0
)
WORK = scratch(("winds", "i4", SEATS * BOATS))


def conflict(options):
    """Two cards cannot lie at one place (R1, R-R1)."""
    if options["sandbank_start"] == options["tide_start"]:
        return message("{sandbank_start} and {tide_start} must differ: two cards cannot lie at one place.")
    return None


def setup(s, w):
    """The river lies as laid out (R1), all boats on card 4 (R2); seat 0 rolls (R3), with no current yet (R-R2)."""
    s.sandbank = s.sandbank_start
    s.tide = s.tide_start
    s.next_dock = TOP_DOCK
    s.round = 1
    for seat in range(s.players):
        for boat in range(BOATS):
            s.boats[seat][boat] = START


def to_move(s):
    """Chance rolls, the player sails or takes a wind."""
    if s.phase == Phase.ROLL:
        return CHANCE
    if s.phase == Phase.END:
        return OVER
    return s.player


def count(s, w):
    """Six faces; or a move for each boat that can sail (R-R6) or each wind that can blow (R9, R16, R-R8)."""
    if s.phase == Phase.ROLL:
        return 6
    if s.phase == Phase.SAIL:
        return afloat(s, s.player)
    if s.phase == Phase.WIND:
        return list_winds(s, w)
    return 0


def nth(s, w, i):
    """Faces, boats and winds in rising order; every Good Wind before every Ill Wind (R-R28)."""
    if s.phase == Phase.ROLL:
        return pack(Verb.ROLL, i + 1)
    if s.phase == Phase.WIND:
        return w.winds[i]
    one = on_river(s.boats[s.player][0])
    two = one + on_river(s.boats[s.player][1])
    return pack(Verb.SAIL, 1 + (one <= i) + (two <= i))


def apply(s, w, code):
    """Roll, or move a boat and go on to the next turn."""
    what = verb(code)
    if what == Verb.ROLL:
        roll(s, first(code))
        return
    if what == Verb.SAIL:
        sail(s, first(code) - 1)
    elif what == Verb.GOOD:
        good_wind(s, first(code) - 1)
    else:
        ill_wind(s, first(code), second(code) - 1)
    next_turn(s)


def roll(s, face):
    """1 to 5 sails (R4); a six is wind (R9, R-R7), and the turn is lost if none can blow (R17)."""
    s.die = face
    s.phase = Phase.SAIL if face < WIND_FACE else Phase.WIND
    if face == WIND_FACE and not any_wind(s):
        next_turn(s)


# Where boats are


def on_river(place):
    """Neither lost nor in the harbor."""
    return LOST < place < HARBOR


def afloat(s, seat):
    """How many boats of the seat are on the river."""
    boats = s.boats[seat]
    return on_river(boats[0]) + on_river(boats[1]) + on_river(boats[2])


def ahead(s, seat, place):
    """The place of the seat's nearest boat ahead on the river (R-R14), or HARBOR, where none counts (R-R16)."""
    nearest = HARBOR
    for boat in range(BOATS):
        other = s.boats[seat][boat]
        if place < other < nearest:
            nearest = other
    return nearest


def behind(s, seat, place):
    """The place of the seat's nearest boat strictly behind on the river, or LOST (R-R14)."""
    nearest = LOST
    for boat in range(BOATS):
        other = s.boats[seat][boat]
        if nearest < other < place:
            nearest = other
    return nearest


# Sailing


def sail(s, boat):
    """The boat sails as far as the throw takes it (R4)."""
    bring(s, boat, reach(s, s.boats[s.player][boat]))


def reach(s, place):
    """Where the throw takes a boat; if exactly onto the high tide, three cards further, once (R7, R8, R-R9, R-R12)."""
    goal = upstream(s, place, s.die)
    if goal == s.tide and goal == place + s.die:
        return upstream(s, goal, TIDE_ADVANCE)
    return goal


def upstream(s, place, cards):
    """Where a boat gets to that sails that many cards: the sandbank stops it (R5, R-R10), the harbor too (R22, R-R11).

    A boat that starts on the sandbank is free (R6), other boats block nothing (R-R20), and what is left of the throw is
    lost (R-R21).
    """
    goal = min(place + cards, HARBOR)
    if place < s.sandbank < goal:
        return s.sandbank
    return goal


def bring(s, boat, goal):
    """Put a boat of the player on its place; in the harbor it ties up at the highest free dock (R23, R-R22, R-R23)."""
    s.boats[s.player][boat] = goal
    if goal == HARBOR:
        s.docks[s.player][boat] = s.next_dock
        s.next_dock -= 1


# Wind


def any_wind(s):
    """Whether a wind is possible: no colour has any with all its boats on the river on one card (R12, R15, R-R15)."""
    for seat in range(s.players):
        for boat in range(BOATS):
            if can_blow(s, seat, boat):
                return True
    return False


def list_winds(s, w):
    """List the winds: Good ones for the player (R10, R12), then Ill ones against opponents only (R13, R15, R-R17)."""
    n = 0
    for boat in range(BOATS):
        if can_blow(s, s.player, boat):
            w.winds[n] = pack(Verb.GOOD, boat + 1)
            n += 1
    for seat in range(s.players):
        if seat != s.player:
            for boat in range(BOATS):
                if can_blow(s, seat, boat):
                    w.winds[n] = pack(Verb.ILL, seat, boat + 1)
                    n += 1
    return n


def can_blow(s, seat, boat):
    """A Good Wind needs an own boat ahead, an Ill Wind one of the same colour behind."""
    place = s.boats[seat][boat]
    if not on_river(place):
        return False
    if seat == s.player:
        return ahead(s, seat, place) != HARBOR
    return behind(s, seat, place) != LOST


def good_wind(s, boat):
    """Up to one's next boat (R10) or to the sandbank strictly between (R11, R-R13). It is no throw (R8, R-R12)."""
    place = s.boats[s.player][boat]
    s.boats[s.player][boat] = upstream(s, place, ahead(s, s.player, place) - place)


def ill_wind(s, seat, boat):
    """Back to the nearest of its colour (R13), past the sandbank (R14), with no side effect (R-R18, R-R19)."""
    s.boats[seat][boat] = behind(s, seat, s.boats[seat][boat])


# The next turn


def next_turn(s):
    """The next seat with a boat on the river rolls (R3, R-R5); after the last the round is over (R18, R-R3, R-R4)."""
    s.die = 0
    s.phase = Phase.ROLL
    for seat in range(s.player + 1, s.players):
        if afloat(s, seat):
            s.player = seat
            return
    if not anybody_afloat(s, s.player + 1) or s.round == s.round_limit:
        end(s)
        return
    current(s)
    for seat in range(s.players):
        if afloat(s, seat):
            s.player = seat
            return
    end(s)


def anybody_afloat(s, seats):
    """Whether one of the first `seats` seats has a boat on the river."""
    for seat in range(seats):
        if afloat(s, seat):
            return True
    return False


def current(s):
    """The bottom card goes to the top: its boats are lost, all else is one place lower (R18, R19, R20, R-R29)."""
    s.round += 1
    for seat in range(s.players):
        for boat in range(BOATS):
            s.boats[seat][boat] -= on_river(s.boats[seat][boat])
    s.sandbank = s.sandbank - 1 if s.sandbank > 1 else PLACES
    s.tide = s.tide - 1 if s.tide > 1 else PLACES


def end(s):
    """It ends at once when no boat is on the river (R24, R-R26), or after the last round allowed (R-R27)."""
    s.phase = Phase.END
    s.player = 0


# Scores


def score(s, seat):
    """The sum of the seat's docks (R25), also for a seat that lost other boats (R-R30)."""
    return s.docks[seat][0] + s.docks[seat][1] + s.docks[seat][2]


def winners(s):
    """Everybody with the highest score (R26, R-R24); nobody if no boat came home (R21, R-R25)."""
    best = 0
    found = 0
    if s.phase == Phase.END:
        for seat in range(s.players):
            points = score(s, seat)
            if points > best:
                best = points
                found = 0
            if points == best and best > 0:
                found |= 1 << seat
    return found


def rounds(s):
    """The rounds begun."""
    return s.round
