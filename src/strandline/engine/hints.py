"""What a game's `hints.py` may define, so that bots play it better: in the rules' subset, and all of it optional.

The functions here are what counts where a game says nothing else. They guide a search and never change a rule. Values
are whole numbers from 0 (lost) to 1000 (won).
"""

from strandline.engine.contract import score, winners
from strandline.engine.draws import below

WORK = object()
"""Scratch space for rules and hints: that of the game's hints where they have their own, else that of its rules."""
SIMULATIONS = 20_000
"""How many simulations level 5 runs, well within a second on two cores; a game says so under the same name."""
BLUNDER_RATE = 1.0
"""How much of the levels' blunder rate applies: little in a game that one wrong step of many may lose."""


def forget(w):
    """Another game begins: what `w` remembers from one move to the next no longer counts."""


def pick(s, w, n, bits):
    """Which of the `n` moves, right after `count`, a seat makes in a playout; `bits` are 31 random bits."""
    return below(bits, n)


def guided(s, w, n, bits):
    """Which of the `n` moves, right after `count`, a sensible player makes at sight; it sees what its seat does."""
    return pick(s, w, n, bits)


def stop_playout(s, w, step):
    """Whether a playout is cut off here, before this step of it, counted from 1, and the position evaluated.

    It is also asked before chance events in the tree, as step 0: where that is enough, the tree goes no further, and a
    playout begins.
    """
    return step > 1000


def evaluate(s, w, seat):
    """What a position in which the game goes on is worth to the seat."""
    return lead(s, seat)


def worth(s, seat):
    """What a finished game is worth to the seat: its share of the win, and a little for a good score in any case."""
    return (share(s, seat) * 9 + lead(s, seat)) // 10


def share(s, seat):
    """The win, shared among all who have won."""
    won = winners(s)
    if not won >> seat & 1:
        return 0
    number = 0
    for other in range(s.players):
        number += won >> other & 1
    return 1000 // number


def lead(s, seat):
    """How the seat's score compares with the best of the others'."""
    own = score(s, seat)
    best = 0
    for step in range(1, s.players):
        other = score(s, (seat + step) % s.players)
        if step == 1 or other > best:
            best = other
    return 500 + 500 * (own - best) // (abs(own) + abs(best) + 1)
