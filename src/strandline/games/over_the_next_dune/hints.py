"""Over the Next Dune: what helps a bot. Tokens that sneak at random never get home; these go up and keep clear.

A field is what a token can reach, seen from its square: 7 rows of 9 columns as 63 bits, from 5 rows above it and 4
columns to the left.
"""

from strandline.engine.draws import below

from .box import COLUMNS, POINTS, RESCUERS, ROWS, SEARCHERS, STEPS, TOKENS, TRAIL
from .rules import (
    BITS,
    DIRECTIONS,
    DOWN,
    RIGHT,
    TURN,
    WAY,
    Phase,
    Reason,
    adjacent_searchers,
    bounce,
    covered_marker,
    distance,
    move_searcher,
)

SIMULATIONS = 20_000

HIGH, WIDE = 7, 9
ABOVE, BESIDE = 5, 4
ACROSS = (1 << WIDE) - 1
HERE = ABOVE * WIDE + BESIDE
EVERYWHERE = (1 << HIGH * WIDE) - 1
NOT_LOWEST = EVERYWHERE >> WIDE
NOT_FIRST = sum(ACROSS - 1 << WIDE * line for line in range(HIGH))
NOT_LAST = NOT_FIRST >> 1
EVERY_COLUMN = (2 << COLUMNS) - 2

AHEAD = 100
"""A row further up."""
STRAIGHT_FEAR = 1500
"""A square that some searcher comes over with a straight card: most cards are."""
TURNED_FEAR = 500
"""A square that one comes over with another card."""
TRAIL_FEAR = 100
"""A square where the token leaves a marker when it goes on."""
HOME = 5000
RISK = 22
"""What a turn of a token costs, of 1000 that all get home."""
LATE = 150
"""What it costs to have no turn to spare."""
CAUGHT = 150
RESCUED = 750
"""What is left, of 1000, with a captive, and with one whom three tokens can free at once."""
RESCUE = 1200
"""A square beside a carrier whose captives can be freed."""


def worth(s, seat):
    """All win together; when they lose, those that got away count a little."""
    if s.reason == Reason.LINES:
        return 1000
    return 20 * BITS[s.away]


def is_enough(s, steps):
    """A playout is cut off when the searchers have moved and nobody else has: then it is known who got through."""
    return steps > 0 and s.phase == Phase.SNEAK and s.moved == 0 and s.mover == 0


def evaluate(s, seat):
    """How likely the squad gets home: every token-turn to go is a risk, and so are captives."""
    togo = 0
    longest = 0
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1:
            togo += s.token_row[token]
            longest = max(longest, s.token_row[token])
    spare = s.turns - s.round - (longest + POINTS - 1) // POINTS
    if spare < 0:
        return 20 * BITS[s.away]
    value = 1000 - RISK * togo // POINTS - (LATE if spare == 0 else 0)
    for searcher in range(1, SEARCHERS + 1):
        if s.captives[searcher]:
            value = value * (RESCUED if can_be_freed(s, searcher) else CAUGHT) // 1000
    return value


def can_be_freed(s, searcher):
    """Whether enough tokens are beside the carrier, or can get there in this turn."""
    helpers = 0
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1:
            away = distance(s, searcher, s.token_row[token], s.token_column[token]) - 2
            helpers += away <= (0 if s.moved >> token & 1 else s.points if s.mover == token else POINTS)
    return helpers >= RESCUERS


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
    points = s.points if s.mover else POINTS
    noticed = s.alert if s.mover else adjacent_searchers(s, token)
    rough = rough_squares(s, row, column)
    shut = shut_squares(s, row, column)
    watched = watched_squares(s, row, column, noticed)
    goal = goal_of(s, row, column, noticed, reach(1 << HERE, points, rough, shut, watched))
    i = 0
    for other in range(1, token):
        i += BITS[s.ways[other]]
    for square in range(9):
        if s.ways[token] >> square & 1:
            at = HERE + DOWN[WAY[square]] * WIDE + RIGHT[WAY[square]]
            left = points - 1 - (rough >> at & 1)
            if at == goal or (goal != HERE and reach(1 << at & ~watched, left, rough, shut, watched) >> goal & 1):
                return i
            i += 1
    return -1


def reach(field, points, rough, shut, watched):
    """What can be reached with so many points, without going on from a watched square. Rough squares take two."""
    before = 0
    for _ in range(points):
        onward = around(field & ~watched | field & (1 << HERE))
        further = field | onward & ~rough & ~shut | around(before & ~watched) & rough & ~shut
        before = field
        field = further
    return field


