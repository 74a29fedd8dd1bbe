"""The box's numbers, checked: the board (F1), the colours (F5), the dice (F-R3), the predators' start rows (F2, F4)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from strandline.engine import box, checks

COLOURS = ("yellow", "red", "green", "blue")
FACES = ("predator", *COLOURS)
SETS = ("ssm", "ssl", "smm", "sml", "sll", "mml", "mll", "ssmm", "ssml", "smml")
LETTERS = "sml"
LENGTHS = (1, 2, 2)
"""How many columns a small, a medium and a large predator covers (F-R8)."""
WIDTHS = (1, 1, 2)
"""How many rows a small, a medium and a large predator covers."""

FEWEST_ROWS = 8
"""Below it four predators or sixteen fish would not find room."""
MOST_ROWS = 10
"""Above it there would be too many layouts for a table."""
FEWEST_COLUMNS, MOST_COLUMNS = 4, 20
MOST_FACES = 12


def legal_layout(letters: str, rows: Sequence[int]) -> bool:
    """Whether predators of these sizes keep a row free between any two of them (F4, F-R7)."""
    ends = [row + WIDTHS[LETTERS.index(letter)] for letter, row in zip(letters, rows, strict=True)]
    spans = sorted(zip(rows, ends, strict=True))
    return max(ends) <= ROWS + 1 and all(a[1] < b[0] for a, b in pairwise(spans))


def _colours(value: Any) -> tuple[int, ...]:
    words = checks.each(value, 4, 4, "seats.colours", lambda item, where: checks.word(item, COLOURS, where))
    if len(set(words)) < len(words):
        raise checks.Flaw("seats.colours must name every colour once: two seats cannot have the same fish.")
    return tuple(COLOURS.index(word) for word in words)


def _die(value: Any, predators: int, where: str) -> tuple[int, ...]:
    words = checks.each(value, len(FACES), MOST_FACES, where, lambda item, place: checks.word(item, FACES, place))
    if words.count("predator") != predators:
        raise checks.Flaw(f"{where} must have exactly {predators} predator faces, not {words.count('predator')}.")
    for colour in COLOURS:
        if colour not in words:
            raise checks.Flaw(f"{where} lacks {colour}: those fish could never be rolled.")
    return tuple(FACES.index(word) for word in words)


def _start_rows(value: Any, letters: str) -> tuple[int, ...]:
    where = f"start_rows.{letters}"
    rows = checks.each(value, len(letters), len(letters), where, lambda item, place: checks.whole(item, 1, ROWS, place))
    if not legal_layout(letters, rows):
        raise checks.Flaw(f"{where} must keep the predators on the board, with a free row between any two of them.")
    return tuple(rows)


def _layouts(letters: str) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for number in range(1, len(letters) + 1):
        longer = [(*rows, row) for rows in found for row in range(1, ROWS + 1)]
        found = [rows for rows in longer if legal_layout(letters[:number], rows)]
    return found


_box = box.contents(__package__)
_board = checks.fields(_box["board"], ("columns", "rows", "front", "back"), "board")
COLUMNS = checks.whole(_board["columns"], FEWEST_COLUMNS, MOST_COLUMNS, "board.columns")
ROWS = checks.whole(_board["rows"], FEWEST_ROWS, MOST_ROWS, "board.rows")
FRONT = checks.whole(_board["front"], 2, COLUMNS - 2, "board.front")
BACK = checks.whole(_board["back"], 1, FRONT - 1, "board.back")
COLOUR_OF_SEAT = _colours(checks.fields(_box["seats"], ("colours",), "seats")["colours"])

_faces = checks.fields(_box["faces"], ("1", "2"), "faces")
DICE = tuple(_die(_faces[str(predators)], predators, f"faces.{predators}") for predators in (1, 2))
"""The faces of a die with one predator and of a die with two, as places in FACES."""

_rows = checks.fields(_box["start_rows"], SETS, "start_rows")
START_ROWS = tuple(_start_rows(_rows[letters], letters) for letters in SETS)
LAYOUTS = tuple(_layouts(letters) for letters in SETS)
"""All legal layouts of each set: predators are numbered, so that equal sizes can swap."""
