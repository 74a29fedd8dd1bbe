"""Over the Next Dune: where searchers may be in the next two search phases.

A searcher draws one of three kinds of cards, so what it covers next is known but for that, and so is where it stands
then and what it may cover with one card more. A few samples of a search phase, the same for all positions, are put
together of this. They show whether a token on a square will find a safe one in its next turn, too.

Sets of squares are kept as sets of columns by row. There are two books of all this: 0 for the position, 1 for what a
rehearsal makes of it.
"""

import random

from strandline.engine.draws import SPREAD, stirred
from strandline.engine.vocabulary import table

from .box import COLUMNS, ROWS, SEARCHERS, STEPS, TRAIL, TRAILS
from .rules import DIRECTIONS, DOWN, RIGHT, TURN, Card, bounce

CERTAIN = 10_000
"""Odds are parts of this."""
OUTCOMES = 8
"""How many samples of a search phase there are."""
REACH = 4
"""So far a token gets in a turn, as a rule."""
TURNED_NEXT, STRAIGHT_NEXT = 1300, 6500
"""The risk of a token that finds no safe square: if straight cards spare one that it reaches, and if not."""
EVERY_COLUMN = (2 << COLUMNS) - 2
SETS = 3 * (SEARCHERS + 1)
"""There is one for each searcher and kind of card, counted as 3 x searcher + kind."""
LINES = ROWS + 4
"""Rows, and what lies beyond the edges."""

FORESIGHT = (
    ("foreseen", "i8", 2),  # for which searchers, cards and markers, as a number
    # by searcher and card: what it covers on its way; with a straight card after it; with another card after it;
    # where it then stands beside a token that it may come over, and beside one that a straight card brings it over
    ("covers", "i4", (2 * SETS, LINES)),
    ("straight_next", "i4", (SETS, LINES)),
    ("turned_next", "i4", (SETS, LINES)),
    ("tailed", "i4", (SETS, LINES)),
    ("pinned", "i4", (SETS, LINES)),
    # by sample: what is covered; where a token has a safe square in reach then; one safe from straight cards; one ahead
    ("hit", "i4", (2 * OUTCOMES, LINES)),
    ("calm", "i4", (2 * OUTCOMES, LINES)),
    ("fair", "i4", (2 * OUTCOMES, LINES)),
    ("ahead", "i4", (2 * OUTCOMES, LINES)),
    # in a sample: the cards drawn; what is in reach of a safe square, or of a fair one, in each row
    ("drawn", "i4", SEARCHERS + 1),
    ("near_safe", "i4", LINES),
    ("near_fair", "i4", LINES),
)
"""The scratch space for it."""


