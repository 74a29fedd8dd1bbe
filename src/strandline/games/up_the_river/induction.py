"""Backward induction over the rounds of two seats, compiled: what `exact` fills its tables with.

A position of two seats that waits for a roll is the place of the sandbank, the seat that rolls, and the state, as that
seat sees it: its own fleet, the other's, and an order of docking. Two things are expected of it: the LEAD, how much
more often the seat wins than the other, and the WIN, how often anybody does.

What a seat can do hardly depends on the other's fleet. So the states of one fleet against many lie in a row, and rows
are compared as a whole, several states at a time. A block is rows: some fleets of the seat with HOME boats at home
against RIVALS fleets of the other, from RIVAL on, with THEIRS at home, in one ORDER of docking.
"""

LEAD = 0
WIN = 1
FACES = 6
BOATS = 3
ROOM = 384
"""More places than a row has."""
SAME = 1e-12
"""Moves whose leads differ by less are equally good. The first of them is played: so the WIN is well defined."""
SETTLED = 1e-12
"""Fleets are solved when a round's expectations change by no more in a whole turn of the river."""

HOME, THEIRS, ORDER, FLEET, FLEETS, RIVAL, RIVALS = range(7)
"""What a block says."""


def go_back(rounds, blocks, rows, carried, sails, goods, ills, expected, after, totals):
    """Fill in round after round, `rounds` at most, until one changes by nothing since the turn of the river before.

    What is expected in a round is made of what is expected in the following one, and no difference grows by that: then
    no round before it changes either. Returns by how much the last one has changed.
    """
    number = 0
    change = SETTLED
    while number < rounds and (number <= len(expected) or change >= SETTLED):
        here = number % len(expected)
        following = expected[(here or len(expected)) - 1, 0]
        river = number % len(sails)  # the current takes the sandbank one place down, from the lowest to the highest
        given = blocks, rows, carried, sails[river], goods[river], ills
        change = round_back(*given, following, after[number % len(after)], expected[here], totals)
        number += 1
    return change


def round_back(blocks, rows, carried, sails, goods, ills, following, after, before, totals):
    """Fill in what is expected after and before each seat's turn of a round. Returns by how much the latter changes."""
    change = 0.0
    for seat in range(1, -1, -1):
        pass_on(blocks[seat], rows, carried[seat], following, after[seat])
        change = max(change, turn(blocks[seat], rows, sails, goods, ills, after[seat], before[seat], totals))
        following = before[seat]
    return change


def pass_on(blocks, rows, carried, following, after):
    """What is expected after a seat's turn: what the other expects next, with the fleets carried there (R18)."""
    for block in blocks:
        home = block[HOME]
        rivals = carried[block[RIVAL] : block[RIVAL] + block[RIVALS]]
        mirrored = (home * block[THEIRS] - block[ORDER]) * rows[block[RIVAL], home, 1]
        for fleet in range(block[FLEET], block[FLEET] + block[FLEETS]):
            start, stop = row(fleet, block, rows)
            leads, wins = after[LEAD, start:stop], after[WIN, start:stop]
            for i in range(len(rivals)):
                there = rows[rivals[i], home, 0] + mirrored + carried[fleet]
                leads[i] = -following[LEAD, there]
                wins[i] = following[WIN, there]


def turn(blocks, rows, sails, goods, ills, after, before, totals):
    """A seat's turn: fill in what is expected before its roll. Returns by how much anything has changed.

    A seat without a boat on the river has no turn (R-R5): what is expected after it is expected before it, too.
    """
    change = 0.0
    for block in blocks:
        for fleet in range(block[FLEET], block[FLEET] + block[FLEETS]):
            start, stop = row(fleet, block, rows)
            for i in range(block[RIVALS]):
                totals[i] = 0.0
                totals[ROOM + i] = 0.0
            parts = 1
            if sails[fleet, 0, 0] < 0:
                add(start, start, start, block[RIVALS], after, totals)
            else:
                parts = FACES
                add_wind(fleet, block, rows, goods[fleet], ills, after, totals)
                for die in range(FACES - 1):
                    add_best(sails[fleet, die], block, rows, after, totals)
            change = max(change, fill_in(totals, parts, before[LEAD, start:stop], before[WIN, start:stop]))
    return change


def row(fleet, block, rows):
    """The first state of a fleet's row in the block, and the one behind the last."""
    theirs = block[THEIRS]
    start = rows[fleet, theirs, 0] + block[ORDER] * rows[fleet, theirs, 1] + block[RIVAL]
    return start, start + block[RIVALS]


def add_wind(fleet, block, rows, goods, ills, after, totals):
    """Add what is best of a Good Wind for the seat and an Ill Wind against the other; the same if none blows (R17)."""
    start, stop = row(fleet, block, rows)
    leads, wins = after[LEAD, start:stop], after[WIN, start:stop]
    if goods[0] >= 0:
        add_best(goods, block, rows, after, totals)
    for i in range(block[RIVALS]):
        rival = block[RIVAL] + i
        lead = totals[i]
        win = totals[ROOM + i]
        if goods[0] < 0:
            goal = ills[rival, 0] - block[RIVAL] if ills[rival, 0] >= 0 else i
            lead = leads[goal]
            win = wins[goal]
        if ills[rival, 0] >= 0:
            for boat in range(BOATS):
                goal = ills[rival, boat] - block[RIVAL]
                better = leads[goal] - lead > SAME
                lead = leads[goal] if better else lead
                win = wins[goal] if better else win
        totals[i] = lead
        totals[ROOM + i] = win


def add_best(goals, block, rows, after, totals):
    """Add what is expected with the best of the fleets that the seat can have."""
    a, b, c = row(goals[0], block, rows)[0], row(goals[1], block, rows)[0], row(goals[2], block, rows)[0]
    add(a, b, c, block[RIVALS], after, totals)


def add(a, b, c, size, after, totals):
    """Add what is expected in the best of three rows: the larger lead, or the earlier one if they are equally good."""
    leads_a, wins_a = after[LEAD, a : a + size], after[WIN, a : a + size]
    leads_b, wins_b = after[LEAD, b : b + size], after[WIN, b : b + size]
    leads_c, wins_c = after[LEAD, c : c + size], after[WIN, c : c + size]
    for i in range(size):
        lead_a, lead_b, lead_c = leads_a[i], leads_b[i], leads_c[i]
        win_a, win_b, win_c = wins_a[i], wins_b[i], wins_c[i]
        better = lead_b - lead_a > SAME
        lead = lead_b if better else lead_a
        win = win_b if better else win_a
        better = lead_c - lead > SAME
        totals[i] += lead_c if better else lead
        totals[ROOM + i] += win_c if better else win


def fill_in(totals, parts, leads, wins):
    """Fill in a row. Returns by how much anything has changed."""
    change = 0.0
    for i in range(len(leads)):
        lead = totals[i] / parts
        win = totals[ROOM + i] / parts
        change = max(change, abs(lead - leads[i]), abs(win - wins[i]))
        leads[i] = lead
        wins[i] = win
    return change
