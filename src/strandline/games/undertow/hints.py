"""Undertow: what helps a bot. Swimmers that move at random take forever; these swim in.

A family alone in the sea, lanes left aside, has only 50,388 positions, and how many turns it needs to come home can be
reckoned exactly for all of them. `EACH_ONE` and `FAMILY_LEFT` are fitted to that, each position weighted by how often
it was met in 20,000 games of good players, and are shaped so that a turn that is best by these tables is as good as
best by the exact numbers. `BLOCKED` and `RATE` are fitted to who won those games and 14,000 more of three and four.
"""

from math import exp

from strandline.engine.draws import below
from strandline.engine.hints import share
from strandline.engine.vocabulary import first, table, verb

from .box import FAMILY, STEPS, TURNS
from .rules import BEACH, Phase, Verb, is_taken, score

SIMULATIONS = 30_000

EACH_ONE = table((0, 70, 113, 148, 182, 213, 242, 266, 288, 308, 327, 347, 362, 375, 387, 398))
"""The time that a swimmer at this step takes its family, in hundredths of a turn."""
FAMILY_LEFT = table((0, 103, 122, 133, 135, 120, 91, 63))
"""The time on top with this many in the water: the last ones are slow, for the sea has nobody else to pull at."""
BLOCKED = 9
"""The time on top if somebody is in a swimmer's way in."""
LEAD = 2000
"""A lead in time that is as good as a win."""

LONGEST = 40
RATE = table([round(64 * a * (turns + 4) ** -0.65) for turns in range(LONGEST)] for a in (0, 0, 1.21, 1.47, 1.62))
"""By seats, and the turns that the fastest still needs: a lead of a turn makes its chances better by e, in 64ths."""
FARTHEST_BEHIND = 639
WEIGHT = table(round(2**20 * exp(-x / 64)) for x in range(FARTHEST_BEHIND + 1))
"""The powers of e for that: chances of winning are as these numbers."""

PIPS_LEAD = 30_000
"""A lead that is as good as a win in a vacation, in thousandths of a pip."""


def stop_playout(s, w, step):
    """When a turn is over: further on luck counts for more than moves, and the tables know the rest well enough."""
    return s.phase == Phase.DICE


def evaluate(s, w, seat):
    """The chance of winning and the lead, half and half: a player all but sure of the one still sees the other."""
    if s.vacation > 0:
        return 500 + 500 * lead_in_pips(s, seat) // (PIPS_LEAD + 1)
    return (chance(s, seat) + 500 + 500 * lead_in_time(s, seat) // LEAD) // 2


def worth(s, seat):
    """The win alone counts: a finished game must compare with chances of winning."""
    return share(s, seat)


def time_left(s, seat):
    """When the family will be home if nothing is in its way but what is now; turns of others count for a share."""
    time = (seat - s.player) % s.players * 100 // s.players
    in_water = 0
    for i in range(FAMILY[s.players]):
        step = s.step[seat][i]
        if step > BEACH:
            in_water += 1
            time += EACH_ONE[step]
            if step > 1 and is_taken(s.taken[step - 1], s.lane[seat][i]):
                time += BLOCKED
    return time + FAMILY_LEFT[in_water]


def chance(s, seat):
    """The chance that the family is home first, in thousandths."""
    own = time_left(s, seat)
    least = own
    for other in range(s.players):
        least = min(least, time_left(s, other))
    rate = RATE[s.players][min(least // 100, LONGEST - 1)]
    total = 0
    for other in range(s.players):
        total += WEIGHT[min((time_left(s, other) - least) * rate // 100, FARTHEST_BEHIND)]
    return 1000 * WEIGHT[min((own - least) * rate // 100, FARTHEST_BEHIND)] // total


def lead_in_time(s, seat):
    """By how much the family will be home before the first of the others, or after it."""
    least = LONGEST * 100
    for other in range(s.players):
        if other != seat:
            least = min(least, time_left(s, other))
    return max(-LEAD, min(LEAD, least - time_left(s, seat)))


def lead_in_pips(s, seat):
    """By how much the family will have more pips than the best of the others, or fewer."""
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, pips_to_come(s, other))
    return max(-PIPS_LEAD, min(PIPS_LEAD, pips_to_come(s, seat) - most))


def pips_to_come(s, seat):
    """The score with what will be added today, in thousandths: a swimmer's chance falls with its step and with time."""
    turns = TURNS - s.round + (seat >= s.player)
    pips = 1000 * score(s, seat)
    for i in range(FAMILY[s.players]):
        step = s.step[seat][i]
        if step > BEACH:
            pips += s.pips[seat][i] * 4000 * turns // (4 * turns + 3 + step * step)
    return pips


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
    """How attractive a step is in a playout; 0 where nothing speaks for it."""
    what = verb(code)
    if what == Verb.IN:
        return 1 + STEPS - s.step[s.player][first(code) - 1]
    if what == Verb.OUT or what == Verb.SAVE:
        return s.step[s.player][first(code) - 1]
    if what == Verb.STOP and s.points == 0:  # nothing is left but to drift
        return 1
    return 0