def around(field):
    """The squares of the field and those beside them."""
    field |= (field & NOT_LAST) << 1 | (field & NOT_FIRST) >> 1
    return field | (field & NOT_LOWEST) << WIDE | field >> WIDE


def goal_of(s, row, column, noticed, reached):
    """The square that promises most: far up, and not in the way of a searcher."""
    straight, turned = swept(s, row, column, noticed)
    helping = beside_carriers(s, row, column)
    goal = HERE
    most = -2 * HOME
    for at in range(HIGH * WIDE):
        if reached >> at & 1:
            down = at // WIDE - ABOVE
            promised = RESCUE * (helping >> at & 1) - AHEAD * down
            promised -= STRAIGHT_FEAR * (straight >> at & 1) + TURNED_FEAR * (turned >> at & 1)
            if row + down == 0:
                promised = HOME
            elif TRAIL[column + at % WIDE - BESIDE]:
                promised -= TRAIL_FEAR
            promised += ((row + down) * 37 + (column + at % WIDE) * 101 + s.round * 59) * 29 & 63
            if promised > most:
                most = promised
                goal = at
    return goal


def beside_carriers(s, row, column):
    """The squares of the field from which a token helps to free captives, where that can be done."""
    field = 0
    for searcher in range(1, SEARCHERS + 1):
        if s.captives[searcher] and can_be_freed(s, searcher):
            field |= under(s.searcher_row[searcher] - row, s.searcher_column[searcher] - column, 2)
    return field


def line_of(columns, column):
    """A set of columns as a line of the field."""
    return columns << BESIDE >> column & ACROSS


def rough_squares(s, row, column):
    """The rough squares of the field."""
    field = 0
    for line in range(HIGH):
        if 1 <= row + line - ABOVE <= ROWS:
            field |= line_of(s.rough[row + line - ABOVE], column) << WIDE * line
    return field


def shut_squares(s, row, column):
    """The squares of the field that cannot be entered: none, under a searcher, or held by a token."""
    field = 0
    for line in range(HIGH):
        inside = line_of(EVERY_COLUMN, column) if 0 <= row + line - ABOVE <= ROWS else 0
        field |= (ACROSS & ~inside) << WIDE * line
    for searcher in range(1, SEARCHERS + 1):
        field |= under(s.searcher_row[searcher] - row, s.searcher_column[searcher] - column, 1)
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1:
            field |= under(s.token_row[token] - row, s.token_column[token] - column, 0)
    return field


def watched_squares(s, row, column, noticed):
    """The squares of the field where a searcher would notice the token that has not yet."""
    field = 0
    for searcher in range(1, SEARCHERS + 1):
        if not noticed >> searcher & 1:
            field |= under(s.searcher_row[searcher] - row, s.searcher_column[searcher] - column, 2)
    return field


def swept(s, row, column, noticed):
    """The squares of the field that searchers come over next, with straight cards and with others."""
    straight = 0
    turned = 0
    for searcher in range(1, SEARCHERS + 1):
        if distance(s, searcher, row, column) <= STEPS + ABOVE + 1:
            for card in range(3):
                field = swath(s, searcher, (s.facing[searcher] - 1 + TURN[card]) % DIRECTIONS + 1, row, column)
                if noticed >> searcher & 1:  # it comes along and keeps its place beside the token
                    field = EVERYWHERE * (field >> HERE & 1)
                if card == 0:
                    straight |= field
                elif s.deck[card] > 0:
                    turned |= field
    return straight, turned


def swath(s, searcher, d, row, column):
    """The squares of the field that a searcher comes over, with this direction to begin with; it reads the trails."""
    start_row = s.searcher_row[searcher]
    start_column = s.searcher_column[searcher]
    field = 0
    for _ in range(STEPS):
        d = bounce(s, searcher, d)
        move_searcher(s, searcher, d)
        field |= under(s.searcher_row[searcher] - row, s.searcher_column[searcher] - column, 1)
        if not s.captives[searcher]:
            d = covered_marker(s, searcher) or d
    s.searcher_row[searcher] = start_row
    s.searcher_column[searcher] = start_column
    return field


def under(down, right, size):
    """The squares of the field that are at most `size` away from the one that lies so far from the token."""
    down += ABOVE
    right += BESIDE
    if down < -size or down >= HIGH + size or right < -size or right >= WIDE + size:
        return 0
    across = ((2 << 2 * size) - 1 << right) >> size if right >= size else (2 << size + right) - 1
    field = 0
    for line in range(max(down - size, 0), min(down + size + 1, HIGH)):
        field |= (across & ACROSS) << WIDE * line
    return field
