"""Backward induction over the rounds of two seats, compiled: what `exact` fills its tables with.

A position of two seats is (place of the sandbank, step, state). The steps of a round are seat 0's roll, seat 1's roll,
and the moment before the current. A state is two fleets and an order of docking, `first[a, b] + order` (see `exact`).
For each of them, `leads` is how much more often seat 0 is expected to win than seat 1, and `wins` how often anybody is.
"""

SAME = 1e-12
"""Moves whose leads differ by less are equally good; the first of them is played, so that `wins` is well defined."""


def drift(fleets, rivals, first, home, downstream, upper, lower):
    """The current: what is expected before it, `upper`, is what is expected when the next round begins (R18)."""
    for a in fleets:
        for b in rivals:
            here = first[a, b]
            there = first[downstream[a], downstream[b]]
            for order in range(home[a] * home[b] + 1):
                upper[here + order] = lower[there + order]


def turn(seat, fleets, rivals, first, home, sails, goods, ills, leads_after, wins_after, leads, wins):
    """Seat 0's or 1's turn: fill in what is expected before its roll. Returns by how much anything has changed.

    A seat without a boat on the river has no turn (R-R5): what is expected after it is expected before it, too.
    """
    change = 0.0
    for a in fleets:
        for b in rivals:
            own = b if seat else a
            for order in range(home[a] * home[b] + 1):
                here = first[a, b] + order
                lead = 0.0
                win = 0.0
                if sails[own, 0, 0] < 0:
                    lead = leads_after[here]
                    win = wins_after[here]
                else:
                    for die in range(sails.shape[1]):
                        best = best_sail(seat, a, b, order, first, home, sails[own, die], leads_after)
                        lead += leads_after[best]
                        win += wins_after[best]
                    best = best_wind(seat, a, b, order, first, goods, ills, leads_after)
                    lead = (lead + leads_after[best]) / 6
                    win = (win + wins_after[best]) / 6
                change = max(change, abs(lead - leads[here]), abs(win - wins[here]))
                leads[here] = lead
                wins[here] = win
    return change


def best_sail(seat, a, b, order, first, home, goals, leads):
    """The best state after sailing; `goals` are the fleets that the seat can have then (R4).

    A boat of seat 1 that docks comes home after every docked boat of seat 0, which adds so many to the order.
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
