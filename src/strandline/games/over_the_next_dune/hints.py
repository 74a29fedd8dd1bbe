"""Over the Next Dune: what helps a bot. Tokens that sneak at random never get home; these look where searchers will be.

In a playout each token in turn, the foremost first, makes a plan: the squares that it can reach are judged by how
likely a searcher comes over them, then the ways to the best of them are rehearsed with all that they bring about:
trails that searchers read, and searchers that follow. A playout ends with the sneak phase, and the position is
evaluated by the same measure: how far everybody has come, how likely somebody is caught now, and whether friends are
near enough to help.

Odds are parts of `CERTAIN`; what positions are worth to the squad is measured in thousandths of a logit.
"""

import math

from strandline.engine.draws import below
from strandline.engine.vocabulary import scratch, table

from .box import COLUMNS, POINTS, RESCUERS, ROWS, SEARCHERS, STEPS, TOKENS, TRAIL
from .rules import (
    BITS,
    DIRECTIONS,
    DOWN,
    MIRRORED,
    RIGHT,
    RING,
    RING_SQUARES,
    TURN,
    UPSIDE_DOWN,
    WAY,
    Phase,
    Reason,
    adjacent_searchers,
    caught,
    covered_marker,
    distance,
    inside,
    is_open,
    move_searcher,
    on_last_row,
    tokens_within,
)

SIMULATIONS = 16_000
WHIMS = 0.1
"""A game has over a hundred steps, and one wrong step may lose it."""

SQUARES = (2 * POINTS + 1) ** 2
WORK = scratch(
    # the odds that each square is covered in the next search phase, and that somebody there is hard pressed after it
    ("covered", "i4", (ROWS + 2, COLUMNS + 2)),
    ("pressed", "i4", (ROWS + 4, COLUMNS + 4)),
    ("swath", "i4", ROWS + 2),  # sets of columns by row: what one card covers
    ("shut", "i4", ROWS + 2),  # squares that cannot be entered
    ("watched", "i4", ROWS + 2),  # squares where a searcher would notice the token that has not yet
    ("reached", "i4", (POINTS + 1, ROWS + 2)),  # squares that so many points are enough for
    ("windows", "i4", (DIRECTIONS + 1,)),  # all columns for each direction that the token can step in, else none
    ("square", "i4", SQUARES),  # the squares that the token can reach, and what they promise
    ("promised", "i4", SQUARES),
    ("way", "i4", POINTS),  # the steps of a way, the last first
    ("plan", "i4", POINTS),  # the best way so far
    ("plan_left", "i4"),  # how many steps of it are still to be made, and by whom, from where, in which turn:
    ("plan_token", "i4"),
    ("plan_row", "i4"),
    ("plan_column", "i4"),
    ("plan_round", "i4"),
    ("plan_free", "i4"),
    ("old_marker", "i4", POINTS),  # what a rehearsal has changed
    ("old_row", "i4", SEARCHERS + 1),
    ("old_column", "i4", SEARCHERS + 1),
    ("old_facing", "i4", SEARCHERS + 1),
)

CERTAIN = 10_000
NEVER = -10_000_000
EVERY_COLUMN = (2 << COLUMNS) - 2

HELP_REACH = 7
"""So near must a token be to help in the next turn: five steps, and two squares from the carrier's middle."""
CLOSE = 4
"""So far from its middle a searcher is a nuisance after its move."""
LOW = ROWS - 1 - STEPS
"""A carrier from this row on down reaches row 20 with its next card."""

# What a position is worth; found by trying numbers out in many games.
ROW = -108
"""A row to go."""
TURN_TO_GO = -73
"""A turn to go."""
TIGHT = -457
"""The same, with no turn to spare; less than half as much with each turn that there is."""
LATE = -20_000
"""Somebody cannot get home in time."""
EDGE = -224
"""A place beside the left or right edge; half as much next to it."""
ON_TRAIL = -187
"""A place in a trail column."""
CAUGHT_ALONE, CAUGHT_BESIDE_FRIENDS = -3118, -2480
"""To be caught for certain, without and with enough tokens near."""
CAUGHT_LOW = -129
"""The same, in addition, where the carrier reaches row 20 with its next card."""
PRESSED_ALONE, PRESSED_BESIDE_FRIENDS = -2071, -1014
"""A searcher that ends beside the token and will come over it for certain: it cannot be shaken off."""
CLOSE_ALONE, CLOSE_BESIDE_FRIENDS = -209, -69
"""A searcher that ends close to the token."""
FRIENDS = table((-315, -210, -105, 165, 217))
"""To have so many tokens near."""
HOME = 906
"""A token that is away."""
DOOMED, WATCHED_OVER, LOST = -12_000, -2651, -5302
"""Captives that nobody can free in time; those that enough tokens will be near to; all others."""
RESCUE = 4895
"""To stand beside a carrier whose captives can be freed now."""
CRASH = -4000
"""To pull a searcher over a friend, or a carrier to row 20."""
IN_NEED = -2870
"""A token worth less than this tries ways on which searchers notice it."""
DOUBT = 195
"""So much worse than it looks a way may turn out to be, and still be rehearsed."""

