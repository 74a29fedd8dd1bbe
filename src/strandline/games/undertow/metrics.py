"""Undertow: what studies count."""

from strandline.engine.metrics import Metric
from strandline.engine.vocabulary import first, third, verb

from .box import LARGEST_FAMILY, MODIFIER, STEPS
from .rules import Phase, Verb, at_home, distance, family, is_for_each, may_spend, score

METRICS = (
    Metric("lifeguards", "rolls", "rolls that call the lifeguard, who brings a swimmer to the beach"),
    Metric("calm", "rolls", "rolls with a calm sea: out with red, then in with green"),
    Metric("waves", "rolls", "rolls with a big wave: everybody in"),
    Metric("currents", "rolls", "rolls with a current: sideways steps are free"),
    Metric("undertows", "rolls", "rolls with the undertow: everybody out"),
    Metric("swum ashore", "swimmers", "swimmers that reach the beach by themselves"),
    Metric("steps in", "steps", "steps towards the beach"),
    Metric("steps out", "steps", "steps that the pull of the sea takes"),
    Metric("ways round", "ways", "ways round others on the way out"),
    Metric("points left", "points", "inward points that a player gives up by stopping"),
    Metric("recalls", "swimmers", "swimmers called back from the beach on 6 6 6"),
)
(LIFEGUARDS, _, _, _, _, ASHORE, STEPS_IN, STEPS_OUT, ROUND, POINTS_LEFT, RECALLS) = range(len(METRICS))

FARTHEST = LARGEST_FAMILY * STEPS + 1
"""More steps than a family can be away from the beach."""


def watch(before, after, code, tally):
    """What a roll or a step did. The modifiers are counted in the order of the box."""
    what = verb(code)
    if what == Verb.DICE:
        tally[LIFEGUARDS + MODIFIER[third(code)]] += 1
    elif what == Verb.IN:
        tally[STEPS_IN] += 1
        tally[ASHORE] += before.step[before.player][first(code) - 1] == 1
    elif what == Verb.OUT:
        tally[STEPS_OUT] += 1
    elif what == Verb.LEFT or what == Verb.RIGHT:
        tally[ROUND] += before.phase == Phase.OUT and before.detour == 0
    elif what == Verb.STOP:
        tally[POINTS_LEFT] += points_left(before)
    elif what == Verb.RECALL:
        tally[RECALLS] += 1


def points_left(s):
    """What could still be spent: one pool of points, or the swimmers' own."""
    if not is_for_each(s):
        return s.points
    points = 0
    for i in range(family(s)):
        points += may_spend(s, i)
    return points


def progress(s, seat):
    """The score; in the standard game the swimmers on the beach, and then how near the others are."""
    if s.vacation > 0:
        return score(s, seat)
    return at_home(s, seat) * FARTHEST - distance(s, seat)
