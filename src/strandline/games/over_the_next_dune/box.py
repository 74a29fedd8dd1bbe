"""The box's numbers, checked (D-R1, D-R2). Numbers of seats, tokens, searchers, areas and pieces are the game's own."""

from typing import Any

from strandline.engine import box, checks
from strandline.engine.vocabulary import table

SEATS = 5
TOKENS = 5
SEARCHERS = 6
DIE = 6
"""The sides of an area, because two six-sided dice say where a piece lies in it (D5)."""
SMALLEST, LARGEST = 12, 28
"""The sides of a battlefield; a row of squares is kept as the bits of a whole number."""

_box = box.contents(__package__)


def _entry(name: str, entries: tuple[str, ...]) -> dict[str, Any]:
    return checks.fields(_box[name], entries, name)


def _span(value: Any, low: int, high: int, where: str) -> tuple[int, int]:
    """First and last of some rows or columns."""
    first, last = checks.each(value, 2, 2, where, lambda item, at: checks.whole(item, low, high, at))
    if first > last:
        raise checks.Flaw(f"{where} must name the first and then the last, not {first} and {last}.")
    return first, last


def _square(value: Any, rows: int, columns: int, where: str) -> tuple[int, int]:
    row, column = checks.items(value, 2, 2, where)
    return checks.whole(row, 1, rows, f"{where}[0]"), checks.whole(column, 1, columns, f"{where}[1]")


# The battlefield

_field = _entry("battlefield", ("rows", "columns", "start", "areas", "trail_columns"))
ROWS = checks.whole(_field["rows"], SMALLEST, LARGEST, "battlefield.rows")
COLUMNS = checks.whole(_field["columns"], SMALLEST, LARGEST, "battlefield.columns")
if COLUMNS % 2:
    raise checks.Flaw("battlefield.columns must be even: markers are compared by the line between the middle ones.")

START = checks.each(
    _field["start"], TOKENS, TOKENS, "battlefield.start", lambda item, at: _square(item, ROWS, COLUMNS, at)
)
if len(set(START)) < TOKENS:
    raise checks.Flaw("battlefield.start must name five different squares.")

AREAS = checks.each(
    _field["areas"],
    SEARCHERS,
    SEARCHERS,
    "battlefield.areas",
    lambda item, at: _square(item, ROWS - DIE + 1, COLUMNS - DIE + 1, at),
)

TRAIL_COLUMNS = checks.each(
    _field["trail_columns"],
    1,
    COLUMNS,
    "battlefield.trail_columns",
    lambda item, at: checks.whole(item, 1, COLUMNS, at),
)
if sorted(set(TRAIL_COLUMNS)) != TRAIL_COLUMNS:
    raise checks.Flaw("battlefield.trail_columns must be in rising order, each column once.")
