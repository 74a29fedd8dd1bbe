"""Over the Next Dune: what helps a bot. Tokens that sneak at random never get home; these go up and keep clear.

A field is what a token can reach, seen from its square: 7 rows of 9 columns as 63 bits, from 5 rows above it and 4
columns to the left.
"""

from strandline.engine.draws import below

from .box import COLUMNS, POINTS, ROWS, SEARCHERS, STEPS, TOKENS
from .rules import BITS, DIRECTIONS, DOWN, MIRRORED, RIGHT, TURN, UPSIDE_DOWN, WAY, Phase, Reason, distance

SIMULATIONS = 10_000

HIGH, WIDE = 7, 9
ABOVE, BESIDE = 5, 4
ACROSS = (1 << WIDE) - 1

AHEAD = 100
"""A row further up."""
STRAIGHT_FEAR = 1500
"""A square that some searcher comes over with a straight card: most cards are."""
TURNED_FEAR = 350
"""A square that one comes over with another card."""
HOME = 5000


def worth(s, seat):
    """All win together; when they lose, those that got away count a little."""
    if s.reason == Reason.LINES:
        return 1000
    return 20 * BITS[s.away]


def pick(s, w, n, bits):
    """In the sneak phase a step of the mover, or solo of any token that wants to move; elsewhere anything."""
    if s.phase != Phase.SNEAK or n == 1:
        return below(bits, n)
    start = below(bits, TOKENS)
    for i in range(TOKENS):
        token = (start + i) % TOKENS + 1
        if s.ways[token]:
            step = step_of(s, token, bits)
            if step >= 0:
                return step
    return n - 1


def step_of(s, token, bits):
    """The number of a step towards the square where the token wants to be, or -1 if it is there."""
    row = s.token_row[token]
    column = s.token_column[token]
    goal = goal_of(s, row, column, s.points if s.mover else POINTS, bits)
    down = goal // WIDE - ABOVE
    right = goal % WIDE - BESIDE
    i = 0
    for other in range(1, token):
        i += BITS[s.ways[other]]
    best = -1
    nearest = max(abs(down), abs(right)) * 8
    for square in range(9):
        if s.ways[token] >> square & 1:
            d = WAY[square]
            away = max(abs(down - DOWN[d]), abs(right - RIGHT[d])) * 8
            away += 2 * (s.rough[row + DOWN[d]] >> column + RIGHT[d] & 1) + 3 * touches(s, row + DOWN[d], column + RIGHT[d])
            if away < nearest:
                nearest = away
                best = i
            i += 1
    return best


def touches(s, row, column):
    """Whether a token on the square would be noticed."""
    for searcher in range(1, SEARCHERS + 1):
        if distance(s, searcher, row, column) == 2:
            return 1
    return 0


def goal_of(s, row, column, points, bits):
    """The square of the field that promises most: far up, and not in the way of a searcher."""
    straight, turned = swept(s, row, column)
    shut = covered(s, row, column)
    goal = ABOVE * WIDE + BESIDE
    most = -HOME
    for down in range(-min(points, ABOVE), min(points, 1) + 1):
        for right in range(-min(points, BESIDE), min(points, BESIDE) + 1):
            at = (down + ABOVE) * WIDE + right + BESIDE
            if is_inside(row + down, column + right) and not shut >> at & 1:
                promised = -AHEAD * down - STRAIGHT_FEAR * (straight >> at & 1) - TURNED_FEAR * (turned >> at & 1)
                if row + down == 0:
                    promised = HOME
                promised += (bits ^ at * 73) * 61 >> 4 & 63
                if promised > most:
                    most = promised
                    goal = at
    return goal


def is_inside(row, column):
    """Whether there is such a square, or it is the way out by the top."""
    return 0 <= row <= ROWS and 1 <= column <= COLUMNS


def covered(s, row, column):
    """The squares of the field under a searcher."""
    field = 0
    for searcher in range(1, SEARCHERS + 1):
        field |= under(s.searcher_row[searcher] - row, s.searcher_column[searcher] - column)
    return field


def swept(s, row, column):
    """The squares of the field that searchers come over next, with straight cards and with others; trails are left out."""
    straight = 0
    turned = 0
    for searcher in range(1, SEARCHERS + 1):
        if distance(s, searcher, row, column) <= STEPS + ABOVE + 1:
            for card in range(3):
                field = swath(s, searcher, (s.facing[searcher] - 1 + TURN[card]) % DIRECTIONS + 1, row, column)
                if card == 0:
                    straight |= field
                elif s.deck[card] > 0:
                    turned |= field
    return straight, turned


def swath(s, searcher, d, row, column):
    """The squares of the field that a searcher comes over in this direction."""
    middle_row = s.searcher_row[searcher]
    middle_column = s.searcher_column[searcher]
    field = 0
    for _ in range(STEPS):
        if not 2 <= middle_row + DOWN[d] <= ROWS - 1:
            d = UPSIDE_DOWN[d]
        if not 2 <= middle_column + RIGHT[d] <= COLUMNS - 1:
            d = MIRRORED[d]
        middle_row += DOWN[d]
        middle_column += RIGHT[d]
        field |= under(middle_row - row, middle_column - column)
    return field


def under(down, right):
    """The squares of the field under a searcher that lies so far from the token."""
    down += ABOVE
    right += BESIDE
    if down < -1 or down > HIGH or right < -1 or right > WIDE:
        return 0
    across = (7 << right + 1) >> 2 & ACROSS
    field = 0
    for line in range(max(down - 1, 0), min(down + 2, HIGH)):
        field |= across << WIDE * line
    return field
