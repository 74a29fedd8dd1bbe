"""Over the Next Dune: five soldiers sneak up a battlefield and out of it, past six searchers.

Rule numbers, and the letters of the procedures A, B and C, are those of `docs/rules/over_the_next_dune.md`. So are all
other numbers: tokens, searchers, rows and columns count from 1, and index 0 of a list is not used. Sets of tokens or
searchers are kept as bits, number 1 as the bit of value 2. What people may talk about (D67) is for a table to rule, and
section VIII of the rulebook, which does not exist (D-R34), for nobody.
"""

from enum import IntEnum

from strandline.engine.vocabulary import (
    CHANCE,
    OVER,
    Facts,
    Option,
    first,
    pack,
    scratch,
    second,
    state,
    table,
    third,
    verb,
)

from .box import (
    AREA,
    CARDS,
    COLUMNS,
    DIE,
    FEWEST_TURNS,
    MOST_TURNS,
    OWNER,
    PLACE,
    POINTS,
    RESCUERS,
    ROUGH,
    ROWS,
    SEARCHERS,
    START_SQUARE,
    STEPS,
    TOKENS,
    TRAIL,
    TRAILS,
)

FACTS = Facts(
    "Over the Next Dune",
    "Sneak five soldiers past the searchers before the sun rises, all together.",
    seats=(1, 2, 3, 4, 5),
    minutes=60,
    cooperative=True,
)

OPTIONS = (
    Option(
        "turns",
        range(FEWEST_TURNS, MOST_TURNS + 1),
        MOST_TURNS,
        "The sun rises after this many turns.",
        title="Turns before sunrise",
    ),
    Option(
        "hopeless_ends",
        (False, True),
        False,
        "The game ends at once when too few are free to rescue the captives.",
        title="End early when lost",
    ),
    Option(
        "patrols",
        ("dice", "areas"),
        "dice",
        "Searchers start anywhere in the upper half, or one in each shaded area.",
        title="Where searchers start",
        labels={"dice": "Anywhere, by dice", "areas": "One in each shaded area"},
    ),
)


class Phase(IntEnum):
    """What the game waits for."""

    TERRAIN = 0
    TERRAIN_AT = 1
    SEARCHER = 2
    FACING = 3
    SEARCH = 4
    DROP = 5
    ORDER = 6
    LATE_ORDER = 7
    SNEAK = 8
    OVER = 9


class Verb(IntEnum):
    """What a move does."""

    TERRAIN = 0
    AT = 1
    SEARCHER = 2
    FACING = 3
    CARD = 4
    DROP = 5
    ORDER = 6
    MOVE = 7
    STOP = 8
    DONE = 9


class Card(IntEnum):
    """The kinds of searcher cards."""

    STRAIGHT = 0
    LEFT = 1
    RIGHT = 2


class Reason(IntEnum):
    """Why the game is over: all but the first are losses."""

    NONE = 0
    LINES = 1
    CAMP = 2
    SUNRISE = 3
    HOPELESS = 4


STATE = state(
    OPTIONS,
    ("phase", "i1"),
    ("round", "i1"),
    ("first", "i1"),  # the first player
    ("placing", "i1"),  # in set-up: the number of the area or searcher
    ("searching", "i1"),  # in the search phase: the searcher that draws next
    ("rescue", "i1"),  # while its captives are placed: the searcher
    ("reason", "i1"),
    ("free", "i1"),  # the set of free tokens
    ("away", "i1"),  # the set of tokens that have left; all others are caught
    ("moved", "i1"),  # the set of tokens that have finished moving in this phase
    ("mover", "i1"),  # the moving token or 0, and its points, and the sets of searchers around it:
    ("points", "i1"),
    ("alert", "i1"),
    ("halted", "i1"),
    ("deck", "i1", 3),  # the cards left of each kind
    ("token_row", "i1", TOKENS + 1),  # of free tokens
    ("token_column", "i1", TOKENS + 1),
    ("cards", "i1", TOKENS + 1),  # turn-order cards
    ("searcher_row", "i1", SEARCHERS + 1),
    ("searcher_column", "i1", SEARCHERS + 1),
    ("facing", "i1", SEARCHERS + 1),
    ("captives", "i1", SEARCHERS + 1),  # sets of tokens
    ("piece", "i1", SEARCHERS + 1),  # the piece in each area
    ("piece_row", "i1", SEARCHERS + 1),
    ("piece_column", "i1", SEARCHERS + 1),
    ("ways", "i2", TOKENS + 1),  # where each token that may step now can step, as a window
    ("markers", "i1", (ROWS + 1, TRAILS + 1)),  # the direction of the marker in each row of each trail column, or 0
    ("marked", "i4", ROWS + 1),  # the set of columns with a marker in each row
    ("rough", "i4", ROWS + 2),  # the set of columns with a rough square in each row; rows beyond the edges have none
)
WORK = scratch()

