"""Over the Next Dune for learning programs."""

from strandline.engine.spaces import Extent, Part, steps_to
from strandline.engine.vocabulary import pack

from .box import CARDS, COLUMNS, DIE, MOST_TURNS, OWNER, PLACE, POINTS, ROWS, SEARCHERS, TOKENS, TRAILS
from .insight import insight, insight_parts
from .rules import DIRECTIONS, DOWN, RIGHT, Phase, Reason, Verb, to_move

__all__ = ["decisions", "extent", "hopes", "insight", "insight_parts", "observe", "parts", "reward"]

PHASES = len(Phase)


def decisions(players):
    """Steps of each token, the end of a movement or of the solo phase, cards, and squares for freed tokens."""
    tokens = range(1, TOKENS + 1)
    yield from (pack(Verb.MOVE, token, way) for token in tokens for way in range(1, DIRECTIONS + 1))
    yield pack(Verb.STOP)
    if players == 1:
        yield pack(Verb.DONE)
    else:
        yield from (pack(Verb.ORDER, card) for card in tokens)
    squares = [(row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]
    yield from (pack(Verb.DROP, token, row, column) for token in tokens for row, column in squares)


def extent(players, options):
    """Places of searchers and terrain; a token moves again in a turn only if a searcher caught it, and that one halts.

    After each step all others may be placed and take a card again.
    """
    places = PLACE[:1] if options["patrols"] == "dice" else PLACE[1:]
    outcomes = max(DIE * DIE, *(rows * columns for _, _, rows, columns in places))
    turn = 2 * TOKENS + (TOKENS + SEARCHERS) * (POINTS + 1) * (1 + 2 * TOKENS)
    return Extent(outcomes, options["turns"] * turn)


def parts(players):
    """Whose turn it is, the squad, the searchers, the battlefield."""
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "who decides, own seat first"),
        Part("first", (players,), 0, 1, "the first player, own seat first"),
        Part("phase", (PHASES,), 0, 1, "what is going on: " + ", ".join(phase.name.lower() for phase in Phase)),
        Part("hopeless_ends", (1,), 0, 1, "the option `hopeless_ends`"),
        Part("turns_left", (1,), 0, MOST_TURNS, "turns after this one"),
        Part("deck", (3,), 0, max(CARDS), "cards left in the deck: straight, left, right"),
        Part("searching", (SEARCHERS,), 0, 1, "the searcher that draws next"),
        Part("rescue", (SEARCHERS,), 0, 1, "the searcher whose captives are placed"),
        Part("mover", (TOKENS,), 0, 1, "the moving token"),
        Part("points", (1,), 0, POINTS, "its points"),
        Part("owner", (TOKENS, players), 0, 1, "who owns each token, own seat first"),
        Part("tokens", (TOKENS, 3), 0, 1, "how each token is: free, caught, away"),
        Part("token_rows", (TOKENS, ROWS), 0, 1, "the row of each free token"),
        Part("token_columns", (TOKENS, COLUMNS), 0, 1, "the column of each free token"),
        Part("moved", (TOKENS,), 0, 1, "which tokens have moved in this phase"),
        Part("cards", (TOKENS, TOKENS), 0, 1, "the turn-order card of each token"),
        Part("searcher_rows", (SEARCHERS, ROWS), 0, 1, "the row of each searcher's middle"),
        Part("searcher_columns", (SEARCHERS, COLUMNS), 0, 1, "the column of each searcher's middle"),
        Part("facing", (SEARCHERS, DIRECTIONS), 0, 1, "where each searcher faces: s, sw, w, nw, n, ne, e, se"),
        Part("captives", (SEARCHERS, TOKENS), 0, 1, "the captives of each searcher"),
        Part("alert", (SEARCHERS,), 0, 1, "searchers that follow the mover"),
        Part("halted", (SEARCHERS,), 0, 1, "searchers that the mover has halted"),
        Part("rough", (ROWS, COLUMNS), 0, 1, "rough squares"),
        Part("markers_down", (ROWS, TRAILS), -1, 1, "where the marker on each trail square points: 1 down, -1 up"),
        Part("markers_right", (ROWS, TRAILS), -1, 1, "and: 1 right, -1 left; both are 0 where there is none"),
    )


