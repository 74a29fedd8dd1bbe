"""Over the Next Dune for networks: the field as the token sees it that is to do something now.

An observation says in which row and column everything is; a small network never learns from that how far things are
from each other, nor where searchers may be next. So networks are shown distances from one token, and the squares that
it can reach as the hints judge them.
"""

from strandline.engine.spaces import Part, steps_to
from strandline.engine.vocabulary import first, second, third, verb

from .box import CARDS, COLUMNS, MOST_TURNS, OWNER, POINTS, ROWS, SEARCHERS, TOKENS
from .foresight import CERTAIN, foresee, prospects, risk_at
from .hints import foremost, forget, judge_squares, pick
from .judgement import can_be_freed, friends_of, token_value
from .rules import (
    BITS,
    DIRECTIONS,
    RING,
    RING_SQUARES,
    Phase,
    Verb,
    adjacent_searchers,
    captive,
    chooser,
    count,
    is_open,
    nth,
)

PHASES = len(Phase)
AHEAD, BEHIND, ASIDE = 5, 3, 5
"""How far the window reaches that a token looks at."""
WIDE = 2 * ASIDE + 1
WINDOW = (AHEAD + 1 + BEHIND) * WIDE
FAR = 8
"""Searchers further away than this are seen at this distance."""
DISTANCES = 2 * FAR + 1
MOST = 100
NO_LUCK = 1
"""Random bits of advice: the foremost token first."""
SHADE = 10
"""How much less than the best square promises is worth one of `MOST`."""
ABOUT_SEARCHER = 2 * DISTANCES + DIRECTIONS + 3
"""The numbers about a searcher."""


def insight_parts(players):
    """The token that is to do something first, then the others; what it can reach; the searchers around it."""
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("phase", (PHASES,), 0, 1, "what is going on"),
        Part("turns", (MOST_TURNS + 1,), 0, 1, "turns after this one"),
        Part("points", (POINTS + 1,), 0, 1, "the points of the token that moves"),
        Part("deck", (3,), 0, max(CARDS), "cards left in the deck: straight, left, right"),
        Part("numbers", (TOKENS, TOKENS), 0, 1, "the number of each token, the one that is to do something first"),
        Part("owner", (TOKENS, players), 0, 1, "who owns each, own seat first"),
        Part("tokens", (TOKENS, 3), 0, 1, "how each is: free, caught, away"),
        Part("token_rows", (TOKENS, ROWS), 0, 1, "the row of each free token"),
        Part("token_columns", (TOKENS, COLUMNS), 0, 1, "the column of each free token"),
        Part("distances", (TOKENS, 2), -ROWS, ROWS, "how far down and to the right each free token is of the first"),
        Part("moved", (TOKENS,), 0, 1, "which have moved in this phase"),
        Part("standing", (TOKENS,), 0, MOST, "the odds of each not to be caught next where it stands"),
        Part("friends", (TOKENS,), 0, TOKENS, "how many others are near enough to help each"),
        Part("safe", (WINDOW,), 0, MOST, "the odds not to be caught next on each square that the first can reach"),
        Part("calm", (WINDOW,), 0, MOST, "the odds to find a safe square after that"),
        Part("promising", (WINDOW,), 0, MOST, "how close each square comes to the best by the hints"),
        Part("way", (1 + DIRECTIONS,), 0, 1, "the step that the hints advise, or the end of the movement"),
        Part("rows", (ROWS,), 0, 1, "the row where they would place a freed token"),
        Part("columns", (COLUMNS,), 0, 1, "and the column"),
        Part("card", (TOKENS,), 0, 1, "the card that they would take"),
        Part("captives", (SEARCHERS,), 0, TOKENS, "how many captives each searcher has"),
        Part("searchers", (SEARCHERS, ABOUT_SEARCHER), 0, 1, "where each is, seen from there, and what it is about"),
    )


def insight(s, w, seat, out):
    """There are no secrets."""
    out[seat] = 1
    at = s.players
    out[at + s.phase] = 1
    at += PHASES
    out[at + s.turns - s.round] = 1
    at += MOST_TURNS + 1
    out[at + s.points] = 1
    at += POINTS + 1
    for kind in range(3):
        out[at + kind] = s.deck[kind]
    at += 3
    if Phase.SEARCH < s.phase < Phase.OVER:
        forget(w)
        code = nth(s, w, pick(s, w, count(s, w), NO_LUCK))
        foresee(s, w, 0)
        token = first_token(s, code)
        row = s.token_row[token]
        column = s.token_column[token]
        if s.phase == Phase.DROP:
            row = s.searcher_row[s.rescue]
            column = s.searcher_column[s.rescue]
        at = show_squad(s, w, seat, token, row, column, out, at)
        if row > 0:
            number = list_open(s, w) if s.phase == Phase.DROP else list_reached(s, w, token)
            show_squares(s, w, number, row, column, out, at)
        at = show_advice(code, out, at + 3 * WINDOW)
        show_searchers(s, row, column, out, at)


