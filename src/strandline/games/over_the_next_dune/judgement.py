"""Over the Next Dune: what a place is worth to a token that looks for one, and what chance a squad has to get home.

Places are judged by the end of a sneak phase. A risk to be caught costs most, and more without friends near who could
free the token; then to find hardly a safe square in the next turn; then rows to go, the more the fewer turns are left.

Squads are judged when a sneak phase begins, when it has turned out who is caught. Captives that cannot be freed at once
hardly ever are: of 223 such squads in played games five came home, of 2,111 others 80 %.
"""

import math

from strandline.engine.vocabulary import table

from .box import POINTS, RESCUERS, ROWS, SEARCHERS, STEPS, TOKENS, TRAIL
from .foresight import CERTAIN, EVERY_COLUMN, foresee_next, prospects, risk_at
from .rules import BITS, distance

HELP_REACH = 7
"""How near a token must be to help in the next turn: five steps, and two squares from the carrier's middle."""


def _by_helpers(too_few, just_enough, more):
    """A number for each number of tokens that are near."""
    return [too_few] * RESCUERS + [just_enough] + [more] * (TOKENS - RESCUERS)


# Places, in numbers that are only compared with each other: found by an evolution strategy that let squads play by them
# alone, without a search, and then made simple as long as those played as well.
RISK = table(_by_helpers(-5500, -2100, -1400))
"""To be caught for certain, by the number of tokens near."""
STUCK = table(_by_helpers(-2000, -2000, -1200))
"""To be caught for certain one turn later, by the number of tokens near."""
AHEAD = 150
"""To have a safe square some rows ahead in the next turn."""
FRIENDS = table((0, -200, -100, 50, 80))
"""To have tokens near, by their number."""
ROW, TIGHT = -150, -120
"""A row to go; a turn to go with no turn to spare, and half as much with each that there is."""
LATE = -20_000
"""Somebody cannot get home in time."""
ON_TRAIL = -600
"""A place in a trail column."""
HOME = table((0, 300, 600, 900, 1200, 20_000))
"""To have tokens home, by their number; with all of them the game is won."""
CAPTIVES = -7000
"""Captives that will be at row 20, or too far from others, before anybody can help."""

PLACE = table(
    [[round(ROW * row + TIGHT * 0.5**spare * -(-row // POINTS)) for row in range(ROWS + 1)] for spare in range(6)]
)
"""What a place in a row is worth, by the turns to spare."""

# Squads, in thousandths of a logit: fitted to how 440 games ended.
HOPE = 4200
"""Nobody is left to bring home."""
TO_GO = -27
"""A row to go."""
SPARE = table(round(-710 * math.exp(-max(points, -3) / POINTS)) for points in range(-2 * POINTS, 10 * POINTS))
"""Points to spare, from -10 on, after this phase has brought a token as far as is safe."""
NO_REFUGE = -350
"""No square in reach is safe."""
LONELY = table((-700, -700, -230, 0, 0))
"""To have tokens near, by their number, too far down to leave: with two of them one more must come to help."""
DRIVEN = 4
"""The points that captives lose."""
HARDLY = 20
"""The chance, in thousandths, with captives that cannot be freed in this phase."""
CHANCE_OF = table(round(1000 / (1 + math.exp(-step / 100))) for step in range(-800, 801))
"""The chance to win, by hundredths of a logit."""


def squad_value(s, w, near, far, settled, but):
    """What the squad is worth without the token `but`. Tokens that are not settled can move before searchers come.

    `near` and `far` are the books of what is foreseen for the next search phase and for the turn after it.
    """
    value = HOME[BITS[s.away]]
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1 and token != but:
            book = -1
            if settled >> token & 1:
                book = near
            value += token_value(s, w, token, s.token_row[token], s.token_column[token], book, far)
    for searcher in range(1, SEARCHERS + 1):
        if s.captives[searcher] and not can_be_followed(s, searcher):
            value += CAPTIVES
    return value


def token_value(s, w, token, row, column, near, far):
    """What a free token is worth on a square; where `near` is -1, it is still to move."""
    turns = s.turns - s.round
    spare = turns - (row + POINTS - 1) // POINTS
    if spare < 0:
        return LATE
    friends = friends_of(s, token, row, column)
    value = PLACE[min(spare, 5)][row] + FRIENDS[friends]
    if TRAIL[column]:
        value += ON_TRAIL
    if near >= 0 and turns > 0:
        risk = risk_at(s, w, near, row, column)
        stuck, ahead = prospects(w, far, row, column)
        cost = RISK[friends] * risk + STUCK[friends] * stuck // CERTAIN * (CERTAIN - risk) + AHEAD * ahead
        value += cost // CERTAIN
    return value


def friends_of(s, token, row, column):
    """How many other tokens are near enough to help a token that is caught there."""
    friends = 0
    for other in range(1, TOKENS + 1):
        if other != token and s.free >> other & 1:
            friends += max(abs(s.token_row[other] - row), abs(s.token_column[other] - column)) <= HELP_REACH
    return friends


def can_be_followed(s, searcher):
    """Whether enough tokens are near to where a carrier will be, which drives down, to free its captives next turn."""
    row = s.searcher_row[searcher] + STEPS
    if row >= ROWS - 1 or s.round == s.turns:
        return False
    near = 0
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1:
            aside = abs(s.token_column[token] - s.searcher_column[searcher])
            near += max(abs(s.token_row[token] - row), aside) <= HELP_REACH
    return near >= RESCUERS


def can_be_freed(s):
    """The set of carriers beside which enough tokens are, or can be in this turn."""
    found = 0
    for searcher in range(1, SEARCHERS + 1):
        if s.captives[searcher]:
            helpers = 0
            for token in range(1, TOKENS + 1):
                if s.free >> token & 1:
                    away = distance(s, searcher, s.token_row[token], s.token_column[token]) - 2
                    helpers += away <= (0 if s.moved >> token & 1 else s.points if s.mover == token else POINTS)
            if helpers >= RESCUERS:
                found |= 1 << searcher
    return found


def getting_home(s, w):
    """The chance to win, in thousandths, when a sneak phase begins."""
    carriers = can_be_freed(s)
    points = POINTS * (s.turns - s.round + 1)
    value = HOPE
    for searcher in range(1, SEARCHERS + 1):
        if s.captives[searcher]:
            if not carriers >> searcher & 1:
                return HARDLY
            row = s.searcher_row[searcher]
            value += BITS[s.captives[searcher]] * (TO_GO * row + spare_value(points - row - DRIVEN))
    foresee_next(s, w, 0)
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1:
            if s.token_row[token] > points:
                return 0
            value += way_home(s, w, token, points)
    return CHANCE_OF[min(max(value // 10, -800), 800) + 800]


def way_home(s, w, token, points):
    """What a free token adds to that, with the points left to it."""
    row = s.token_row[token]
    column = s.token_column[token]
    value = TO_GO * row
    if row > POINTS:
        value += LONELY[friends_of(s, token, row, column)]
        rows = safe_rows(w, row, column)
        if rows < 0:
            rows = 0
            value += NO_REFUGE
        points -= POINTS - rows
    return value + spare_value(points - row)


def spare_value(points):
    """What points to spare are worth."""
    return SPARE[min(max(points + 2 * POINTS, 0), len(SPARE) - 1)]


def safe_rows(w, row, column):
    """How many rows a token gets on in this phase to a square that nobody can cover next; -1 if it finds none."""
    window = (2 << 2 * POINTS) - 1 << column >> POINTS & EVERY_COLUMN
    for rows in range(POINTS, -1, -1):
        if window & ~w.danger[0][row - rows]:
            return rows
    return -1
