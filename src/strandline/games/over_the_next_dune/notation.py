"""Over the Next Dune in text and JSON."""

from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation
from strandline.engine.vocabulary import CHANCE, OVER

from . import rules
from .box import AREAS, COLUMNS, DECK, DIE, KINDS, PLACES, POINTS, RESCUERS, ROWS, SEARCHERS, TOKENS, TRAIL
from .rules import Phase, Reason, Verb

WAYS = ("", "s", "sw", "w", "nw", "n", "ne", "e", "se")
MOVES = Notation(
    {
        Verb.TERRAIN: f"terrain {{1-{SEARCHERS}}}",
        Verb.AT: f"at {{1-{DIE}}} {{1-{DIE}}}",
        Verb.SEARCHER: f"searcher {{1-{ROWS}}} {{1-{COLUMNS}}}",
        Verb.FACING: "facing {1-8}",
        Verb.CARD: "card {kind}",
        Verb.DROP: f"drop {{1-{TOKENS}}} {{1-{ROWS}}} {{1-{COLUMNS}}}",
        Verb.ORDER: f"order {{1-{TOKENS}}}",
        Verb.MOVE: f"move {{1-{TOKENS}}} {{way}}",
        Verb.STOP: "stop",
        Verb.DONE: "done",
    },
    kind=KINDS,
    way=WAYS,
)
write = MOVES.write
read = MOVES.read

FIELDS = (
    "phase", "turn", "round", "first", "deck", "terrain", "searchers", "tokens", "markers", "searching", "cards",
    "moved", "mover", "rescue", "result", "reason",
)  # fmt: skip
PHASES = tuple(phase.name.lower() for phase in Phase)
REASONS = tuple(reason.name.lower() for reason in Reason)
STATES = ("free", "caught", "away")


# Writing


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    who = rules.to_move(s)
    return {
        "phase": PHASES[s.phase],
        "turn": None if who == OVER else "chance" if who == CHANCE else who,
        "round": s.round,
        "first": s.first,
        "deck": dict(zip(KINDS, s.deck, strict=True)),
        "terrain": [_piece(s, area) for area in range(1, SEARCHERS + 1) if s.piece[area]],
        "searchers": [_searcher(s, searcher) for searcher in range(1, SEARCHERS + 1) if s.searcher_row[searcher]],
        "tokens": [_token(s, token) for token in range(1, TOKENS + 1)],
        "markers": [
            [row, column, s.markers[row][TRAIL[column]]]
            for row in range(1, ROWS + 1)
            for column in range(1, COLUMNS + 1)
            if s.marked[row] >> column & 1
        ],
        "searching": s.searching or None,
        "cards": [card or None for card in s.cards[1:]],
        "moved": _members(s.moved),
        "mover": _mover(s) if s.mover else None,
        "rescue": s.rescue or None,
        "result": None if s.reason == Reason.NONE else "won" if s.reason == Reason.LINES else "lost",
        "reason": None if s.reason == Reason.NONE else REASONS[s.reason],
    }


def _members(numbers: int) -> list[int]:
    """The numbers in a set."""
    return [number for number in range(1, 8) if numbers >> number & 1]


def _piece(s: Any, area: int) -> dict[str, Any]:
    at = [s.piece_row[area], s.piece_column[area]] if s.piece_row[area] else None
    return {"piece": s.piece[area], "at": at}


def _searcher(s: Any, searcher: int) -> dict[str, Any]:
    at = [s.searcher_row[searcher], s.searcher_column[searcher]]
    return {"at": at, "facing": s.facing[searcher] or None, "captives": _members(s.captives[searcher])}


def _token(s: Any, token: int) -> dict[str, Any]:
    if s.free >> token & 1:
        return {"state": "free", "at": [s.token_row[token], s.token_column[token]]}
    return {"state": "away" if s.away >> token & 1 else "caught", "at": None}


def _mover(s: Any) -> dict[str, Any]:
    return {"token": s.mover, "points": s.points, "alert": _members(s.alert), "halted": _members(s.halted)}