def first_token(s, code):
    """The token that moves, takes a card or is placed; or else the one to move first, as the hints advise."""
    if s.phase == Phase.DROP:
        return captive(s)
    if s.phase != Phase.SNEAK:
        return chooser(s)
    if s.mover == 0 and verb(code) == Verb.MOVE:
        return first(code)
    return s.mover or foremost(s, 0) or 1


def show_advice(code, out, at):
    """What the hints advise."""
    if verb(code) == Verb.MOVE:
        out[at + second(code)] = 1
    elif verb(code) in (Verb.STOP, Verb.DONE):
        out[at] = 1
    at += 1 + DIRECTIONS
    if verb(code) == Verb.DROP:
        out[at + second(code) - 1] = 1
        out[at + ROWS + third(code) - 1] = 1
    at += ROWS + COLUMNS
    if verb(code) == Verb.ORDER:
        out[at + first(code) - 1] = 1
    return at + TOKENS


def show_squad(s, w, seat, token, row, column, out, at):
    """Each token: its number, owner, state, place, how far it is from there, how safe it stands, how many are near."""
    owners = at + TOKENS * TOKENS
    ways = owners + TOKENS * s.players
    rows = ways + TOKENS * 3
    columns = rows + TOKENS * ROWS
    distances = columns + TOKENS * COLUMNS
    moved = distances + TOKENS * 2
    for i in range(TOKENS):
        other = (token - 1 + i) % TOKENS + 1
        out[at + TOKENS * i + other - 1] = 1
        out[owners + i * s.players + steps_to(s, seat, OWNER[s.players][other])] = 1
        if s.free >> other & 1:
            own_row = s.token_row[other]
            own_column = s.token_column[other]
            out[ways + 3 * i] = 1
            out[rows + ROWS * i + own_row - 1] = 1
            out[columns + COLUMNS * i + own_column - 1] = 1
            out[distances + 2 * i] = own_row - row
            out[distances + 2 * i + 1] = own_column - column
            out[moved + i] = s.moved >> other & 1
            out[moved + TOKENS + i] = MOST - MOST * risk_at(s, w, 0, own_row, own_column) // CERTAIN
            out[moved + 2 * TOKENS + i] = friends_of(s, other, own_row, own_column)
        else:
            out[ways + 3 * i + 1 + (s.away >> other & 1)] = 1
    return moved + 3 * TOKENS


def list_reached(s, w, token):
    """List what the token can reach, and what it promises. Returns the number of squares."""
    if not s.free >> token & 1:
        return 0
    points = POINTS
    alert = s.alert
    if s.mover:
        points = s.points
    else:
        alert = adjacent_searchers(s, token)
    return judge_squares(s, w, token, points, alert, can_be_freed(s), False)


def list_open(s, w):
    """List the squares on which a captive may be placed, and what they promise. Returns their number."""
    number = 0
    for square in range(RING_SQUARES):
        row = s.searcher_row[s.rescue] + RING[square][0]
        column = s.searcher_column[s.rescue] + RING[square][1]
        if is_open(s, row, column):
            w.square[number] = 32 * row + column
            w.promised[number] = token_value(s, w, 0, row, column, 0, 0)
            number += 1
    return number


def show_squares(s, w, number, row, column, out, at):
    """Of each square on the list that lies in the window around there: how safe it is, how calm, how promising."""
    best = 0
    for i in range(number):
        if i == 0 or w.promised[i] > best:
            best = w.promised[i]
    for i in range(number):
        r = w.square[i] // 32
        c = w.square[i] % 32
        if row - AHEAD <= r <= row + BEHIND and column - ASIDE <= c <= column + ASIDE:
            place = at + (r - row + AHEAD) * WIDE + c - column + ASIDE
            safe = CERTAIN
            calm = CERTAIN
            if r > 0:
                safe -= risk_at(s, w, 0, r, c)
                stuck, _ = prospects(w, 0, r, c)
                calm -= stuck
            out[place] = MOST * safe // CERTAIN
            out[place + WINDOW] = MOST * calm // CERTAIN
            out[place + 2 * WINDOW] = MOST - min((best - w.promised[i]) // SHADE, MOST)


def show_searchers(s, row, column, out, at):
    """Captives of each; how far it is down and to the right, where it faces, whether it follows, was halted, and
    whether its captives can be freed now."""
    carriers = can_be_freed(s)
    for searcher in range(1, SEARCHERS + 1):
        out[at + searcher - 1] = BITS[s.captives[searcher]]
    at += SEARCHERS
    for searcher in range(1, SEARCHERS + 1):
        out[at + min(max(s.searcher_row[searcher] - row, -FAR), FAR) + FAR] = 1
        out[at + DISTANCES + min(max(s.searcher_column[searcher] - column, -FAR), FAR) + FAR] = 1
        out[at + 2 * DISTANCES + s.facing[searcher] - 1] = 1
        more = at + 2 * DISTANCES + DIRECTIONS
        out[more] = s.alert >> searcher & 1
        out[more + 1] = s.halted >> searcher & 1
        out[more + 2] = carriers >> searcher & 1
        at += ABOUT_SEARCHER
