"""Up the River: what studies count."""

from strandline.engine.metrics import Metric
from strandline.engine.vocabulary import first, verb

from .rules import BOATS, HARBOR, LOST, WIND_FACE, Phase, Verb, on_river, score, upstream

METRICS = (
    Metric("docked", "boats", "boats that reach the harbor and tie up at a dock"),
    Metric("waterfall", "boats", "boats that the current carries over the waterfall"),
    Metric("groundings", "boats", "boats that the sandbank stops"),
    Metric("high tides", "throws", "throws that end exactly on the high tide and go three cards further"),
    Metric("good winds", "winds", "sixes that blow an own boat up to the next one"),
    Metric("ill winds", "winds", "sixes that blow another player's boat back"),
    Metric("lost sixes", "turns", "sixes with no wind to blow: the turn is lost"),
)
DOCKED, WATERFALL, GROUNDINGS, TIDES, GOOD, ILL, CALM = range(len(METRICS))

RIVER = 10
"""A point at the docks is worth more than any place on the river."""


def watch(before, after, code, tally):
    """What a roll, a throw or a wind did, and the current that may follow it."""
    what = verb(code)
    if what == Verb.ROLL:
        tally[CALM] += first(code) == WIND_FACE and after.phase != Phase.WIND
    elif what == Verb.ILL:
        tally[ILL] += 1
    else:
        own_boat(before, after, what, first(code) - 1, tally)
    for seat in range(before.players):
        for boat in range(BOATS):
            tally[WATERFALL] += after.boats[seat][boat] == LOST and before.boats[seat][boat] != LOST


def own_boat(before, after, what, boat, tally):
    """Where a boat of the player came, before the current took it."""
    place = before.boats[before.player][boat]
    goal = after.boats[before.player][boat]
    if goal < HARBOR:
        goal += after.round - before.round
    tally[DOCKED] += goal == HARBOR
    tally[GROUNDINGS] += goal == before.sandbank
    tally[GOOD] += what == Verb.GOOD
    if what == Verb.SAIL:
        landed = upstream(before, place, before.die)
        tally[TIDES] += landed == before.tide and landed == place + before.die


def is_aground(s, code):
    """Whether a move sails a boat that lies on the sandbank."""
    return verb(code) == Verb.SAIL and s.boats[s.player][first(code) - 1] == s.sandbank


KINDS = {"aground": is_aground}
"""Kinds of moves, beside those that the first word tells, that players of studies may do without."""


def progress(s, seat):
    """The docks, and then how far up the river the boats are."""
    places = 0
    for boat in range(BOATS):
        if on_river(s.boats[seat][boat]):
            places += s.boats[seat][boat]
    return score(s, seat) * BOATS * RIVER + places
