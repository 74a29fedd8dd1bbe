"""Nim: take one to three stones; whoever takes the last one wins (N1, N2)."""

from strandline.engine.vocabulary import OVER, Facts, first, pack, scratch, state

FACTS = Facts("Nim", "Take one to three stones, and the last one too.", seats=(2,), minutes=2, chance=False)
OPTIONS = ()
STONES = 21
MOST = 3

STATE = state(OPTIONS, ("stones", "i1"), ("player", "i1"), ("turns", "i1"))
WORK = scratch()


def setup(s, w):
    """All stones lie there (N1)."""
    s.stones = STONES


def to_move(s):
    """The players take turns."""
    if s.stones == 0:
        return OVER
    return s.player


def count(s, w):
    """One to three stones (N1)."""
    return min(MOST, s.stones)


def nth(s, w, i):
    """The fewest first."""
    return pack(0, i + 1)


def apply(s, w, code):
    """Take stones (N1)."""
    s.stones -= first(code)
    s.turns += 1
    s.player = 1 - s.player


def score(s, seat):
    """A point for the last stone."""
    return winners(s) >> seat & 1


def winners(s):
    """Whoever took the last stone (N2)."""
    if s.stones == 0:
        return 1 << (1 - s.player)
    return 0


def rounds(s):
    """Two turns are a round."""
    return (s.turns + 1) // 2