def _luck():
    """A number from 0 to 9999 for each outcome and searcher, evenly spread for every searcher."""
    rng = random.Random(20)
    rows = []
    for _ in range(SEARCHERS + 1):
        steps = [CERTAIN * (2 * i + 1) // (2 * OUTCOMES) for i in range(OUTCOMES)]
        rng.shuffle(steps)
        rows.append(steps)
    return [[row[j] for row in rows] for j in range(OUTCOMES)]


LUCK = table(_luck())
"""The cards of each sample, as places in the deck, straight ones first, then left, then right."""


def _hostile(down, right, facing):
    """The odds that a searcher comes over a token that lies so from its middle, far from all edges."""
    odds = 0
    for turn, share in ((0, 7667), (-1, 1167), (1, 1166)):
        d = (facing - 1 + turn) % DIRECTIONS + 1
        path = [(down - k * DOWN[d], right - k * RIGHT[d]) for k in range(1, STEPS + 1)]
        odds += share * any(max(abs(r), abs(c)) <= 1 for r, c in path)
    return odds


def _ring(facing, least):
    """The squares beside a searcher that it comes over with at least such odds, as five rows of five columns."""
    rows = []
    for down in range(-2, 3):
        bits = 0
        for right in range(-2, 3):
            if max(abs(down), abs(right)) == 2 and _hostile(down, right, facing) >= least:
                bits |= 1 << right + 2
        rows.append(bits)
    return rows


PINNED = table([[0] * 5] + [_ring(facing, CERTAIN // 2) for facing in range(1, DIRECTIONS + 1)])
TAILED = table([[0] * 5] + [_ring(facing, 1) for facing in range(1, DIRECTIONS + 1)])
"""The squares beside a searcher that a straight card takes it over, and any card, by its facing."""


def foresee_next(s, w, book):
    """Find out what the searchers may cover in the next search phase, and nothing more."""
    w.foreseen[book] = 0
    clear(w.covers, SETS * book, SETS)
    for searcher in range(1, SEARCHERS + 1):
        for card in range(3):
            first_walk(s, w, book, searcher, card)


def foresee(s, w, book):
    """Find out what the searchers may cover in the next search phase and in the one after it, if it is not known."""
    number = fingerprint(s)
    if w.foreseen[book] == number:
        return
    w.foreseen[book] = number
    clear(w.covers, SETS * book, SETS)
    clear(w.straight_next, 0, SETS)
    clear(w.turned_next, 0, SETS)
    clear(w.tailed, 0, SETS)
    clear(w.pinned, 0, SETS)
    for searcher in range(1, SEARCHERS + 1):
        for card in range(3):
            row, column, facing = first_walk(s, w, book, searcher, card)
            second_walks(s, w, searcher, 3 * searcher + card, row, column, facing)
    for sample in range(OUTCOMES):
        imagine(s, w, book, sample)


def clear(sets, first, number):
    """Empty so many sets."""
    for i in range(first, first + number):
        for row in range(LINES):
            sets[i][row] = 0


def first_walk(s, w, book, searcher, card):
    """Note what a card makes the searcher cover. Returns where it is then, and its facing."""
    row = s.searcher_row[searcher]
    column = s.searcher_column[searcher]
    return walk(s, searcher, row, column, s.facing[searcher], card, True, w.covers, SETS * book + 3 * searcher + card)


def second_walks(s, w, searcher, i, row, column, facing):
    """Note what the searcher covers with a card more, and whom it stands beside before."""
    walk(s, searcher, row, column, facing, Card.STRAIGHT, False, w.straight_next, i)
    walk(s, searcher, row, column, facing, Card.LEFT, False, w.turned_next, i)
    walk(s, searcher, row, column, facing, Card.RIGHT, False, w.turned_next, i)
    for down in range(5):
        w.tailed[i][row + down - 1] = TAILED[facing][down] << column >> 2  # a line later than it is: row 0 is line 1
        w.pinned[i][row + down - 1] = PINNED[facing][down] << column >> 2


def fingerprint(s):
    """A number that stands for the searchers, the cards and the markers."""
    number = SPREAD
    for searcher in range(1, SEARCHERS + 1):
        number = stirred(number, s.searcher_row[searcher] << 16 | s.searcher_column[searcher] << 8 | s.facing[searcher])
        number = stirred(number, s.captives[searcher])
    number = stirred(number, s.deck[Card.STRAIGHT] << 16 | s.deck[Card.LEFT] << 8 | s.deck[Card.RIGHT])
    for row in range(1, ROWS + 1):
        if s.marked[row]:
            number = stirred(number, row)
            for i in range(1, TRAILS + 1):
                number = stirred(number, s.markers[row][i])
    return number


def imagine(s, w, book, sample):
    """Put a sample of a search phase together."""
    cards = max(s.deck[Card.STRAIGHT] + s.deck[Card.LEFT] + s.deck[Card.RIGHT], 1)
    left = CERTAIN * s.deck[Card.STRAIGHT] // cards
    right = left + CERTAIN * s.deck[Card.LEFT] // cards
    for searcher in range(1, SEARCHERS + 1):
        luck = LUCK[sample][searcher]
        w.drawn[searcher] = 3 * searcher + (luck >= left) + (luck >= right)
    at = OUTCOMES * book + sample
    for row in range(1, ROWS + 1):
        hit = 0
        straight = 0
        turned = 0
        tailed = 0
        pinned = 0
        for searcher in range(1, SEARCHERS + 1):
            i = w.drawn[searcher]
            hit |= w.covers[SETS * book + i][row]
            straight |= w.straight_next[i][row]
            turned |= w.turned_next[i][row]
            tailed |= w.tailed[i][row + 1]
            pinned |= w.pinned[i][row + 1]
        w.hit[at][row] = hit
        w.calm[at][row] = ~tailed
        w.fair[at][row] = ~pinned
        w.ahead[at][row] = ~tailed
        w.near_safe[row] = spread(~(straight | turned) & EVERY_COLUMN)
        w.near_fair[row] = spread(~straight & EVERY_COLUMN)
    for row in range(1, ROWS + 1):
        look_around(w, at, row)


def look_around(w, at, row):
    """Where in the row of a sample a token has a safe or fair square in reach, or one that is three rows on or more."""
    if row <= REACH:  # it can leave
        w.calm[at][row] = -1
        w.fair[at][row] = -1
        w.ahead[at][row] = -1
        return
    safe = 0
    fair = 0
    ahead = 0
    for r in range(row - REACH, min(row + REACH, ROWS) + 1):
        safe |= w.near_safe[r]
        fair |= w.near_fair[r]
    for r in range(max(row - REACH - 1, 1), row - 2):
        ahead |= w.near_safe[r]
    w.calm[at][row] &= safe
    w.fair[at][row] &= fair
    w.ahead[at][row] &= ahead


def spread(columns):
    """The columns at most `REACH` away from some."""
    columns |= columns << 1 | columns >> 1
    return columns | columns << 3 | columns >> 3


def walk(s, searcher, row, column, facing, card, reads, sets, i):
    """Add what a card makes a searcher cover, from there, to set `i`. Returns where it is then, and its facing.

    That it stops when it catches somebody is left out: nobody is to hide behind others. So is what other searchers do
    to the markers before.
    """
    d = (facing - 1 + TURN[card]) % DIRECTIONS + 1
    turned = False
    for _ in range(STEPS):
        onward = bounce(row, column, d)
        turned |= onward != d
        row += DOWN[onward]
        column += RIGHT[onward]
        columns = 7 << column - 1
        sets[i][row - 1] |= columns
        sets[i][row] |= columns
        sets[i][row + 1] |= columns
        d = onward
        if s.captives[searcher]:
            if row == ROWS - 1:
                break
        elif reads:
            marker = new_marker(s, row, column, onward)
            turned |= marker > 0
            d = marker or onward
    return row, column, d if turned else facing


def new_marker(s, row, column, d):
    """The direction of the marker that counts on the squares that a searcher has just come over by a step, or 0.

    There is none on those that it covered before: it has read them.
    """
    row_before = row - DOWN[d]
    before = 7 << column - RIGHT[d] - 1
    inner = 1 if column <= COLUMNS // 2 else -1
    for r in range(row - 1, row + 2):
        found = s.marked[r] & 7 << column - 1
        if found and abs(r - row_before) <= 1:
            found &= ~before
        if found:
            c = column + inner
            while not found >> c & 1:
                c -= inner
            return s.markers[r][TRAIL[c]]
    return 0


def risk_at(s, w, book, row, column):
    """The odds that a square is covered in the next search phase."""
    cards = s.deck[Card.STRAIGHT] + s.deck[Card.LEFT] + s.deck[Card.RIGHT]
    safe = CERTAIN
    for searcher in range(1, SEARCHERS + 1):
        hit = 0
        for card in range(3):
            if w.covers[SETS * book + 3 * searcher + card][row] >> column & 1:
                hit += s.deck[card]
        if hit:
            safe -= safe * hit // cards
    return CERTAIN - safe


def prospects(w, book, row, column):
    """How a token there fares after the search phase if it is not caught: the risk left to it, and the odds to advance.

    Both as parts of `CERTAIN`.
    """
    number = 0
    risk = 0
    ahead = 0
    for at in range(OUTCOMES * book, OUTCOMES * book + OUTCOMES):
        if not w.hit[at][row] >> column & 1:
            number += 1
            if not w.calm[at][row] >> column & 1:
                risk += TURNED_NEXT if w.fair[at][row] >> column & 1 else STRAIGHT_NEXT
            ahead += w.ahead[at][row] >> column & 1
    if number == 0:
        return CERTAIN // 2, 0
    return risk // number, ahead * CERTAIN // number
