"""Undertow: what helps a bot. Swimmers that move at random take for ever; these swim in."""

from strandline.engine.draws import below
from strandline.engine.vocabulary import first, table, verb

from .box import FAMILY, STEPS
from .rules import BEACH, Phase, Verb, score

SIMULATIONS = 30_000

NEAR = table((1000, 560, 480, 420, 370, 325, 285, 250, 220, 190, 165, 145, 130))
"""What a swimmer at this step is worth: the beach for good, and the next steps the more the nearer they are."""
LEAD = 4000
"""A lead that decides the game, in the same measure."""


def is_enough(s, steps):
    """A playout is cut off when a turn is over: further on luck counts for more than the moves before it."""
    return steps > 0 and s.phase == Phase.DICE


def evaluate(s, seat):
    """How far the family has come, compared with the best of the others."""
    best = -LEAD
    for other in range(s.players):
        if other != seat:
            best = max(best, progress(s, other))
    return 500 + 500 * max(-LEAD, min(LEAD, progress(s, seat) - best)) // (LEAD + 1)


def progress(s, seat):
    """The worth of all swimmers; in a vacation a point is a pip."""
    total = 0
    if s.vacation > 0:
        total = score(s, seat) * 300
    for i in range(FAMILY[s.players]):
        if s.step[seat][i] >= BEACH:
            total += NEAR[min(s.step[seat][i], STEPS)]
    return total


def pick(s, w, n, bits):
    """Swim in with the nearest, out with the farthest, save the farthest; now and then, and elsewhere, anything."""
    if bits & 7 == 0 or (s.phase != Phase.IN and s.phase != Phase.OUT and s.phase != Phase.SAVE):
        return below(bits, n)
    best = below(bits, n)
    most = 0
    for i in range(n):
        eager = eagerness(s, w.moves[i])
        if eager > most:
            most = eager
            best = i
    return best


def eagerness(s, code):
    """How much a step is to be liked in a playout; 0 where there is nothing to say for it."""
    what = verb(code)
    if what == Verb.IN:
        return 1 + STEPS - s.step[s.player][first(code) - 1]
    if what == Verb.OUT or what == Verb.SAVE:
        return s.step[s.player][first(code) - 1]
    return 0