def hopes(players):
    """Each row that a free token is up counts the same; a token that is away counts as much as two rows more."""
    whole = TOKENS * (ROWS + 2)
    rows = [(ROWS - row) / whole for row in range(1, ROWS + 1)]
    return {"tokens": TOKENS * [0, 0, 1 / TOKENS], "token_rows": TOKENS * rows}


def reward(s, seat):
    """All win, or all lose: 1 or -1 for everybody (D1)."""
    return 1.0 if s.reason == Reason.LINES else -1.0


def observe(s, seat, out):
    """There are no secrets."""
    out[seat] = 1
    at = s.players
    who = to_move(s)
    if who >= 0:
        out[at + steps_to(s, seat, who)] = 1
    at += s.players
    out[at + steps_to(s, seat, s.first)] = 1
    at += s.players
    out[at + s.phase] = 1
    at += PHASES
    out[at] = s.hopeless_ends
    out[at + 1] = s.turns - s.round
    out[at + 2] = s.deck[0]
    out[at + 3] = s.deck[1]
    out[at + 4] = s.deck[2]
    at += 5
    if s.searching > 0:
        out[at + s.searching - 1] = 1
    at += SEARCHERS
    if s.rescue > 0:
        out[at + s.rescue - 1] = 1
    at += SEARCHERS
    if s.mover > 0:
        out[at + s.mover - 1] = 1
    at += TOKENS
    out[at] = s.points
    at = observe_tokens(s, seat, out, at + 1)
    at = observe_searchers(s, out, at)
    observe_rough(s, out, at)
    observe_markers(s, out, at + ROWS * COLUMNS)


def observe_tokens(s, seat, out, owners):
    """The squad, each part from a place of its own on."""
    ways = owners + TOKENS * s.players
    rows = ways + TOKENS * 3
    columns = rows + TOKENS * ROWS
    moved = columns + TOKENS * COLUMNS
    cards = moved + TOKENS
    for i in range(TOKENS):
        token = i + 1
        out[owners + i * s.players + steps_to(s, seat, OWNER[s.players][token])] = 1
        if s.free >> token & 1:
            out[ways + 3 * i] = 1
            out[rows + i * ROWS + s.token_row[token] - 1] = 1
            out[columns + i * COLUMNS + s.token_column[token] - 1] = 1
        else:
            out[ways + 3 * i + 1 + (s.away >> token & 1)] = 1
        out[moved + i] = s.moved >> token & 1
        if s.cards[token] > 0:
            out[cards + i * TOKENS + s.cards[token] - 1] = 1
    return cards + TOKENS * TOKENS


def observe_searchers(s, out, rows):
    """The searchers, those that are placed: each part from a place of its own on."""
    columns = rows + SEARCHERS * ROWS
    facings = columns + SEARCHERS * COLUMNS
    captives = facings + SEARCHERS * DIRECTIONS
    alert = captives + SEARCHERS * TOKENS
    for i in range(SEARCHERS):
        searcher = i + 1
        if s.searcher_row[searcher] > 0:
            out[rows + i * ROWS + s.searcher_row[searcher] - 1] = 1
            out[columns + i * COLUMNS + s.searcher_column[searcher] - 1] = 1
        if s.facing[searcher] > 0:
            out[facings + i * DIRECTIONS + s.facing[searcher] - 1] = 1
        for token in range(1, TOKENS + 1):
            out[captives + i * TOKENS + token - 1] = s.captives[searcher] >> token & 1
        out[alert + i] = s.alert >> searcher & 1
        out[alert + SEARCHERS + i] = s.halted >> searcher & 1
    return alert + 2 * SEARCHERS


def observe_rough(s, out, at):
    """The rough squares, row by row."""
    for row in range(1, ROWS + 1):
        if s.rough[row] > 0:
            for column in range(COLUMNS):
                out[at + column] = s.rough[row] >> column + 1 & 1
        at += COLUMNS


def observe_markers(s, out, down):
    """Where the markers on the trail columns point, row by row."""
    right = down + ROWS * TRAILS
    for row in range(1, ROWS + 1):
        if s.marked[row] > 0:
            for trail in range(TRAILS):
                out[down + trail] = DOWN[s.markers[row][trail + 1]]
                out[right + trail] = RIGHT[s.markers[row][trail + 1]]
        down += TRAILS
        right += TRAILS