# Reading


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in; what can be told from other fields is compared afterwards by the engine."""
    checks.fields(value, FIELDS, "The position")
    s.phase = PHASES.index(checks.word(value["phase"], PHASES, "phase"))
    if s.phase < Phase.SEARCH:
        rules.setup(s, None)
    _read_terrain(value, s)
    _read_searchers(value, s)
    if s.phase < Phase.SEARCH:
        return
    s.first = checks.whole(value["first"], 0, s.players - 1, "first")
    _read_deck(value, s)
    _read_tokens(value, s)
    _read_markers(value, s)
    if s.phase > Phase.SEARCH:
        _read_sneak(value, s)
    if s.phase == Phase.OVER:
        s.reason = REASONS.index(checks.word(value["reason"], REASONS[1:], "reason"))
        _check_end(s)
    else:
        _check_going_on(s)


def _square(value: Any, low: int, rows: int, columns: int, where: str) -> tuple[int, int]:
    row, column = checks.items(value, 2, 2, where)
    checks.whole(row, low, rows, f"The row in {where}")
    return row, checks.whole(column, low, columns, f"The column in {where}")


def _set(value: Any, high: int, where: str) -> int:
    """A list of rising numbers, as a set."""
    numbers = checks.each(value, 0, high, where, lambda item, at: checks.whole(item, 1, high, at))
    if numbers != sorted(set(numbers)):
        raise checks.Flaw(f"{where} must hold rising numbers, not {checks.shown(value)}.")
    return sum(1 << number for number in numbers)


def _read_terrain(value: dict[str, Any], s: Any) -> None:
    """Pieces lie in their areas, each used once (D4, D5); in set-up the list grows."""
    sizes = {Phase.TERRAIN: (0, SEARCHERS - 1), Phase.TERRAIN_AT: (1, SEARCHERS)}
    pieces = checks.items(value["terrain"], *sizes.get(s.phase, (SEARCHERS, SEARCHERS)), "terrain")
    if s.phase <= Phase.TERRAIN_AT:
        s.placing = len(pieces) + (s.phase == Phase.TERRAIN)
    for area, piece in enumerate(pieces, 1):
        where = f"terrain[{area - 1}]"
        checks.fields(piece, ("piece", "at"), where)
        number = checks.whole(piece["piece"], 1, SEARCHERS, f"{where}.piece")
        if rules.used(s, number):
            raise checks.Flaw(f"{where} uses piece {number} a second time.")
        s.piece[area] = number
        if s.phase == Phase.TERRAIN_AT and area == len(pieces):
            continue
        row, column = _square(piece["at"], 1, ROWS, COLUMNS, f"{where}.at")
        top, left = AREAS[area - 1]
        if not (top <= row < top + DIE and left <= column < left + DIE):
            raise checks.Flaw(f"{where}.at lies outside area {area}, whose top left square is ({top}, {left}).")
        rules.lay_piece(s, area, row, column)


def _read_searchers(value: dict[str, Any], s: Any) -> None:
    """Searchers with their captives; in set-up the list grows."""
    sizes = {Phase.SEARCHER: (0, SEARCHERS - 1), Phase.FACING: (1, SEARCHERS)}
    least, most = (0, 0) if s.phase < Phase.SEARCHER else sizes.get(s.phase, (SEARCHERS, SEARCHERS))
    searchers = checks.items(value["searchers"], least, most, "searchers")
    for number, searcher in enumerate(searchers, 1):
        where = f"searchers[{number - 1}]"
        checks.fields(searcher, ("at", "facing", "captives"), where)
        row, column = _square(searcher["at"], 2, ROWS - 1, COLUMNS - 1, f"{where}.at")
        s.searcher_row[number], s.searcher_column[number] = row, column
        if s.phase != Phase.FACING or number < len(searchers):
            s.facing[number] = checks.whole(searcher["facing"], 1, rules.DIRECTIONS, f"{where}.facing")
        if s.phase >= Phase.SEARCH:
            s.captives[number] = _set(searcher["captives"], TOKENS, f"{where}.captives")
        else:
            _check_place(s, number, where)
    if s.phase in (Phase.SEARCHER, Phase.FACING):
        s.placing = len(searchers) + (s.phase == Phase.SEARCHER)


def _check_place(s: Any, searcher: int, where: str) -> None:
    """In set-up no searcher has moved from its place yet (D9)."""
    top, left, rows, columns = PLACES[searcher if s.patrols else 0]
    row, column = s.searcher_row[searcher], s.searcher_column[searcher]
    if not (top <= row < top + rows and left <= column < left + columns):
        raise checks.Flaw(f"{where}.at is not a square on which searcher {searcher} can be placed.")


def _read_deck(value: dict[str, Any], s: Any) -> None:
    """The cards drawn are those of all searchers that have drawn so far (D14)."""
    s.round = checks.whole(value["round"], 1, s.turns, "round")
    deck = checks.fields(value["deck"], KINDS, "deck")
    for i, kind in enumerate(KINDS):
        s.deck[i] = checks.whole(deck[kind], 0, DECK[i], f"deck.{kind}")
    if s.phase == Phase.SEARCH:
        s.searching = checks.whole(value["searching"], 1, SEARCHERS, "searching")
    drawn = _drawn(s)
    if s.phase == Phase.OVER:
        fits = 1 <= drawn <= SEARCHERS
    else:
        fits = drawn == (s.searching - 1 if s.searching else SEARCHERS)
    if not fits:
        gone = sum(DECK) - sum(s.deck)
        raise checks.Flaw(f"deck lacks {gone} cards, which does not fit round {s.round} and searching.")


def _drawn(s: Any) -> int:
    """The cards drawn in this turn."""
    return int(sum(DECK) - sum(s.deck) - SEARCHERS * (s.round - 1))


def _read_tokens(value: dict[str, Any], s: Any) -> None:
    """Free tokens stand apart and under no searcher (D31, D44); caught ones are captives of one searcher each."""
    for token, entry in enumerate(checks.items(value["tokens"], TOKENS, TOKENS, "tokens"), 1):
        where = f"tokens[{token - 1}]"
        checks.fields(entry, ("state", "at"), where)
        state = checks.word(entry["state"], STATES, f"{where}.state")
        if state == "free":
            row, column = _square(entry["at"], 1, ROWS, COLUMNS, f"{where}.at")
            if any((s.token_row[other], s.token_column[other]) == (row, column) for other in range(1, token)):
                raise checks.Flaw(f"{where}.at is the square of another token.")
            rules.put_token(s, token, row, column)
        elif state == "away":
            s.away |= 1 << token
        captors = [searcher for searcher in range(1, SEARCHERS + 1) if s.captives[searcher] >> token & 1]
        if len(captors) != (state == "caught"):
            raise checks.Flaw(f"Token {token} is {state}, but it is a captive of {len(captors)} searchers.")
    for searcher in range(1, SEARCHERS + 1):
        if covered := rules.tokens_within(s, searcher, 1):
            raise checks.Flaw(f"Searcher {searcher} covers free tokens: {_listed(covered)}.")


def _read_markers(value: dict[str, Any], s: Any) -> None:
    """Markers lie in trail columns (D37), and never under an empty searcher (D42, D-R13)."""
    markers = checks.items(value["markers"], 0, ROWS * COLUMNS, "markers")
    for i, marker in enumerate(markers):
        where = f"markers[{i}]"
        row, column = _square(checks.items(marker, 3, 3, where)[:2], 1, ROWS, COLUMNS, where)
        direction = checks.whole(marker[2], 1, rules.DIRECTIONS, f"The direction in {where}")
        if not TRAIL[column]:
            raise checks.Flaw(f"{where} lies in column {column}, which is not a trail column.")
        if s.marked[row] >> column & 1:
            raise checks.Flaw(f"{where} is the second marker on ({row}, {column}).")
        rules.leave_marker(s, row, column, direction)
    for searcher in range(1, SEARCHERS + 1):
        if not s.captives[searcher] and rules.covered_marker(s, searcher):
            raise checks.Flaw(f"Searcher {searcher} is empty and covers a marker, which it would have removed.")


def _read_sneak(value: dict[str, Any], s: Any) -> None:
    """Turn-order cards, who has moved, the mover and the rescue, each in its phases."""
    if s.players > 1:
        _read_cards(value, s)
    if s.phase != Phase.ORDER:
        s.moved = _set(value["moved"], TOKENS, "moved")
    if s.moved & s.away:
        raise checks.Flaw("moved names tokens that are away.")
    if s.phase in (Phase.DROP, Phase.LATE_ORDER, Phase.SNEAK) and value["mover"] is not None:
        _read_mover(value["mover"], s)
    if s.phase == Phase.DROP:
        s.rescue = checks.whole(value["rescue"], 1, SEARCHERS, "rescue")


def _read_cards(value: dict[str, Any], s: Any) -> None:
    for token, card in enumerate(checks.items(value["cards"], TOKENS, TOKENS, "cards"), 1):
        if card is None:
            continue
        where = f"cards[{token - 1}]"
        checks.whole(card, 1, TOKENS, where)
        if other := rules.holder(s, card):
            raise checks.Flaw(f"{where} is {card}, but token {other} holds that card.")
        if rules.caught(s) >> token & 1:
            raise checks.Flaw(f"{where} must be null: token {token} is caught.")
        s.cards[token] = card
    if not rules.any_card(s) and s.phase in (Phase.LATE_ORDER, Phase.SNEAK):
        raise checks.Flaw("cards must not all be null in this phase.")


def _read_mover(value: Any, s: Any) -> None:
    """Searchers adjacent to the mover have noticed it, or are halted (D57, D-R22)."""
    checks.fields(value, ("token", "points", "alert", "halted"), "mover")
    token = checks.whole(value["token"], 1, TOKENS, "mover.token")
    if not s.free & ~s.moved & 1 << token:
        raise checks.Flaw(f"Token {token} cannot be the mover: it is not free, or it has moved.")
    if s.players > 1 and not s.cards[token]:
        raise checks.Flaw(f"Token {token} cannot be the mover: it has no turn-order card.")
    s.mover = token
    s.points = checks.whole(value["points"], 0, POINTS, "mover.points")
    s.alert = _set(value["alert"], SEARCHERS, "mover.alert")
    s.halted = _set(value["halted"], SEARCHERS, "mover.halted")
    if s.alert & s.halted:
        raise checks.Flaw(f"Searchers are alert and halted at once: {_listed(s.alert & s.halted)}.")
    if unaware := rules.adjacent_searchers(s, token) & ~s.alert & ~s.halted:
        raise checks.Flaw(f"Searchers adjacent to the mover must be alert or halted: {_listed(unaware)}.")


def _check_going_on(s: Any) -> None:
    """Nothing is over, and whoever is asked has something to choose (D-R29)."""
    if s.away == rules.SQUAD:
        raise checks.Flaw("All tokens are away: the game must be over and won.")
    for searcher in range(1, SEARCHERS + 1):
        if s.captives[searcher] and rules.on_last_row(s, searcher):
            raise checks.Flaw(f"Searcher {searcher} is a carrier on the last row: the game must be over and lost.")
    if s.phase == Phase.DROP:
        _check_rescue(s)
    elif s.phase > Phase.SEARCH:
        if due := rules.due_rescue(s):
            raise checks.Flaw(f"A rescue from searcher {due} is due: the phase must be drop.")
        _check_choice(s)


def _check_rescue(s: Any) -> None:
    """Captives are being placed around searcher `rescue` (D50, D52)."""
    if not s.captives[s.rescue]:
        raise checks.Flaw(f"rescue is {s.rescue}, but that searcher has no captives.")
    if rules.adjacent_tokens(s, s.rescue) < RESCUERS:
        raise checks.Flaw(f"rescue is {s.rescue}, but fewer than {RESCUERS} free tokens are adjacent to that searcher.")
    if not rules.open_squares(s, s.rescue):
        raise checks.Flaw(f"rescue is {s.rescue}, but no open square is adjacent to that searcher.")
    if s.players > 1 and s.moved and not rules.any_card(s):
        raise checks.Flaw("moved must be empty while nobody has a turn-order card.")


def _check_choice(s: Any) -> None:
    """Tokens choose cards in the card phases and steps in the sneak phase, never nothing."""
    owed = rules.choosers(s) if s.players > 1 else 0
    if s.phase == Phase.SNEAK:
        if owed:
            raise checks.Flaw(f"Free tokens that have not moved must hold a turn-order card: {_listed(owed)}.")
        if s.players > 1 and not s.mover:
            raise checks.Flaw("mover must not be null in a cooperative sneak phase.")
        rules.offer(s)
        if not rules.count_ways(s):
            raise checks.Flaw("Nobody can step: the movement or the phase must have ended.")
    elif not owed:
        raise checks.Flaw("No token takes a turn-order card: the phase must be another.")
    elif s.phase == Phase.ORDER and any(s.cards[token] for token in _members(s.away)):
        raise checks.Flaw("cards names a token that is away, but nobody has moved yet.")


def _check_end(s: Any) -> None:
    """The reason is the one that the position shows (D63, D64, D65, D-R31)."""
    on_last_row = any(s.captives[n] and rules.on_last_row(s, n) for n in range(1, SEARCHERS + 1))
    search_over = _drawn(s) == SEARCHERS
    in_sneak = s.moved or rules.any_card(s)
    if in_sneak and not search_over:
        raise checks.Flaw("cards and moved must be empty: the game ended in the search phase.")
    fits = {
        Reason.LINES: s.away == rules.SQUAD and search_over,
        Reason.CAMP: on_last_row,
        Reason.SUNRISE: s.round == s.turns and search_over and not in_sneak,
        Reason.HOPELESS: rules.hopeless(s),
    }
    if not fits[s.reason]:
        raise checks.Flaw(f"The game cannot be over for the reason {REASONS[s.reason]!r} in this position.")
    if (s.away == rules.SQUAD) != (s.reason == Reason.LINES) or on_last_row != (s.reason == Reason.CAMP):
        raise checks.Flaw(f"The reason {REASONS[s.reason]!r} does not fit: the position shows another.")


def _listed(numbers: int) -> str:
    return ", ".join(map(str, _members(numbers)))