PLACE = table(
    [
        [round((TURN_TO_GO + TIGHT * 0.45**spare) * -(-row // POINTS) + ROW * row) for row in range(ROWS + 1)]
        for spare in range(5)
    ]
)
"""What a place in a row is worth, by the turns to spare."""
SIDE = table(
    [0] + [EDGE * (c == 1) + EDGE // 2 * (c == 2) + ON_TRAIL * bool(TRAIL[c]) for c in range(1, COLUMNS // 2 + 1)]
)
"""What a place in a column is worth, by its number from the nearer edge."""

SURE, SHARP = 1.5, 0.3
"""How the chance to win hangs together with what the squad is worth, as a logistic curve."""
CHANCE_OF = table(round(1000 / (1 + math.exp(-(SURE + SHARP * step / 4)))) for step in range(-80, 81))
"""The chance to win, by quarters of a logit."""


def _hostile(down: int, right: int, facing: int) -> int:
    """The odds that a searcher comes over a token that lies so from its middle, far from all edges."""
    odds = 0
    for turn, share in ((0, 7667), (-1, 1167), (1, 1166)):
        d = (facing - 1 + turn) % DIRECTIONS + 1
        path = [(down - k * DOWN[d], right - k * RIGHT[d]) for k in range(1, STEPS + 1)]
        odds += share * any(max(abs(r), abs(c)) <= 1 for r, c in path)
    return odds


HOSTILE = table(
    [
        [[0] + [_hostile(down, right, facing) for facing in range(1, DIRECTIONS + 1)] for right in range(-2, 3)]
        for down in range(-2, 3)
    ]
)
"""The odds that a searcher comes over a token beside it, by the token's place from its middle and by its facing."""


def worth(s, seat):
    """All win together; when they lose, those that got away count a little."""
    return 1000 if s.reason == Reason.LINES else 4 * BITS[s.away]


def is_enough(s, steps):
    """A playout is cut off when the sneak phase is over."""
    return s.phase == Phase.SEARCH and s.searching == 1


def evaluate(s, seat):
    """How likely the squad gets home."""
    value = squad_value(s, s.free, 0)
    return CHANCE_OF[min(max(value // 250, -80), 80) + 80]


def forget(w):
    """No plan is left of another game."""
    w.plan_token = 0


def pick(s, w, n, bits):
    """The foremost token that wants to move does, and in one of eight playouts any; drops and steps go as planned."""
    if s.phase == Phase.DROP:
        return best_drop(s, w)
    if s.phase != Phase.SNEAK:
        return below(bits, n)
    if s.mover:
        i = -1
        if not on_plan(s, w):
            i = planned_step(s, w, s.mover, s.points, s.alert)
        elif w.plan_left:
            i = next_step(s, w)
        return i if i >= 0 else n - 1
    asked = 0
    token = below(bits >> 3, TOKENS) + 1 if bits & 7 == 0 else 0
    while s.ways[token] or asked == 0:
        asked |= 1 << token
        if s.ways[token]:
            i = planned_step(s, w, token, POINTS, adjacent_searchers(s, token))
            if i >= 0:
                return i
        token = foremost(s, asked)
    return n - 1


def foremost(s, asked):
    """The foremost token that can step and has not been asked, or 0."""
    found = 0
    for token in range(1, TOKENS + 1):
        if s.ways[token] and not asked >> token & 1 and (found == 0 or s.token_row[token] < s.token_row[found]):
            found = token
    return found


# What a position is worth


def turns_left(s):
    """How many sneak phases come after this one."""
    return s.turns - s.round + (s.phase == Phase.SEARCH)


def squad_value(s, settled, but):
    """What the squad is worth without the token `but`. Tokens that are not settled can move before searchers come."""
    value = HOME * BITS[s.away]
    for token in range(1, TOKENS + 1):
        if s.free >> token & 1 and token != but:
            risk, pressed, close = (0, 0, 0)
            if settled >> token & 1:
                risk, pressed, close = danger(s, token)
            value += token_value(s, token, s.token_row[token], s.token_column[token], risk, pressed, close)
    if caught(s):
        for searcher in range(1, SEARCHERS + 1):
            if s.captives[searcher]:
                value += captives_value(s, searcher)
    return value


def token_value(s, token, row, column, risk, pressed, close):
    """What a free token is worth on a square, with such odds of being caught, hard pressed and close to a searcher."""
    spare = turns_left(s) - (row + POINTS - 1) // POINTS
    if spare < 0:
        return LATE
    friends = 0
    for other in range(1, TOKENS + 1):
        if other != token and s.free >> other & 1:
            friends += max(abs(s.token_row[other] - row), abs(s.token_column[other] - column)) <= HELP_REACH
    value = PLACE[min(spare, 4)][row] + SIDE[min(column, COLUMNS + 1 - column)] + FRIENDS[friends]
    if row >= LOW:
        value += CAUGHT_LOW * risk // CERTAIN
    if friends >= RESCUERS:
        odds = CAUGHT_BESIDE_FRIENDS * risk + PRESSED_BESIDE_FRIENDS * pressed + CLOSE_BESIDE_FRIENDS * close
    else:
        odds = CAUGHT_ALONE * risk + PRESSED_ALONE * pressed + CLOSE_ALONE * close
    return value + odds // CERTAIN


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
    return WATCHED_OVER if near >= RESCUERS else LOST


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


def helping(s, row, column, carriers):
    """What a token there is worth as a helper of captives that can be freed now."""
    value = 0
    for searcher in range(1, SEARCHERS + 1):
        if carriers >> searcher & 1 and distance(s, searcher, row, column) == 2:
            value += RESCUE
    return value


# Where searchers will be


def danger(s, token):
    """The odds that the token is caught in the next search phase, is hard pressed after it, or has searchers close.

    That a searcher stops when it catches another one before is left out: nobody is to hide behind others.
    """
    cards = s.deck[0] + s.deck[1] + s.deck[2]
    safe = CERTAIN
    pressed = 0
    close = 0
    if turns_left(s) > 0 and cards > 0:
        for searcher in range(1, SEARCHERS + 1):
            if distance(s, searcher, s.token_row[token], s.token_column[token]) <= STEPS + CLOSE:
                hit = 0
                for card in range(3):
                    odds = CERTAIN * s.deck[card] // cards
                    row, column, facing = destination(s, searcher, card, token)
                    down = s.token_row[token] - row
                    right = s.token_column[token] - column
                    if facing == 0:
                        hit += odds
                    elif max(abs(down), abs(right)) <= CLOSE:
                        close += odds
                        if max(abs(down), abs(right)) == 2:
                            pressed += odds * HOSTILE[down + 2][right + 2][facing] // CERTAIN
                safe = safe * (CERTAIN - hit) // CERTAIN
    return CERTAIN - safe, pressed, close


def destination(s, searcher, card, token):
    """Where a card takes a searcher, and its facing then: 0 if it comes over the token."""
    row = s.searcher_row[searcher]
    column = s.searcher_column[searcher]
    facing = s.facing[searcher]
    d = (facing - 1 + TURN[card]) % DIRECTIONS + 1
    turned = False
    for _ in range(STEPS):
        onward = bounced(row, column, d)
        turned |= onward != d
        row += DOWN[onward]
        column += RIGHT[onward]
        if abs(s.token_row[token] - row) <= 1 and abs(s.token_column[token] - column) <= 1:
            return row, column, 0
        if s.captives[searcher] and row == ROWS - 1:
            break
        marker = new_marker(s, searcher, row, column, onward)
        turned |= marker > 0
        d = marker or onward
    return row, column, d if turned else facing


def bounced(row, column, d):
    """The direction of a searcher's step from there, after the edges."""
    down = row + DOWN[d]
    right = column + RIGHT[d]
    if down < 2 or down > ROWS - 1:
        d = UPSIDE_DOWN[d]
    if right < 2 or right > COLUMNS - 1:
        d = MIRRORED[d]
    return d


def new_marker(s, searcher, row, column, d):
    """The direction of the marker that counts on the squares that the searcher has just come over by a step, or 0.

    There is none on those that it covered before: it has read them.
    """
    if s.captives[searcher]:
        return 0
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


def map_danger(s, w):
    """The same for all squares at once, as a first guess."""
    for row in range(ROWS + 2):
        for column in range(COLUMNS + 2):
            w.covered[row][column] = 0
    for row in range(ROWS + 4):
        for column in range(COLUMNS + 4):
            w.pressed[row][column] = 0
    for searcher in range(1, SEARCHERS + 1):
        map_searcher(s, w, searcher, 1)


def map_searcher(s, w, searcher, sign):
    """Add a searcher to the map, or take it out."""
    cards = s.deck[0] + s.deck[1] + s.deck[2]
    if turns_left(s) > 0 and cards > 0:
        for card in range(3):
            if s.deck[card] > 0:
                map_card(s, w, searcher, card, sign * (CERTAIN * s.deck[card] // cards))


def map_card(s, w, searcher, card, odds):
    """Add what a card makes a searcher cover, and whom it presses then, with these odds."""
    row = s.searcher_row[searcher]
    column = s.searcher_column[searcher]
    facing = s.facing[searcher]
    d = (facing - 1 + TURN[card]) % DIRECTIONS + 1
    turned = False
    top = row
    bottom = row
    for _ in range(STEPS):
        onward = bounced(row, column, d)
        turned |= onward != d
        row += DOWN[onward]
        column += RIGHT[onward]
        top = min(top, row)
        bottom = max(bottom, row)
        for r in range(row - 1, row + 2):
            w.swath[r] |= 7 << column - 1
        if s.captives[searcher] and row == ROWS - 1:
            break
        marker = new_marker(s, searcher, row, column, onward)
        turned |= marker > 0
        d = marker or onward
    for r in range(top - 1, bottom + 2):
        columns = w.swath[r] >> 1
        w.swath[r] = 0
        c = 1
        while columns:
            w.covered[r][c] += odds * (columns & 1)
            columns >>= 1
            c += 1
    facing = d if turned else facing
    for i in range(RING_SQUARES):
        hostile = HOSTILE[RING[i][0] + 2][RING[i][1] + 2][facing]
        w.pressed[row + RING[i][0] + 1][column + RING[i][1] + 1] += odds * hostile // CERTAIN


# Plans


def planned_step(s, w, token, points, alert):
    """Make a plan for the token. Returns the number of its first step, or -1 if it should stay where it is."""
    w.plan_left = 0
    carriers = can_be_freed(s)
    map_danger(s, w)
    best = rehearse(s, w, token, alert, 0, carriers, False)
    others = squad_value(s, s.moved, token)
    best = try_ways(s, w, token, points, alert, carriers, False, others, best)
    if best - others < IN_NEED:
        try_ways(s, w, token, points, alert, carriers, True, others, best)
    w.plan_token = token
    w.plan_row = s.token_row[token]
    w.plan_column = s.token_column[token]
    w.plan_round = s.round
    w.plan_free = s.free
    return next_step(s, w) if w.plan_left else -1


def on_plan(s, w):
    """Whether the mover is where it should be by its plan."""
    return (
        s.points < POINTS
        and w.plan_token == s.mover
        and w.plan_row == s.token_row[s.mover]
        and w.plan_column == s.token_column[s.mover]
        and w.plan_round == s.round
        and w.plan_free == s.free
    )


def next_step(s, w):
    """The number of the next step of the plan among the moves, or -1 if it cannot be made."""
    w.plan_left -= 1
    d = w.plan[w.plan_left]
    w.plan_row += DOWN[d]
    w.plan_column += RIGHT[d]
    i = 0
    for token in range(1, w.plan_token):
        i += BITS[s.ways[token]]
    for square in range(9):
        if s.ways[w.plan_token] >> square & 1:
            if WAY[square] == d:
                return i
            i += 1
    return -1


def try_ways(s, w, token, points, alert, carriers, bold, others, best):
    """Rehearse ways as long as their squares promise more than `best`, and keep the best as the plan.

    Bold ways lead past searchers that notice the token. The others of the squad are worth `others`.
    """
    number = judge_squares(s, w, token, points, alert, carriers, bold)
    for _ in range(number):
        at = 0
        for i in range(number):
            if w.promised[i] > w.promised[at]:
                at = i
        if w.promised[at] + others + DOUBT <= best:
            break
        w.promised[at] = NEVER
        length = find_way(s, w, token, points, w.square[at] // 32, w.square[at] % 32)
        if length > 0:
            value = rehearse(s, w, token, alert, length, carriers, bold)
            if value > best:
                best = value
                w.plan_left = length
                for i in range(length):
                    w.plan[i] = w.way[i]
    return best


def judge_squares(s, w, token, points, alert, carriers, bold):
    """List the squares that the token can reach, and what they promise by the map. Returns their number.

    Searchers that come along with the token are not on the map.
    """
    survey(s, w, token, points, alert, bold)
    for searcher in range(1, SEARCHERS + 1):
        if alert >> searcher & 1:
            map_searcher(s, w, searcher, -1)
    row = s.token_row[token]
    number = 0
    for r in range(max(row - points, 0), min(row + points, ROWS) + 1):
        columns = w.reached[points][r] >> 1
        c = 1
        while columns:
            if columns & 1:
                w.square[number] = 32 * r + c
                w.promised[number] = HOME
                if r > 0:
                    risk = min(w.covered[r][c], CERTAIN)
                    w.promised[number] = token_value(s, token, r, c, risk, w.pressed[r + 1][c + 1], 0)
                    w.promised[number] += helping(s, r, c, carriers)
                number += 1
            columns >>= 1
            c += 1
    for searcher in range(1, SEARCHERS + 1):
        if alert >> searcher & 1:
            map_searcher(s, w, searcher, 1)
    return number


def survey(s, w, token, points, alert, bold):
    """Find the squares that the token can reach; it goes on from watched ones only if it is bold."""
    row = s.token_row[token]
    top = max(row - points - 1, 0)
    bottom = min(row + points + 1, ROWS + 1)
    for r in range(top, bottom + 1):
        w.shut[r] = 0
        w.watched[r] = 0
        for spent in range(points + 1):
            w.reached[spent][r] = 0
    for searcher in range(1, SEARCHERS + 1):
        middle = s.searcher_row[searcher]
        for r in range(max(middle - 2, top), min(middle + 2, bottom) + 1):
            if abs(r - middle) < 2:
                w.shut[r] |= 7 << s.searcher_column[searcher] - 1
            if not (bold or alert >> searcher & 1):
                w.watched[r] |= 31 << s.searcher_column[searcher] >> 2
    for other in range(1, TOKENS + 1):
        if s.free >> other & 1:
            w.shut[s.token_row[other]] |= 1 << s.token_column[other]
    find_windows(s, w, token, alert)
    w.reached[0][row] = 1 << s.token_column[token]
    w.watched[row] &= ~w.reached[0][row]
    for spent in range(1, points + 1):
        for r in range(max(row - spent, 0), min(row + spent, ROWS) + 1):
            entered = around(w, spent - 1, r) & ~s.rough[r]
            if spent > 1:
                entered |= around(w, spent - 2, r) & s.rough[r]
            w.reached[spent][r] = w.reached[spent - 1][r] | entered & EVERY_COLUMN & ~w.shut[r]


def find_windows(s, w, token, alert):
    """The directions that are open to the token: not those towards searchers that keep their place beside it."""
    for d in range(1, DIRECTIONS + 1):
        w.windows[d] = -1
        for searcher in range(1, SEARCHERS + 1):
            if alert >> searcher & 1:
                down = s.searcher_row[searcher] - s.token_row[token] - DOWN[d]
                right = s.searcher_column[searcher] - s.token_column[token] - RIGHT[d]
                if max(abs(down), abs(right)) <= 1:
                    w.windows[d] = 0


def around(w, spent, row):
    """The squares of a row that are a step away from those reached with so many points."""
    under = w.reached[spent][row + 1] & ~w.watched[row + 1]
    beside = w.reached[spent][row] & ~w.watched[row]
    found = under >> 1 & w.windows[4] | under & w.windows[5] | under << 1 & w.windows[6]
    found |= beside >> 1 & w.windows[3] | beside << 1 & w.windows[7]
    if row > 0:
        over = w.reached[spent][row - 1] & ~w.watched[row - 1]
        found |= over >> 1 & w.windows[2] | over & w.windows[1] | over << 1 & w.windows[8]
    return found


def find_way(s, w, token, points, row, column):
    """Find a way to a square, if possible outside the trail columns. Returns how many steps there are, or 0."""
    length = 0
    spent = points
    while row != s.token_row[token] or column != s.token_column[token]:
        while spent > 0 and w.reached[spent - 1][row] >> column & 1:
            spent -= 1
        spent -= 1 + (s.rough[row] >> column & 1)
        step = 0
        best = -1
        for d in range(1, DIRECTIONS + 1):
            r = row - DOWN[d]
            c = column - RIGHT[d]
            if 0 < r <= ROWS and 0 < c <= COLUMNS and w.reached[spent][r] & ~w.watched[r] & 1 << c:
                liked = 2 * (TRAIL[c] == 0) + (d & 1)
                if liked > best:
                    best = liked
                    step = d
        if step == 0 or length == points:
            return 0
        w.way[length] = step
        length += 1
        row -= DOWN[step]
        column -= RIGHT[step]
    return length


def rehearse(s, w, token, alert, length, carriers, bold):
    """What the squad is worth when the token has gone the way; everything is put back afterwards."""
    for searcher in range(1, SEARCHERS + 1):
        w.old_row[searcher] = s.searcher_row[searcher]
        w.old_column[searcher] = s.searcher_column[searcher]
        w.old_facing[searcher] = s.facing[searcher]
    row = s.token_row[token]
    column = s.token_column[token]
    value = 0
    for i in range(length - 1, -1, -1):
        d = w.way[i]
        value += rehearse_step(s, w, token, alert, i, d)
        if bold and s.token_row[token] > 0:
            alert |= adjacent_searchers(s, token)
    away = s.token_row[token] == 0
    if away:
        s.free &= ~(1 << token)
        s.away |= 1 << token
    value += squad_value(s, s.moved | 1 << token, 0)
    if away:
        s.free |= 1 << token
        s.away &= ~(1 << token)
    elif carriers:
        value += helping(s, s.token_row[token], s.token_column[token], carriers)
    put_back(s, w, length, token)
    s.token_row[token] = row
    s.token_column[token] = column
    return value


def rehearse_step(s, w, token, alert, i, d):
    """One step: the marker, the token, and the searchers that follow. Returns what a crash costs."""
    row = s.token_row[token]
    column = s.token_column[token]
    w.old_marker[i] = -1
    if TRAIL[column]:
        w.old_marker[i] = s.markers[row][TRAIL[column]]
        s.markers[row][TRAIL[column]] = d
        s.marked[row] |= 1 << column
    s.token_row[token] = row + DOWN[d]
    s.token_column[token] = column + RIGHT[d]
    value = 0
    if alert and row + DOWN[d] > 0:
        for searcher in range(1, SEARCHERS + 1):
            down = s.searcher_row[searcher] + DOWN[d]
            right = s.searcher_column[searcher] + RIGHT[d]
            if alert >> searcher & 1 and inside(down, right):
                move_searcher(s, searcher, d)
                if tokens_within(s, searcher, 1) or (s.captives[searcher] and on_last_row(s, searcher)):
                    value += CRASH
                if not s.captives[searcher]:
                    s.facing[searcher] = covered_marker(s, searcher) or s.facing[searcher]
    return value


def put_back(s, w, length, token):
    """Take the markers of a rehearsal away again, and put the searchers back."""
    row = s.token_row[token]
    column = s.token_column[token]
    for i in range(length):
        row -= DOWN[w.way[i]]
        column -= RIGHT[w.way[i]]
        if w.old_marker[i] >= 0:
            s.markers[row][TRAIL[column]] = w.old_marker[i]
            if w.old_marker[i] == 0:
                s.marked[row] &= ~(1 << column)
    for searcher in range(1, SEARCHERS + 1):
        s.searcher_row[searcher] = w.old_row[searcher]
        s.searcher_column[searcher] = w.old_column[searcher]
        s.facing[searcher] = w.old_facing[searcher]


def best_drop(s, w):
    """The number of the open square that promises most to the captive who is placed."""
    map_danger(s, w)
    best = 0
    most = NEVER
    i = 0
    for square in range(RING_SQUARES):
        row = s.searcher_row[s.rescue] + RING[square][0]
        column = s.searcher_column[s.rescue] + RING[square][1]
        if is_open(s, row, column):
            risk = min(w.covered[row][column], CERTAIN)
            promised = token_value(s, 0, row, column, risk, w.pressed[row + 1][column + 1], 0)
            if promised > most:
                most = promised
                best = i
            i += 1
    return best
