"""Over the Next Dune: what helps a bot. Tokens that sneak at random never get home; these look where searchers will be.

In a playout each token in turn, the foremost first, makes a plan: the squares that it can reach are judged by what
searchers may do in the next two turns, then the ways to the best of them are tried out with all that they bring about:
trails that searchers read, and searchers that follow. A playout goes on through the next turn and the search phase
after it, so that it shows who is caught and who can still be helped; then the squad is judged.
"""

from strandline.engine.draws import below
from strandline.engine.vocabulary import scratch

from .box import COLUMNS, POINTS, ROWS, SEARCHERS, TOKENS, TRAIL
from .foresight import EVERY_COLUMN, FORESIGHT, foresee, foresee_next
from .judgement import can_be_freed, getting_home, squad_value, token_value
from .rules import (
    BITS,
    DIRECTIONS,
    DOWN,
    RIGHT,
    RING,
    RING_SQUARES,
    WAY,
    Phase,
    Reason,
    adjacent_searchers,
    chooser,
    choosers,
    covered_marker,
    distance,
    inside,
    is_open,
    move_searcher,
    on_last_row,
    tokens_within,
)

SIMULATIONS = 4_000
BLUNDER_RATE = 0.15
"""A game has over a hundred steps, and one wrong step may lose it."""

SQUARES = (2 * POINTS + 1) ** 2
WORK = scratch(
    *FORESIGHT,
    ("shut", "i4", ROWS + 2),  # squares that cannot be entered
    ("watched", "i4", ROWS + 2),  # squares where a searcher would notice the token that has not yet
    ("reached", "i4", (POINTS + 1, ROWS + 2)),  # squares that this many points are enough for
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
    ("last_round", "i4"),  # the playout ends before the search phase of this turn
    ("old_marker", "i4", POINTS),  # what a trial has changed
    ("old_row", "i4", SEARCHERS + 1),
    ("old_column", "i4", SEARCHERS + 1),
    ("old_facing", "i4", SEARCHERS + 1),
)

NEVER = -10_000_000
LEAVE = 300
"""What leaving promises."""
RESCUE = 10_000
"""To stand beside a carrier whose captives can be freed now."""
CRASH = -7500
"""To pull a searcher over a friend, or a carrier to row 20."""
IN_NEED = -300
"""A token worth less than this tries ways on which searchers notice it."""
DOUBT = 200
"""How much worse than the best a way may look and still be tried out."""


def worth(s, seat):
    """All win together; when they lose, those that got away count a little."""
    return 1000 if s.reason == Reason.LINES else 4 * BITS[s.away]


def stop_playout(s, w, step):
    """The tree goes to the end of the sneak phase. Playouts end when the second one after it begins."""
    over = s.phase == Phase.SEARCH and s.searching == 1
    if step == 1:
        w.last_round = s.round + 2 - over
    return over if step == 0 else s.phase > Phase.SEARCH and s.round >= w.last_round


def evaluate(s, w, seat):
    """How likely the squad is to get home."""
    return getting_home(s, w)


def forget(w):
    """No plan is left of another game."""
    w.plan_token = 0


def pick(s, w, n, bits):
    """The foremost token that wants to move does, and in one of eight playouts any; drops and steps go as planned.

    Turn-order cards are taken so that the foremost moves first, too.
    """
    if s.phase == Phase.DROP:
        return best_drop(s, w)
    if s.phase != Phase.SNEAK:
        return min(ahead_of_chooser(s), n - 1)
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


def ahead_of_chooser(s):
    """How many of the tokens that are still to take a card are ahead of the one that takes its card now."""
    others = choosers(s)
    row = s.token_row[chooser(s)]
    found = 0
    for token in range(1, TOKENS + 1):
        found += others >> token & 1 and s.token_row[token] < row
    return found


def foremost(s, asked):
    """The foremost token that can step and has not been asked, or 0."""
    found = 0
    for token in range(1, TOKENS + 1):
        if s.ways[token] and not asked >> token & 1 and (found == 0 or s.token_row[token] < s.token_row[found]):
            found = token
    return found


def helping(s, row, column, carriers):
    """What a token there is worth as a helper of captives that can be freed now."""
    value = 0
    for searcher in range(1, SEARCHERS + 1):
        if carriers >> searcher & 1 and distance(s, searcher, row, column) == 2:
            value += RESCUE
    return value


# Plans


def planned_step(s, w, token, points, alert):
    """Make a plan for the token. Returns the number of its first step, or -1 if it should stay where it is."""
    w.plan_left = 0
    carriers = can_be_freed(s)
    foresee(s, w, 0)
    best = worth_of_way(s, w, token, alert, 0, carriers, False)
    others = squad_value(s, w, 0, 0, s.moved, token)
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
            value = worth_of_way(s, w, token, alert, length, carriers, bold)
            if value > best:
                best = value
                w.plan_left = length
                for i in range(length):
                    w.plan[i] = w.way[i]
    return best


def judge_squares(s, w, token, points, alert, carriers, bold):
    """List the squares that the token can reach, and what they promise if nobody follows. Returns their number."""
    survey(s, w, token, points, alert, bold)
    row = s.token_row[token]
    number = 0
    for r in range(max(row - points, 0), min(row + points, ROWS) + 1):
        columns = w.reached[points][r] >> 1
        c = 1
        while columns:
            if columns & 1:
                w.square[number] = 32 * r + c
                w.promised[number] = LEAVE
                if r > 0:
                    w.promised[number] = token_value(s, w, token, r, c, 0, 0) + helping(s, r, c, carriers)
                number += 1
            columns >>= 1
            c += 1
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
    """The squares of a row that are a step away from those reached with that many points."""
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


def worth_of_way(s, w, token, alert, length, carriers, bold):
    """What the squad is worth when the token has gone the way; everything is put back afterwards."""
    for searcher in range(1, SEARCHERS + 1):
        w.old_row[searcher] = s.searcher_row[searcher]
        w.old_column[searcher] = s.searcher_column[searcher]
        w.old_facing[searcher] = s.facing[searcher]
    row = s.token_row[token]
    column = s.token_column[token]
    value = 0
    trail = False
    for i in range(length - 1, -1, -1):
        d = w.way[i]
        trail |= TRAIL[s.token_column[token]] > 0
        value += try_step(s, w, token, alert, i, d)
        if bold and s.token_row[token] > 0:
            alert |= adjacent_searchers(s, token)
    away = s.token_row[token] == 0
    if away:
        s.free &= ~(1 << token)
        s.away |= 1 << token
    near = 0
    far = 0
    if length > 0 and alert:
        near = 1
        far = 1
        foresee(s, w, 1)
    elif trail:
        near = 1
        foresee_next(s, w, 1)
    value += squad_value(s, w, near, far, s.moved | 1 << token, 0)
    if away:
        s.free |= 1 << token
        s.away &= ~(1 << token)
    elif carriers:
        value += helping(s, s.token_row[token], s.token_column[token], carriers)
    put_back(s, w, length, token)
    s.token_row[token] = row
    s.token_column[token] = column
    return value


def try_step(s, w, token, alert, i, d):
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
    """Take the markers of a trial away again, and put the searchers back."""
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
    foresee(s, w, 0)
    best = 0
    most = NEVER
    i = 0
    for square in range(RING_SQUARES):
        row = s.searcher_row[s.rescue] + RING[square][0]
        column = s.searcher_column[s.rescue] + RING[square][1]
        if is_open(s, row, column):
            promised = token_value(s, w, 0, row, column, 0, 0)
            if promised > most:
                most = promised
                best = i
            i += 1
    return best
