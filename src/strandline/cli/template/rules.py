"""Game Title: roll as often as you dare, and stop before a 1 takes it all.

Rule numbers are those of `rules.md` beside this file.
"""

from enum import IntEnum

from strandline.engine.vocabulary import CHANCE, OVER, Facts, Option, first, pack, scratch, state, verb

FACTS = Facts("Game Title", "Roll as often as you dare, and stop before a 1 takes it all.", seats=(2, 3, 4), minutes=10)

OPTIONS = (Option("goal", range(10, 101), 30, "The points that win the game.", title="Points to win"),)

SEATS = 4
FACES = 6
LOSING_FACE = 1


class Phase(IntEnum):
    """What the game waits for."""

    ROLL = 0
    CHOOSE = 1
    END = 2


class Verb(IntEnum):
    """What a move does."""

    ROLL = 0
    AGAIN = 1
    STOP = 2


STATE = state(
    OPTIONS,
    ("phase", "i1"),
    ("player", "i1"),
    ("die", "i1"),
    ("round", "i4"),
    ("turn_points", "i2"),
    ("scores", "i2", SEATS),
)
WORK = scratch()


def setup(s, w):
    """Everybody begins with 0 points, and seat 0 rolls (G1)."""
    s.round = 1


def to_move(s):
    """Chance rolls, the player chooses."""
    if s.phase == Phase.ROLL:
        return CHANCE
    if s.phase == Phase.END:
        return OVER
    return s.player


def count(s, w):
    """Six faces, or two choices (G3)."""
    if s.phase == Phase.ROLL:
        return FACES
    if s.phase == Phase.CHOOSE:
        return 2
    return 0


def nth(s, w, i):
    """Faces in rising order; rolling again before stopping."""
    if s.phase == Phase.ROLL:
        return pack(Verb.ROLL, i + 1)
    return pack(Verb.AGAIN + i)


def apply(s, w, code):
    """Roll, roll again, or stop."""
    what = verb(code)
    if what == Verb.ROLL:
        roll(s, first(code))
    elif what == Verb.AGAIN:
        s.phase = Phase.ROLL
        s.die = 0
    else:
        stop(s)


def roll(s, face):
    """A 1 ends the turn without points; any other face adds to the turn (G2)."""
    if face == LOSING_FACE:
        next_turn(s)
    else:
        s.die = face
        s.turn_points += face
        s.phase = Phase.CHOOSE


def stop(s):
    """The points of the turn are kept (G3); whoever reaches the goal wins at once (G4)."""
    s.scores[s.player] += s.turn_points
    if s.scores[s.player] >= s.goal:
        s.phase = Phase.END
        s.die = 0
        s.turn_points = 0
    else:
        next_turn(s)


def next_turn(s):
    """The next seat rolls; after the last one a new round begins (G1)."""
    s.die = 0
    s.turn_points = 0
    s.phase = Phase.ROLL
    s.player += 1
    if s.player == s.players:
        s.player = 0
        s.round += 1


def score(s, seat):
    """The points that the seat has kept."""
    return s.scores[seat]


def winners(s):
    """The seat that has reached the goal (G4)."""
    if s.phase == Phase.END:
        return 1 << s.player
    return 0


def rounds(s):
    """The rounds begun."""
    return s.round