SQUAD = (1 << TOKENS + 1) - 2
"""All tokens."""
BITS = table(number.bit_count() for number in range(512))
"""How many things are in a set, or squares in a window."""

# Directions: 1 = s, 2 = sw, 3 = w, 4 = nw, 5 = n, 6 = ne, 7 = e, 8 = se.
SOUTH = 1
DIRECTIONS = 8
DOWN = table((0, 1, 1, 0, -1, -1, -1, 0, 1))
RIGHT = table((0, 0, -1, -1, -1, 0, 1, 1, 1))
UPSIDE_DOWN = table((0, 5, 4, 3, 2, 1, 8, 7, 6))
"""Each direction with its vertical part reversed."""
MIRRORED = table((0, 1, 8, 7, 6, 5, 4, 3, 2))
"""Each direction with its horizontal part reversed."""
TURN = table((0, DIRECTIONS - 1, 1))
"""How far each kind of card turns from the facing."""

# A window is the 3 x 3 squares around a token as 9 bits, from top left to bottom right.
WAY = table((4, 5, 6, 3, 0, 7, 2, 1, 8))
"""The direction from the middle of a window to each of its squares."""
WINDOW = (1 << 9) - 1
MIDDLE = 0b000_010_000
BOTTOM = 0b111_000_000
LEFT_SIDE = 0b001_001_001
RIGHT_SIDE = 0b100_100_100


def _under(down, right, reach):
    """The squares of a window under something that far from its middle which reaches that far around itself."""
    squares = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    return sum(1 << i for i, (r, c) in enumerate(squares) if max(abs(r - down), abs(c - right)) <= reach)


UNDER_SEARCHER = table([[_under(down, right, 1) for right in range(-2, 3)] for down in range(-2, 3)])
UNDER_TOKEN = table([[_under(down, right, 0) for right in range(-1, 2)] for down in range(-1, 2)])

RING = table((d, r) for d in range(-2, 3) for r in range(-2, 3) if max(abs(d), abs(r)) == 2)
"""The squares adjacent to a searcher, counted from its middle."""
RING_SQUARES = 16


def setup(s, w):
    """Tokens stand on their start squares (D3, D8), the deck is full, seat 0 is first (D12); area 1 gets its piece."""
    for kind in range(3):
        s.deck[kind] = CARDS[kind]
    for token in range(1, TOKENS + 1):
        put_token(s, token, START_SQUARE[token][0], START_SQUARE[token][1])
    s.placing = 1


def to_move(s):
    """Chance sets up and draws cards; everybody decides for their own tokens (D2, D52)."""
    if s.phase == Phase.SNEAK:
        return OWNER[s.players][s.mover]  # solo: 0, also without a mover
    if s.phase < Phase.DROP:
        return CHANCE
    if s.phase == Phase.DROP:
        return OWNER[s.players][captive(s)]
    if s.phase == Phase.OVER:
        return OVER
    return OWNER[s.players][chooser(s)]