if {COLUMNS // 2, COLUMNS // 2 + 1} <= set(TRAIL_COLUMNS):
    raise checks.Flaw("battlefield.trail_columns cannot hold both middle columns: their markers would be equally near.")

# Searchers

_searchers = _entry("searchers", ("rows", "columns", "patrol_rows", "steps", "rescuers"))
STEPS = checks.whole(_searchers["steps"], 1, ROWS, "searchers.steps")
RESCUERS = checks.whole(_searchers["rescuers"], 1, TOKENS - 1, "searchers.rescuers")
DICE_ROWS = _span(_searchers["rows"], 2, ROWS - 1, "searchers.rows")
DICE_COLUMNS = _span(_searchers["columns"], 2, COLUMNS - 1, "searchers.columns")
PATROL_ROWS = _span(_searchers["patrol_rows"], 2, ROWS - 1, "searchers.patrol_rows")
if min(row for row, _ in START) <= max(DICE_ROWS[1], PATROL_ROWS[1]) + 1:
    raise checks.Flaw("battlefield.start must lie below all squares that searchers can cover when they are placed.")


def _patrol(top: int, left: int) -> tuple[int, int, int, int]:
    """First row and column of the places in an area, and how many rows and columns there are."""
    first, last = max(top, PATROL_ROWS[0]), min(top + DIE - 1, PATROL_ROWS[1])
    low, high = max(left, 2), min(left + DIE - 1, COLUMNS - 1)
    if first > last:
        raise checks.Flaw(f"searchers.patrol_rows leaves no place for a searcher in the area at [{top}, {left}].")
    return first, low, last - first + 1, high - low + 1


PLACES = [
    (DICE_ROWS[0], DICE_COLUMNS[0], DICE_ROWS[1] - DICE_ROWS[0] + 1, DICE_COLUMNS[1] - DICE_COLUMNS[0] + 1),
    *(_patrol(top, left) for top, left in AREAS),
]
"""Where searchers are placed, as in `_patrol`: by dice, then in areas 1 to 6 (D9)."""

# Cards and turns

_turns = _entry("turns", ("fewest", "most"))
MOST_TURNS = checks.whole(_turns["most"], 1, 20, "turns.most")
FEWEST_TURNS = checks.whole(_turns["fewest"], 1, MOST_TURNS, "turns.fewest")

KINDS = ("straight", "left", "right")
_cards = _entry("cards", KINDS)
DECK = [checks.whole(_cards[kind], 0, 120, f"cards.{kind}") for kind in KINDS]
if not SEARCHERS * MOST_TURNS <= sum(DECK) <= 120:
    raise checks.Flaw(f"cards must be {SEARCHERS * MOST_TURNS} to 120, enough for {MOST_TURNS} turns, not {sum(DECK)}.")

# Tokens

_tokens = _entry("tokens", ("points", "owners"))
POINTS = checks.whole(_tokens["points"], 1, 20, "tokens.points")


def _owners(value: Any, seats: int) -> list[int]:
    where = f"tokens.owners[{seats - 1}]"
    owners = checks.each(value, TOKENS, TOKENS, where, lambda item, at: checks.whole(item, 0, seats - 1, at))
    if len(set(owners)) < seats:
        raise checks.Flaw(f"{where} must give every seat from 0 to {seats - 1} a token.")
    return owners


OWNERS = [
    _owners(row, seats) for seats, row in enumerate(checks.items(_tokens["owners"], SEATS, SEATS, "tokens.owners"), 1)
]

# Terrain

_NAMES = tuple(str(piece) for piece in range(1, SEARCHERS + 1))
_terrain = _entry("terrain", _NAMES)


def _piece(value: Any, where: str) -> list[tuple[int, int]]:
    """The rough squares of a piece, counted down and right from its centre; the centre is the first."""
    picture = checks.each(value, 1, 9, where, _picture_row)
    squares = {(row, column): mark for row, line in enumerate(picture) for column, mark in enumerate(line)}
    centres = [square for square, mark in squares.items() if mark == "C"]
    if len(centres) != 1:
        raise checks.Flaw(f"{where} must have one centre C, not {len(centres)}.")
    (top, left), *_ = centres
    return [(0, 0)] + [(row - top, column - left) for (row, column), mark in squares.items() if mark == "#"]


def _picture_row(value: Any, where: str) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= 9 or set(value) - set("C#."):
        raise checks.Flaw(f"{where} must be a row of 1 to 9 marks C # . and not {checks.shown(value)}.")
    return value


PIECES = [_piece(_terrain[name], f"terrain.{name}") for name in _NAMES]

# The same as tables for the rules. Numbers are the page's: what has number 1 stands at index 1.

START_SQUARE = table([(0, 0), *START])
AREA = table([(0, 0), *AREAS])
TRAIL = table(TRAIL_COLUMNS.index(column) + 1 if column in TRAIL_COLUMNS else 0 for column in range(COLUMNS + 1))
"""The number of each trail column among the trail columns; 0 for all others."""
TRAILS = len(TRAIL_COLUMNS)
PLACE = table(PLACES)
CARDS = table(DECK)
OWNER = table([[0] * (TOKENS + 1), *([0, *row] for row in OWNERS)])
_size = max(map(len, PIECES))
ROUGH = table([[(0, 0)] * _size, *(piece + [(0, 0)] * (_size - len(piece)) for piece in PIECES)])
"""The rough squares of each piece, filled up with its centre, which is rough anyway."""
