"""Over the Next Dune: where searchers may be in the next two search phases.

A searcher draws one of three kinds of cards, so what it covers next is known but for that, and so is where it stands
then and what it may cover with one card more. A few samples of a search phase, the same for all positions, are put
together of this. They show whether a token on a square will find a safe one in its next turn, too.

Sets of squares are kept as sets of columns by row. There are two books of all this: 0 for the position, 1 for what a
trial makes of it.
"""

import random

from strandline.engine.vocabulary import table

from .box import COLUMNS, ROWS, SEARCHERS, STEPS, TRAIL, TRAIL_COLUMNS, TRAILS
from .rules import DIRECTIONS, DOWN, RIGHT, TURN, Card, bounce

CERTAIN = 10_000
"""Odds are parts of this."""
OUTCOMES = 8
"""How many samples of a search phase there are."""
REACH = 4
"""How far a token gets in a turn, as a rule."""
TURNED_NEXT, STRAIGHT_NEXT = 1000, 6500
"""The risk of a token that finds no safe square: if straight cards spare a square it can reach, and if not."""
EVERY_COLUMN = (2 << COLUMNS) - 2
SETS = 3 * (SEARCHERS + 1)
"""There is one for each searcher and kind of card, counted as 3 x searcher + kind."""
LINES = ROWS + 4
"""Rows, and what lies beyond the edges."""
COVERED, STRAIGHT_AFTER, TURNED_AFTER, TAILED_AFTER, PINNED_AFTER = (LINES * part for part in range(5))
PARTS = 5 * LINES
"""What is known of a searcher and a card: what it covers on its way; what it covers with a straight card after that,
and with another card; where it then stands beside a token that it may come over, and beside one that a straight card
brings it over. The last two begin a line later: row 0 is line 1."""
COLUMN = table((0, *TRAIL_COLUMNS))
"""The column of each trail."""