def count(s, w):
    """Steps and an end of them, squares or cards to choose; or places, facings (D10) and cards of the deck (D14)."""
    if s.phase == Phase.SNEAK:
        return 1 + count_ways(s)
    if s.phase == Phase.SEARCH:
        return s.deck[Card.STRAIGHT] + s.deck[Card.LEFT] + s.deck[Card.RIGHT]
    if s.phase == Phase.TERRAIN:
        return SEARCHERS + 1 - s.placing
    if s.phase == Phase.TERRAIN_AT:
        return DIE * DIE
    if s.phase == Phase.SEARCHER:
        return PLACE[places(s)][2] * PLACE[places(s)][3]
    if s.phase == Phase.FACING:
        return DIRECTIONS
    if s.phase == Phase.DROP:
        return open_squares(s, s.rescue)
    if s.phase == Phase.OVER:
        return 0
    return count_orders(s)


def nth(s, w, i):
    """Move or ticket `i`; cards of the deck lie side by side by kind."""
    if s.phase == Phase.SNEAK:
        return nth_step(s, i)
    if s.phase == Phase.SEARCH:
        return pack(Verb.CARD, nth_card(s, i))
    if s.phase == Phase.TERRAIN:
        return pack(Verb.TERRAIN, nth_piece(s, i))
    if s.phase == Phase.TERRAIN_AT:
        return pack(Verb.AT, i // DIE + 1, i % DIE + 1)
    if s.phase == Phase.SEARCHER:
        columns = PLACE[places(s)][3]
        return pack(Verb.SEARCHER, PLACE[places(s)][0] + i // columns, PLACE[places(s)][1] + i % columns)
    if s.phase == Phase.FACING:
        return pack(Verb.FACING, i + 1)
    if s.phase == Phase.DROP:
        return nth_drop(s, i)
    return pack(Verb.ORDER, nth_order(s, i))


def apply(s, w, code):
    """Play a move or an outcome, and all that goes on by itself until somebody is asked again (D-R29)."""
    what = verb(code)
    if what == Verb.MOVE:
        withdraw_all(s)
        step(s, first(code), second(code))
    elif what == Verb.STOP:
        withdraw_all(s)
        end_movement(s)
        next_mover(s)
    elif what == Verb.CARD:
        search(s, first(code))
    elif what == Verb.DROP:
        drop(s, first(code), second(code), third(code))
    elif what == Verb.ORDER:
        take_card(s, first(code))
    elif what == Verb.DONE:
        withdraw_all(s)
        end_sneak(s)
    else:
        set_up(s, what, first(code), second(code))


# Set-up


def set_up(s, what, a, b):
    """Areas 1 to 6 get a piece each, then searchers 1 to 6 a place and a facing; then turn 1 begins."""
    if what == Verb.TERRAIN:
        s.piece[s.placing] = a
        s.phase = Phase.TERRAIN_AT
    elif what == Verb.AT:
        lay_piece(s, s.placing, AREA[s.placing][0] + a - 1, AREA[s.placing][1] + b - 1)
        s.phase = Phase.TERRAIN
        s.placing += 1
        if s.placing > SEARCHERS:
            s.phase = Phase.SEARCHER
            s.placing = 1
    elif what == Verb.SEARCHER:
        s.searcher_row[s.placing] = a
        s.searcher_column[s.placing] = b
        s.phase = Phase.FACING
    else:
        s.facing[s.placing] = a
        s.phase = Phase.SEARCHER
        s.placing += 1
        if s.placing > SEARCHERS:
            s.placing = 0
            next_turn(s)


def nth_piece(s, i):
    """Piece `i` of those not yet used, with equal odds (D4)."""
    piece = 1
    while used(s, piece) or i > 0:
        i -= not used(s, piece)
        piece += 1
    return piece


def used(s, piece):
    """Whether the piece lies in an area already: there is one of each (D4, D-R2)."""
    for area in range(1, SEARCHERS + 1):
        if s.piece[area] == piece:
            return True
    return False


def lay_piece(s, area, row, column):
    """Lay the area's piece with its centre on a square (D5), never turned; what hangs off the battlefield is lost (D6).

    A square is rough or not, however many pieces lie on it (D7, D-R8).
    """
    s.piece_row[area] = row
    s.piece_column[area] = column
    rough_squares = ROUGH[s.piece[area]]
    for i in range(len(rough_squares)):
        r = row + rough_squares[i][0]
        c = column + rough_squares[i][1]
        if 1 <= r <= ROWS and 1 <= c <= COLUMNS:
            s.rough[r] |= 1 << c


def places(s):
    """Where the next searcher can be placed, as an index of PLACE: by dice, or in its own area (D9, D-R3)."""
    return s.placing if s.patrols else 0


# Tokens and searchers on the battlefield


def put_token(s, token, row, column):
    """A free token stands on the square."""
    s.free |= 1 << token
    s.token_row[token] = row
    s.token_column[token] = column


def take_token(s, token):
    """The token is on no square any more."""
    s.free &= ~(1 << token)
    s.token_row[token] = 0
    s.token_column[token] = 0


def caught(s):
    """The set of caught tokens."""
    return SQUAD & ~s.free & ~s.away


def distance(s, searcher, row, column):
    """From the middle of a searcher to a square: the larger of row and column difference."""
    return max(abs(s.searcher_row[searcher] - row), abs(s.searcher_column[searcher] - column))


def adjacent_searchers(s, token):
    """The set of searchers that touch the token's square at a side or corner (D56)."""
    found = 0
    for searcher in range(1, SEARCHERS + 1):
        if distance(s, searcher, s.token_row[token], s.token_column[token]) == 2:
            found |= 1 << searcher
    return found


def tokens_within(s, searcher, reach):
    """The set of free tokens at most that far from the middle of the searcher."""
    found = 0
    for token in range(1, TOKENS + 1):
        if distance(s, searcher, s.token_row[token], s.token_column[token]) <= reach:
            found |= 1 << token
    return found & s.free


def adjacent_tokens(s, searcher):
    """How many free tokens are adjacent to the searcher (D56); between moves none is nearer."""
    return BITS[tokens_within(s, searcher, 2)]


def on_last_row(s, searcher):
    """Whether the searcher covers row 20, which is how it reaches it: its middle never can (D-R16)."""
    return s.searcher_row[searcher] == ROWS - 1


def inside(row, column):
    """Whether a middle may be there: the whole searcher stays on the battlefield (D-R5)."""
    return 2 <= row <= ROWS - 1 and 2 <= column <= COLUMNS - 1


def move_searcher(s, searcher, d):
    """One step, over terrain and other searchers (D11, D22), with its captives on its middle square (D47)."""
    s.searcher_row[searcher] += DOWN[d]
    s.searcher_column[searcher] += RIGHT[d]


def catch(s, searcher):
    """All free tokens under the searcher are caught together (D44, D45); captives of others are not (D48).

    It faces 1 then, and cards that they hold go back (D46, D-R25). Returns whether there were any.
    """
    found = tokens_within(s, searcher, 1)
    if not found:
        return False
    for token in range(1, TOKENS + 1):
        if found >> token & 1:
            take_token(s, token)
            s.cards[token] = 0
    s.captives[searcher] |= found
    s.facing[searcher] = SOUTH
    return True


# Markers


def leave_marker(s, row, column, d):
    """Mark a square that a token leaves, if it is in a trail column; an old marker is replaced (D37, D38, D-R11)."""
    if TRAIL[column]:
        s.markers[row][TRAIL[column]] = d
        s.marked[row] |= 1 << column


def covered_marker(s, searcher):
    """The direction of the marker that counts among those under a searcher, or 0 if there is none.

    It is the one nearest the top and then nearest the line in the middle (D41); there are no ties (D-R15).
    """
    middle = s.searcher_column[searcher]
    inner = 1 if middle <= COLUMNS // 2 else -1  # the way to the line
    for row in range(s.searcher_row[searcher] - 1, s.searcher_row[searcher] + 2):
        if s.marked[row] >> (middle - 1) & 7:
            column = middle + inner
            while not s.marked[row] >> column & 1:
                column -= inner
            return s.markers[row][TRAIL[column]]
    return 0


def read_markers(s, searcher):
    """An empty searcher turns to the marker that counts and removes all that it covers (D40, D42).

    Under a carrier they stay as everywhere else (D39, D43, D-R12). Returns the direction, or 0.
    """
    if s.captives[searcher]:
        return 0
    d = covered_marker(s, searcher)
    if d:
        s.facing[searcher] = d
        middle = s.searcher_column[searcher]
        for row in range(s.searcher_row[searcher] - 1, s.searcher_row[searcher] + 2):
            s.marked[row] &= ~(7 << middle - 1)
            for column in range(middle - 1, middle + 2):
                s.markers[row][TRAIL[column]] = 0
    return d


# Search phase


def next_turn(s):
    """The turn number rises and the search phase begins with searcher 1 (D13, D14)."""
    s.round += 1
    s.phase = Phase.SEARCH
    s.searching = 1


def nth_card(s, i):
    """The kind of card `i` of the deck: straight ones first, then left, then right (D14)."""
    kind = 0
    while i >= s.deck[kind]:
        i -= s.deck[kind]
        kind += 1
    return kind


def search(s, card):
    """The searcher draws a card, which stays out (D14, D-R32), and moves; after the sixth the squad sneaks (D24)."""
    searcher = s.searching
    s.deck[card] -= 1
    search_move(s, searcher, (s.facing[searcher] - 1 + TURN[card]) % DIRECTIONS + 1)
    if s.captives[searcher] and on_last_row(s, searcher):
        end(s, Reason.CAMP)
    elif hopeless(s):
        end(s, Reason.HOPELESS)
    elif searcher < SEARCHERS:
        s.searching += 1
    else:
        s.searching = 0
        rescues(s)


def search_move(s, searcher, d):
    """Procedure A with the direction from the card (D15), which alone changes no facing (D16).

    A bounce or a marker sets the facing, whatever the card was (D20, D40, D-R4). Catching ends the move, before markers
    are read (D46, D-R14). Nobody is noticed and followed here (D23, D62).
    """
    turned = False
    prey = tokens_within(s, searcher, STEPS + 1)  # nobody else can be caught in this move
    for _ in range(STEPS):
        onward = bounce(s.searcher_row[searcher], s.searcher_column[searcher], d)  # A1
        turned |= onward != d
        d = onward
        move_searcher(s, searcher, d)
        if prey and catch(s, searcher):  # A2
            return
        if s.captives[searcher] and on_last_row(s, searcher):  # A3
            break
        marker = read_markers(s, searcher)  # A4
        if marker:
            turned = True
            d = marker
    if turned:
        s.facing[searcher] = d


def bounce(row, column, d):
    """The direction of a searcher's step from there: what would leave is reversed, at no cost (D17, D18, D19, D21)."""
    down = row + DOWN[d]
    right = column + RIGHT[d]
    if down < 2 or down > ROWS - 1:
        d = UPSIDE_DOWN[d]
    if right < 2 or right > COLUMNS - 1:
        d = MIRRORED[d]
    return d


# Turn-order cards


def first_in_squad_order(s, tokens):
    """The first of some tokens, or 0: owners clockwise from the first player, then numbers (D12, D25, D-R24, D-R27)."""
    found = 0
    best = TOKENS
    for token in range(TOKENS, 0, -1):
        if tokens >> token & 1:
            seats_on = (OWNER[s.players][token] + s.players - s.first) % s.players
            if seats_on <= best:
                best = seats_on
                found = token
    return found


def choosers(s):
    """The set of free tokens that have neither moved nor a card (D26, D49, D-R26)."""
    found = s.free & ~s.moved
    for token in range(1, TOKENS + 1):
        if s.cards[token]:
            found &= ~(1 << token)
    return found


def chooser(s):
    """The token that takes a card now (D25, D53)."""
    return first_in_squad_order(s, choosers(s))


def holder(s, card):
    """The token that holds a turn-order card, or 0."""
    for token in range(1, TOKENS + 1):
        if s.cards[token] == card:
            return token
    return 0


def must_take_first(s):
    """Whether card 1 is left for the last chooser; late cards are free (D27)."""
    return s.phase == Phase.ORDER and BITS[choosers(s)] == 1 and not holder(s, 1)


def count_orders(s):
    """How many cards the chooser may take: those nobody holds (D26, D-R25)."""
    if must_take_first(s):
        return 1
    cards_left = 0
    for card in range(1, TOKENS + 1):
        cards_left += not holder(s, card)
    return cards_left


def nth_order(s, i):
    """Card `i` of those nobody holds; card 1 is the lowest of them when it must be taken."""
    card = 1
    while holder(s, card) or i > 0:
        i -= not holder(s, card)
        card += 1
    return card


def take_card(s, card):
    """The chooser takes the card. After the last, save for late cards, who owns card 1 is first player (D27, D-R27)."""
    s.cards[chooser(s)] = card
    if choosers(s):
        return
    if s.phase == Phase.ORDER:
        s.first = OWNER[s.players][holder(s, 1)]
    go_on(s)


# Sneak phase


def go_on(s):
    """Go on where it was: with the movement that was interrupted (D55) if the token can still step, or the next."""
    s.phase = Phase.SNEAK
    offer(s)
    if not count_ways(s):
        end_movement(s)
        next_mover(s)


def offer(s):
    """The mover may step; solo without one, any free token that has not moved (D2, D28, D33), freed or not (D54)."""
    if s.mover:
        s.ways[s.mover] = ways(s, s.mover, s.points)
    elif s.players == 1:
        for token in range(1, TOKENS + 1):
            if s.free & ~s.moved & 1 << token:
                s.ways[token] = ways(s, token, POINTS)


def next_mover(s):
    """The next token moves: solo any, else that of the lowest card. When none can, the phase is over (D36)."""
    if s.players > 1:
        next_card(s)
    offer(s)
    if not count_ways(s):
        end_sneak(s)


def withdraw_all(s):
    """Nobody may step any more, until it is offered again."""
    for token in range(1, TOKENS + 1):
        s.ways[token] = 0


def next_card(s):
    """The token with the lowest card moves that has not moved yet (D28, D33, D-R25, D-R26).

    Caught ones are passed over, and one that cannot step counts as moved (D-R29).
    """
    token = lowest_holder(s, s.free & ~s.moved)
    while token and not ways(s, token, POINTS):
        s.moved |= 1 << token
        token = lowest_holder(s, s.free & ~s.moved)
    if token:
        begin_movement(s, token)


def lowest_holder(s, tokens):
    """The token with the lowest card among a set of tokens, or 0."""
    for card in range(1, TOKENS + 1):
        token = holder(s, card)
        if tokens >> token & 1:
            return token
    return 0


def begin_movement(s, token):
    """The token has its points (D29), and every searcher adjacent to it notices it (D57)."""
    s.mover = token
    s.points = POINTS
    notice(s)


def end_movement(s):
    """The mover has moved (D29), and nobody follows any more (D59)."""
    if s.mover:
        s.moved |= 1 << s.mover
        forget_mover(s)


def forget_mover(s):
    """There is no mover."""
    s.mover = 0
    s.points = 0
    s.alert = 0
    s.halted = 0


def ways(s, token, points):
    """Where the token can step, as a window: to any neighbour, also between two pieces (D29, D30, D-R6).

    Not onto tokens or searchers (D31), so that none is pushed (D60). It leaves by the top only (D32), not across a
    corner (D-R7), and enters rough squares only if it has the points (D34, D35).
    """
    if points == 0:
        return 0
    row = s.token_row[token]
    column = s.token_column[token]
    shut = MIDDLE
    if points < 2:
        shut |= s.rough[row - 1] >> column - 1 & 7
        shut |= (s.rough[row] >> column - 1 & 7) << 3
        shut |= (s.rough[row + 1] >> column - 1 & 7) << 6
    if row == ROWS:
        shut |= BOTTOM
    if column == 1:
        shut |= LEFT_SIDE
    if column == COLUMNS:
        shut |= RIGHT_SIDE
    for searcher in range(1, SEARCHERS + 1):
        down = s.searcher_row[searcher] - row + 2
        right = s.searcher_column[searcher] - column + 2
        if 0 <= down < 5 and 0 <= right < 5:
            shut |= UNDER_SEARCHER[down][right]
    for other in range(1, TOKENS + 1):
        down = s.token_row[other] - row + 1
        right = s.token_column[other] - column + 1
        if 0 <= down < 3 and 0 <= right < 3:  # one that is not free, at row and column 0, shuts at most a corner
            shut |= UNDER_TOKEN[down][right]
    return WINDOW & ~shut


def count_ways(s):
    """How many steps can be made now."""
    total = 0
    for token in range(1, TOKENS + 1):
        total += BITS[s.ways[token]]
    return total


def nth_step(s, i):
    """Step `i`, by token and then by square; after them the end of the movement (D29) or of the solo phase (D33)."""
    for token in range(1, TOKENS + 1):
        steps = BITS[s.ways[token]]
        if i < steps:
            return pack(Verb.MOVE, token, nth_way(s.ways[token], i))
        i -= steps
    return pack(Verb.STOP if s.mover else Verb.DONE)


def nth_way(window, i):
    """The direction to square `i` of those in a window."""
    square = 0
    while not window >> square & 1 or i > 0:
        i -= window >> square & 1
        square += 1
    return WAY[square]


def step(s, token, d):
    """Procedure B: a step with all that comes of it. Rescues happen at once, after step and following (D51, D-R17)."""
    if s.mover == 0:
        begin_movement(s, token)
    row = s.token_row[token] + DOWN[d]
    column = s.token_column[token] + RIGHT[d]
    leave_marker(s, s.token_row[token], s.token_column[token], d)  # B1
    if row == 0:
        leave(s, token)  # B2
    else:  # B3
        s.points -= 1 + (s.rough[row] >> column & 1)
        put_token(s, token, row, column)
        follow(s, d)
    if s.phase == Phase.OVER:
        return
    notice(s)  # B4
    if hopeless(s):  # B5
        end(s, Reason.HOPELESS)
    else:
        rescues(s)


def leave(s, token):
    """The token is away for good and moves no searcher (D32, D-R9); its marker stays (D-R10). The last wins (D63)."""
    take_token(s, token)
    s.away |= 1 << token
    forget_mover(s)
    if s.away == SQUAD:
        end(s, Reason.LINES)


def notice(s):
    """Every searcher that is adjacent to the mover now is alert from the next step on, unless halted (D57, D58)."""
    if s.mover:
        s.alert |= adjacent_searchers(s, s.mover) & ~s.halted


def follow(s, d):
    """Every alert searcher makes the same step (D58), in the order of their numbers (D-R20), carriers too (D-R28).

    One that would leave the battlefield stays, and stays alert (D-R21). One that catches somebody is halted (D61,
    D-R22); a carrier on row 20 loses the game at once (D64). Markers change a facing only, following none (D-R23).
    """
    for searcher in range(1, SEARCHERS + 1):
        if s.alert >> searcher & 1 and inside(
            s.searcher_row[searcher] + DOWN[d], s.searcher_column[searcher] + RIGHT[d]
        ):
            move_searcher(s, searcher, d)
            if catch(s, searcher):
                s.halted |= 1 << searcher
                s.alert &= ~(1 << searcher)
            if s.captives[searcher] and on_last_row(s, searcher):
                end(s, Reason.CAMP)
                return
            read_markers(s, searcher)


def end_sneak(s):
    """Cards go back and nobody has moved (D36); the next turn begins, or the sun rises after the last (D65, D-R33)."""
    s.moved = 0
    for token in range(1, TOKENS + 1):
        s.cards[token] = 0
    if s.round == s.turns:
        end(s, Reason.SUNRISE)
    else:
        next_turn(s)


# Rescues


def rescues(s):
    """Procedure C: rescues that are due, one after another (D-R19), in the sneak phase and first in it (D-R17, D-R18).

    When none is due, tokens without a card take one (D53), with the others if nobody has one yet. Then play goes on.
    """
    s.rescue = due_rescue(s)
    if s.rescue:
        s.phase = Phase.DROP
    elif s.players > 1 and choosers(s):
        s.phase = Phase.LATE_ORDER if any_card(s) else Phase.ORDER
    else:
        go_on(s)


def any_card(s):
    """Whether somebody holds a turn-order card."""
    return lowest_holder(s, SQUAD) != 0


def due_rescue(s):
    """The lowest carrier with enough free tokens and an open square adjacent to it, or 0 (D50, D-R19)."""
    if caught(s):
        for searcher in range(1, SEARCHERS + 1):
            if s.captives[searcher] and adjacent_tokens(s, searcher) >= RESCUERS and open_squares(s, searcher):
                return searcher
    return 0


def captive(s):
    """The captive that is placed now."""
    return first_in_squad_order(s, s.captives[s.rescue])


def is_open(s, row, column):
    """Whether a freed token can be placed on the square, rough or not (D52)."""
    if row < 1 or row > ROWS or column < 1 or column > COLUMNS:
        return False
    for searcher in range(1, SEARCHERS + 1):
        if distance(s, searcher, row, column) <= 1:
            return False
    for token in range(1, TOKENS + 1):
        if s.token_row[token] == row and s.token_column[token] == column:
            return False
    return True


def open_squares(s, searcher):
    """How many squares adjacent to the searcher are open."""
    found = 0
    for i in range(RING_SQUARES):
        found += is_open(s, s.searcher_row[searcher] + RING[i][0], s.searcher_column[searcher] + RING[i][1])
    return found


def nth_drop(s, i):
    """Placing the captive on open square `i`."""
    row = 0
    column = 0
    for square in range(RING_SQUARES):
        r = s.searcher_row[s.rescue] + RING[square][0]
        c = s.searcher_column[s.rescue] + RING[square][1]
        if is_open(s, r, c):
            if i == 0:
                row = r
                column = c
            i -= 1
    return pack(Verb.DROP, captive(s), row, column)


def drop(s, token, row, column):
    """A freed token is placed, at no cost (D52) and without a marker (D-R11); then the next, while a square is open.

    Who finds none stays caught (D-R19). A searcher that is empty now reads the markers under it (D-R13). For the mover
    it stays what it was, alert or halted (D-R36).
    """
    s.captives[s.rescue] &= ~(1 << token)
    put_token(s, token, row, column)
    if s.captives[s.rescue] and open_squares(s, s.rescue):
        return
    read_markers(s, s.rescue)
    rescues(s)


# The end


def hopeless(s):
    """Whether it ends because too few are free to rescue a captive (D-R31); without the option it goes on (D-R30)."""
    return s.hopeless_ends != 0 and caught(s) != 0 and BITS[s.free] < RESCUERS


def end(s, reason):
    """The game is over; what nobody waits for any more is forgotten, the rest stays. Every game ends so (D-R35)."""
    s.phase = Phase.OVER
    s.reason = reason
    s.searching = 0
    forget_mover(s)


def score(s, seat):
    """The number of tokens away, for every seat."""
    return BITS[s.away]


def winners(s):
    """All seats when all tokens have left in time (D1, D66), otherwise nobody."""
    return (1 << s.players) - 1 if s.reason == Reason.LINES else 0


def rounds(s):
    """The turns begun."""
    return s.round
