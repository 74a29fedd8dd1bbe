"""Over the Next Dune for learning programs."""

from strandline.engine.spaces import Part, mark, mark_members, mark_seat, tell
from strandline.engine.vocabulary import pack

from .box import CARDS, COLUMNS, MOST_TURNS, OWNER, POINTS, ROWS, SEARCHERS, TOKENS, TRAILS
from .rules import DIRECTIONS, DOWN, RIGHT, Phase, Reason, Verb, to_move

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


def parts(players):
    """Whose turn it is, the squad, the searchers, the battlefield."""
    return (
        Part("seat", (players,), 0, 1, "the observing seat's own number"),
        Part("turn", (players,), 0, 1, "who decides, the own seat first"),
        Part("first", (players,), 0, 1, "the first player, the own seat first"),
        Part("phase", (PHASES,), 0, 1, "what is going on: " + ", ".join(phase.name.lower() for phase in Phase)),
        Part("hopeless_ends", (1,), 0, 1, "the option `hopeless_ends`"),
        Part("turns_left", (1,), 0, MOST_TURNS, "turns after this one"),
        Part("deck", (3,), 0, max(CARDS), "cards left in the deck: straight, left, right"),
        Part("searching", (SEARCHERS,), 0, 1, "the searcher that draws next"),
        Part("rescue", (SEARCHERS,), 0, 1, "the searcher whose captives are placed"),
        Part("mover", (TOKENS,), 0, 1, "the moving token"),
        Part("points", (1,), 0, POINTS, "its points"),
        Part("owner", (TOKENS, players), 0, 1, "who owns each token, the own seat first"),
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


def reward(s, seat):
    """All win, or all lose: 1 or -1 for everybody (D1)."""
    return 1.0 if s.reason == Reason.LINES else -1.0


def observe(s, seat, out):
    """There are no secrets."""
    at = mark(out, 0, s.players, seat)
    at = mark_seat(out, at, s, seat, to_move(s))
    at = mark_seat(out, at, s, seat, s.first)
    at = mark(out, at, PHASES, s.phase)
    at = tell(out, at, s.hopeless_ends)
    at = tell(out, at, s.turns - s.round)
    for kind in range(3):
        at = tell(out, at, s.deck[kind])
    at = mark(out, at, SEARCHERS, s.searching - 1)
    at = mark(out, at, SEARCHERS, s.rescue - 1)
    at = mark(out, at, TOKENS, s.mover - 1)
    at = tell(out, at, s.points)
    at = observe_tokens(s, seat, out, at)
    at = observe_searchers(s, out, at)
    observe_field(s, out, at)


def observe_tokens(s, seat, out, at):
    """The squad."""
    for token in range(1, TOKENS + 1):
        at = mark_seat(out, at, s, seat, OWNER[s.players][token])
    for token in range(1, TOKENS + 1):
        at = mark(out, at, 3, 0 if s.free >> token & 1 else 1 + (s.away >> token & 1))
    for token in range(1, TOKENS + 1):
        at = mark(out, at, ROWS, s.token_row[token] - 1)
    for token in range(1, TOKENS + 1):
        at = mark(out, at, COLUMNS, s.token_column[token] - 1)
    at = mark_members(out, at, TOKENS, s.moved)
    for token in range(1, TOKENS + 1):
        at = mark(out, at, TOKENS, s.cards[token] - 1)
    return at


def observe_searchers(s, out, at):
    """The searchers."""
    for searcher in range(1, SEARCHERS + 1):
        at = mark(out, at, ROWS, s.searcher_row[searcher] - 1)
    for searcher in range(1, SEARCHERS + 1):
        at = mark(out, at, COLUMNS, s.searcher_column[searcher] - 1)
    for searcher in range(1, SEARCHERS + 1):
        at = mark(out, at, DIRECTIONS, s.facing[searcher] - 1)
    for searcher in range(1, SEARCHERS + 1):
        at = mark_members(out, at, TOKENS, s.captives[searcher])
    at = mark_members(out, at, SEARCHERS, s.alert)
    return mark_members(out, at, SEARCHERS, s.halted)


def observe_field(s, out, at):
    """Rough squares, and markers on the trail columns."""
    for row in range(1, ROWS + 1):
        if s.rough[row] > 0:
            mark_members(out, at, COLUMNS, s.rough[row])
        at += COLUMNS
    across = at + ROWS * TRAILS
    for row in range(1, ROWS + 1):
        if s.marked[row] > 0:
            for trail in range(TRAILS):
                out[at + trail] = DOWN[s.markers[row][trail + 1]]
                out[across + trail] = RIGHT[s.markers[row][trail + 1]]
        at += TRAILS
        across += TRAILS