FORESIGHT = (
    # what the books are true for: searchers, markers, cards
    ("places", "i4", (2, SEARCHERS + 1)),
    ("old_markers", "i1", (2 * (ROWS + 1), TRAILS + 1)),
    ("old_marked", "i4", (2, ROWS + 1)),
    ("cards", "i4", 2),
    ("changed", "i4", ROWS + 1),  # the columns in which markers are not what they were
    ("is_old", "i4", 2),  # whether samples must be put together again
    # by searcher and card: where it ends, the same when what comes after that was found out, and all parts
    ("ends", "i4", 2 * SETS),
    ("known_ends", "i4", 2 * SETS),
    ("parts", "i4", (2 * SETS, PARTS)),
    ("threat", "i4", (2 * (SEARCHERS + 1), LINES)),  # what each searcher may cover next, and what anybody may
    ("danger", "i4", (2, LINES)),
    # by sample: what is covered; where a token has a safe square in reach then; one safe from straight cards; one ahead
    ("hit", "i4", (2 * OUTCOMES, LINES)),
    ("calm", "i4", (2 * OUTCOMES, LINES)),
    ("fair", "i4", (2 * OUTCOMES, LINES)),
    ("ahead", "i4", (2 * OUTCOMES, LINES)),
    # in a sample: the parts of all searchers; what is in reach of a safe square, or of a fair one, from row -4 on
    ("joint", "i4", PARTS),
    ("near_safe", "i4", LINES + 2 * REACH),
    ("near_fair", "i4", LINES + 2 * REACH),
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
    """The odds that a searcher comes over a token at that distance from its middle, far from all edges."""
    odds = 0
    for turn, share in ((0, 7667), (-1, 1167), (1, 1166)):
        d = (facing - 1 + turn) % DIRECTIONS + 1
        path = [(down - k * DOWN[d], right - k * RIGHT[d]) for k in range(1, STEPS + 1)]
        odds += share * any(max(abs(r), abs(c)) <= 1 for r, c in path)
    return odds


def _ring(facing, least):
    """The squares beside a searcher that it comes over with at least these odds, as five rows of five columns."""
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
    """Find out what the searchers may cover in the next search phase, as far as it is not known."""
    is_changed = compare_markers(s, w, book)
    is_new = False
    for searcher in range(1, SEARCHERS + 1):
        row = s.searcher_row[searcher]
        place = place_of(row, s.searcher_column[searcher], s.facing[searcher], s.captives[searcher])
        if w.places[book][searcher] != place or (is_changed and meets_change(w, book, searcher)):
            w.places[book][searcher] = place
            first_walks(s, w, book, searcher)
            is_new = True
    if is_new:
        w.is_old[book] = 1
        clear(w.danger[book], 0, LINES)
        for searcher in range(1, SEARCHERS + 1):
            for row in range(LINES):
                w.danger[book][row] |= w.threat[(SEARCHERS + 1) * book + searcher][row]


def foresee(s, w, book):
    """Find out what the searchers may cover in the next search phase and in the one after it, as far as not known."""
    foresee_next(s, w, book)
    for searcher in range(1, SEARCHERS + 1):
        for i in range(SETS * book + 3 * searcher, SETS * book + 3 * searcher + 3):
            if w.known_ends[i] != w.ends[i]:
                w.known_ends[i] = w.ends[i]
                second_walks(s, w, searcher, i)
    cards = s.deck[Card.STRAIGHT] << 16 | s.deck[Card.LEFT] << 8 | s.deck[Card.RIGHT]
    if w.is_old[book] or w.cards[book] != cards:
        w.is_old[book] = 0
        w.cards[book] = cards
        for sample in range(OUTCOMES):
            imagine(s, w, book, sample)


def place_of(row, column, facing, captives):
    """A number that stands for all that decides a searcher's way, but for cards and markers."""
    return row << 16 | column << 8 | facing << 1 | (captives > 0)


def compare_markers(s, w, book):
    """Note the columns with other markers than when the book was written. Returns whether there are any."""
    found = 0
    for row in range(1, ROWS + 1):
        w.changed[row] = s.marked[row] ^ w.old_marked[book][row]
        if s.marked[row] | w.old_marked[book][row]:
            at = (ROWS + 1) * book + row
            for i in range(1, TRAILS + 1):
                if w.old_markers[at][i] != s.markers[row][i]:
                    w.old_markers[at][i] = s.markers[row][i]
                    w.changed[row] |= 1 << COLUMN[i]
            w.old_marked[book][row] = s.marked[row]
        found |= w.changed[row]
    return found != 0


def meets_change(w, book, searcher):
    """Whether a searcher, with any card, comes over a square where the marker is not what it was."""
    found = 0
    for row in range(1, ROWS + 1):
        found |= w.changed[row] & w.threat[(SEARCHERS + 1) * book + searcher][row]
    return found != 0


def clear(numbers, first, last):
    """Set numbers to zero, those from `first` to the one before `last`."""
    for i in range(first, last):
        numbers[i] = 0


def first_walks(s, w, book, searcher):
    """Note what each card makes the searcher cover, and where it ends."""
    first = SETS * book + 3 * searcher
    for card in range(3):
        i = first + card
        clear(w.parts[i], COVERED, COVERED + LINES)
        row = s.searcher_row[searcher]
        column = s.searcher_column[searcher]
        row, column, facing = walk(s, searcher, row, column, s.facing[searcher], card, True, w.parts[i], COVERED)
        w.ends[i] = place_of(row, column, facing, s.captives[searcher])
    for row in range(LINES):
        covered = w.parts[first][row] | w.parts[first + 1][row] | w.parts[first + 2][row]
        w.threat[(SEARCHERS + 1) * book + searcher][row] = covered


def second_walks(s, w, searcher, i):
    """Note what the searcher covers with a card more, and whom it stands beside before."""
    row = w.ends[i] >> 16
    column = w.ends[i] >> 8 & 255
    facing = w.ends[i] >> 1 & 127
    clear(w.parts[i], STRAIGHT_AFTER, PARTS)
    walk(s, searcher, row, column, facing, Card.STRAIGHT, False, w.parts[i], STRAIGHT_AFTER)
    walk(s, searcher, row, column, facing, Card.LEFT, False, w.parts[i], TURNED_AFTER)
    walk(s, searcher, row, column, facing, Card.RIGHT, False, w.parts[i], TURNED_AFTER)
    for down in range(5):
        w.parts[i][TAILED_AFTER + row + down - 1] = TAILED[facing][down] << column >> 2
        w.parts[i][PINNED_AFTER + row + down - 1] = PINNED[facing][down] << column >> 2


def imagine(s, w, book, sample):
    """Put a sample of a search phase together."""
    cards = max(s.deck[Card.STRAIGHT] + s.deck[Card.LEFT] + s.deck[Card.RIGHT], 1)
    left = CERTAIN * s.deck[Card.STRAIGHT] // cards
    right = left + CERTAIN * s.deck[Card.LEFT] // cards
    clear(w.joint, 0, PARTS)
    for searcher in range(1, SEARCHERS + 1):
        luck = LUCK[sample][searcher]
        i = SETS * book + 3 * searcher + (luck >= left) + (luck >= right)
        for part in range(PARTS):
            w.joint[part] |= w.parts[i][part]
    look_around(w, OUTCOMES * book + sample)


def look_around(w, at):
    """Where in a sample a token has a safe or fair square in reach, or one that is three rows on or more."""
    for row in range(1, ROWS + 1):
        w.hit[at][row] = w.joint[COVERED + row]
        straight = w.joint[STRAIGHT_AFTER + row]
        w.near_safe[row + REACH] = spread(~(straight | w.joint[TURNED_AFTER + row]) & EVERY_COLUMN)
        w.near_fair[row + REACH] = spread(~straight & EVERY_COLUMN)
    for row in range(1, REACH + 1):  # it can leave
        w.calm[at][row] = -1
        w.fair[at][row] = -1
        w.ahead[at][row] = -1
    for row in range(REACH + 1, ROWS + 1):
        safe = 0
        fair = 0
        for r in range(row, row + 2 * REACH + 1):
            safe |= w.near_safe[r]
            fair |= w.near_fair[r]
        w.calm[at][row] = safe & ~w.joint[TAILED_AFTER + row + 1]
        w.fair[at][row] = fair & ~w.joint[PINNED_AFTER + row + 1]
    for row in range(REACH + 1, ROWS + 1):
        ahead = w.near_safe[row - 1] | w.near_safe[row] | w.near_safe[row + 1]
        w.ahead[at][row] = ahead & ~w.joint[TAILED_AFTER + row + 1]


def spread(columns):
    """The columns at most `REACH` away from some."""
    columns |= columns << 1 | columns >> 1
    return columns | columns << 3 | columns >> 3


def walk(s, searcher, row, column, facing, card, reads, parts, first):
    """Add what a card makes a searcher cover, from there, to a part. Returns where it is then, and its facing.

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
        parts[first + row - 1] |= columns
        parts[first + row] |= columns
        parts[first + row + 1] |= columns
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
    if not w.danger[book][row] >> column & 1:
        return 0
    cards = s.deck[Card.STRAIGHT] + s.deck[Card.LEFT] + s.deck[Card.RIGHT]
    safe = CERTAIN
    for searcher in range(1, SEARCHERS + 1):
        if w.threat[(SEARCHERS + 1) * book + searcher][row] >> column & 1:
            hit = 0
            for card in range(3):
                if w.parts[SETS * book + 3 * searcher + card][row] >> column & 1:
                    hit += s.deck[card]
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
