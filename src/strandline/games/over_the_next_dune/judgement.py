"""Over the Next Dune: what a position is worth to the squad when a sneak phase is over, in thousandths of a logit.

Tokens that risk to be caught cost most, and more without friends near who could free them; then those that will hardly
find a safe square in their next turn; then rows to go, the more the fewer turns are left.
"""

import math

from strandline.engine.vocabulary import table

from .box import COLUMNS, POINTS, RESCUERS, ROWS, SEARCHERS, STEPS, TOKENS, TRAIL
from .foresight import CERTAIN, prospects, risk_at
from .rules import BITS, Phase, caught

HELP_REACH = 7
"""So near must a token be to help in the next turn: five steps, and two squares from the carrier's middle."""
LOW = ROWS - 4 - STEPS
"""A token that is caught below this row is soon driven to row 20."""


def _by_helpers(too_few, just_enough, more):
    """A number for each number of tokens that are near."""
    return [too_few] * RESCUERS + [just_enough] + [more] * (TOKENS - RESCUERS)


# Found by trying numbers out in many games.
SURE = 5000
"""Five tokens at their start, if nothing else counted."""
RISK = table(_by_helpers(-6000, -3500, -2500))
"""To be caught for certain, with so many tokens near."""
RISK_LOW = -1500
"""The same, in addition, below `LOW`."""
STUCK = table(_by_helpers(-4000, -2500, -1800))
"""To be caught for certain one turn later, with so many tokens near."""
AHEAD = 80
"""To have a safe square some rows ahead in the next turn."""
FRIENDS = table((-300, -200, -100, 80, 100))
"""To have so many tokens near."""
ROW, TURN_TO_GO, TIGHT = -40, -60, -700
"""A row to go; a turn to go; the same with no turn to spare, and half as much with each that there is."""
LATE = -20_000
"""Somebody cannot get home in time."""
EDGE, ON_TRAIL = -100, -60
"""A place beside the left or right edge, half as much next to it; a place in a trail column."""
HOME = table((0, 300, 600, 900, 1200, 20_000))
"""To have so many tokens away; all of them have won."""
HELD, HELD_MORE, TOO_FEW = -500, -1500, -6000
"""Somebody is caught; for each one more; fewer than three are free to help."""
DOOMED = -8000
"""Captives that will be at row 20 before anybody can help."""
CAPTIVES = table(_by_helpers(-5000, -1800, -1200))
"""Other captives, with so many tokens near to where they will be."""

PLACE = table(
    [
        [round(ROW * row + (TURN_TO_GO + TIGHT * 0.5**spare) * -(-row // POINTS)) for row in range(ROWS + 1)]
        for spare in range(6)
    ]
)
"""What a place in a row is worth, by the turns to spare."""
SIDE = table(
    [0] + [EDGE * (c == 1) + EDGE // 2 * (c == 2) + ON_TRAIL * bool(TRAIL[c]) for c in range(1, COLUMNS // 2 + 1)]
)
"""What a place in a column is worth, by its number from the nearer edge."""
CHANCE_OF = table(round(1000 / (1 + math.exp(-step / 100))) for step in range(-800, 801))
"""The chance to win, by hundredths of a logit."""


def chance(value):
    """The chance to win of a squad that is worth so much."""
    return CHANCE_OF[min(max(value // 10, -800), 800) + 800]


def turns_left(s):
    """How many sneak phases come after this one."""
    return s.turns - s.round + (s.phase == Phase.SEARCH)


def squad_value(s, w, near, far, settled, but):
    """What the squad is worth without the token `but`. Tokens that are not settled can move before searchers come.

    `near` and `far` are the books of what is foreseen for the next search phase and for the turn after it.
    """
    value = SURE + HOME[BITS[s.away]]
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1 and token != but:
            book = -1
            if settled >> token & 1:
                book = near
            value += token_value(s, w, token, s.token_row[token], s.token_column[token], book, far)
    held = caught(s)
    if held:
        value += HELD + HELD_MORE * (BITS[held] - 1)
        if BITS[s.free] < RESCUERS:
            value += TOO_FEW
        for searcher in range(1, SEARCHERS + 1):
            if s.captives[searcher]:
                value += captives_value(s, searcher)
    return value


def token_value(s, w, token, row, column, near, far):
    """What a free token is worth on a square; where `near` is -1, it is still to move."""
    turns = turns_left(s)
    spare = turns - (row + POINTS - 1) // POINTS
    if spare < 0:
        return LATE
    friends = friends_of(s, token, row, column)
    value = PLACE[min(spare, 5)][row] + SIDE[min(column, COLUMNS + 1 - column)] + FRIENDS[friends]
    if near >= 0 and turns > 0:
        risk = risk_at(s, w, near, row, column)
        stuck, ahead = prospects(w, far, row, column)
        cost = RISK[friends] * risk + STUCK[friends] * stuck // CERTAIN * (CERTAIN - risk) + AHEAD * ahead
        if row > LOW:
            cost += RISK_LOW * risk
        value += cost // CERTAIN
    return value


def friends_of(s, token, row, column):
    """How many other tokens are near enough to help a token that is caught there."""
    friends = 0
    for other in range(1, TOKENS + 1):
        if other != token and s.free >> other & 1:
            friends += max(abs(s.token_row[other] - row), abs(s.token_column[other] - column)) <= HELP_REACH
    return friends


def captives_value(s, searcher):
    """What captives take away that are not freed in this turn; their searcher drives down."""
    row = s.searcher_row[searcher] + STEPS
    if row >= ROWS - 1 or turns_left(s) == 0:
        return DOOMED
    near = 0
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1:
            aside = abs(s.token_column[token] - s.searcher_column[searcher])
            near += max(abs(s.token_row[token] - row), aside) <= HELP_REACH
    return CAPTIVES[near]
