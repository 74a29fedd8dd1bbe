"""Backward induction over the rounds of two seats, compiled: what `exact` fills its tables with.

A position of two seats that waits for a roll is the place of the sandbank, the seat that rolls, and the state: two
fleets and an order of docking, `first[a, b] + order` (see `exact`). Two things are expected of it: the LEAD, how much
more often seat 0 wins than seat 1, and the WIN, how often anybody does.
"""

LEAD = 0
WIN = 1
FACES = 6
SAME = 1e-12
"""Moves whose leads differ by less are equally good. The first of them is played: so the WIN is well defined."""


def drift(fleets, rivals, first, home, downstream, following, over):
    """The current: what is expected when a round is `over` is what is expected as the `following` one begins (R18)."""
    for a in fleets:
        for b in rivals:
            here = first[a, b]
            there = first[downstream[a], downstream[b]]
            for order in range(home[a] * home[b] + 1):
                over[LEAD, here + order] = following[LEAD, there + order]
                over[WIN, here + order] = following[WIN, there + order]


def turn(seat, fleets, rivals, first, home, sails, goods, ills, after, before):
    """Seat 0's or 1's turn: fill in what is expected before its roll. Returns by how much anything has changed.

    A seat without a boat on the river has no turn (R-R5): what is expected after it is expected before it, too.
    """
    change = 0.0
    for a in fleets:
        for b in rivals:
            own = b if seat else a
            for order in range(home[a] * home[b] + 1):
                here = first[a, b] + order
                lead = after[LEAD, here]
                win = after[WIN, here]
                if sails[own, 0, 0] >= 0:
                    best = best_wind(seat, a, b, order, first, goods, ills, after[LEAD])
                    lead = after[LEAD, best]
                    win = after[WIN, best]
                    for die in range(FACES - 1):
                        best = best_sail(seat, a, b, order, first, home, sails[own, die], after[LEAD])
                        lead += after[LEAD, best]
                        win += after[WIN, best]
                    lead /= FACES
                    win /= FACES
                change = max(change, abs(lead - before[LEAD, here]), abs(win - before[WIN, here]))
                before[LEAD, here] = lead
                before[WIN, here] = win
    return change


def best_sail(seat, a, b, order, first, home, goals, leads):
    """The best state after sailing; `goals` are the fleets that the seat can have then (R4).

    A boat of seat 1 that docks comes home after every docked boat of seat 0, which adds as many to the order.
    """
    best = -1
    for goal in goals:
        if goal >= 0 and seat == 0:
            best = better(seat, best, first[goal, b] + order, leads)
        elif goal >= 0:
            best = better(seat, best, first[a, goal] + order + home[a] * (home[goal] - home[b]), leads)
    return best


def best_wind(seat, a, b, order, first, goods, ills, leads):
    """The best state after a Good Wind for the seat or an Ill Wind against the other; the same if none blows (R17)."""
    best = -1
    for goal in goods[b] if seat else goods[a]:
        if goal >= 0:
            best = better(seat, best, (first[a, goal] if seat else first[goal, b]) + order, leads)
    for goal in ills[a] if seat else ills[b]:
        if goal >= 0:
            best = better(seat, best, (first[goal, b] if seat else first[a, goal]) + order, leads)
    return best if best >= 0 else first[a, b] + order


def better(seat, best, other, leads):
    """The state with the larger lead for the seat; the earlier one if they are equally good."""
    if best < 0:
        return other
    gain = leads[best] - leads[other] if seat else leads[other] - leads[best]
    return other if gain > SAME else best
