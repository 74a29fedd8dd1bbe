"""Reef Route in text and JSON."""

from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation
from strandline.engine.vocabulary import first, second, verb

from .box import BACK, COLOURS, COLUMNS, FACES, FRONT, LAYOUTS, LENGTHS, ROWS, SETS, WIDTHS, legal_layout
from .rules import (
    BY_CHANCE,
    BY_TABLE,
    COLOUR,
    COVERED,
    EATEN,
    LAYOUT,
    NUMBER,
    REEF,
    SETUPS,
    SIZE,
    START_COLUMN,
    START_TILES,
    STRIDE,
    VACANT,
    WAITING,
    End,
    Phase,
    Verb,
    Way,
    blanks,
    bring,
    cover,
    kinds,
    laid_out,
    rim,
)

FIELDS = ("phase", "turn", "seat", "rolls", "dice", "tile", "predators", "fish", "end")
PHASES = tuple(phase.name.lower() for phase in Phase)
ENDS = (None, *(end.name.lower() for end in list(End)[1:]))
SIZES = ("small", "medium", "large")
WAYS = tuple(way.name.lower() for way in Way)
AWAY = {WAITING: "waiting", EATEN: "eaten", REEF: "reef"}
SETTING_UP = (Phase.LAYOUT, Phase.PLACE, Phase.FILL)
CHANCES = (Phase.FILL, Phase.ROLL)
MOST_ROLLS = 10**9

MOVES = Notation(
    {
        Verb.PUT: f"put {{1-4}} {{1-{ROWS}}}",
        Verb.PLACE: f"place {{{BACK}-{FRONT}}} {{1-{ROWS}}}",
        Verb.FILL: "fill {item}",
        Verb.ROLL: "roll {face} {face}",
        Verb.PREDATOR: "predator {1-4} {way}",
        Verb.SWIM: "swim {colour} {1-4} {way}",
    },
    item=(*COLOURS, "empty"),
    face=FACES,
    way=WAYS,
    colour=COLOURS,
)
LAYOUT_TEXTS = {
    code: " ".join(map(str, ("layout", *rows)))
    for codes, layouts in zip(LAYOUT, LAYOUTS, strict=True)
    for code, rows in zip(codes, layouts, strict=False)
}
LAYOUT_CODES = {text: code for code, text in LAYOUT_TEXTS.items()}


def write(code: int) -> str:
    """The text of a move."""
    return LAYOUT_TEXTS[code] if verb(code) == Verb.LAYOUT else MOVES.write(code)


def read(text: str) -> int | None:
    """The code of a move. A roll is an unordered pair, written in one order only (F-R4)."""
    code = LAYOUT_CODES.get(" ".join(text.split()), MOVES.read(text))
    if code is not None and verb(code) == Verb.ROLL and first(code) > second(code):
        return None
    return code


# The position as JSON


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    chance = s.phase in CHANCES or (s.phase == Phase.LAYOUT and s.setup == BY_CHANCE)
    return {
        "phase": PHASES[s.phase],
        "turn": None if s.phase == Phase.OVER else "chance" if chance else s.seat,
        "seat": s.seat,
        "rolls": s.rolls,
        "dice": _dice(s),
        "tile": column_and_row(START_TILES[s.lot]) if s.phase == Phase.FILL else None,
        "predators": [_predator(s, number) for number in range(NUMBER[s.predators])],
        "fish": {
            name: [AWAY[place] if place in AWAY else column_and_row(place) for place in s.fish[colour][: s.school]]
            for colour, name in enumerate(COLOURS)
        },
        "end": ENDS[s.end],
    }


def _dice(s: Any) -> list[str]:
    colours = [name for colour, name in enumerate(COLOURS) for _ in range(s.colour_dice[colour])]
    return ["predator"] * s.predator_dice + colours


def column_and_row(tile: int) -> list[int]:
    """A tile as people count."""
    return [tile // STRIDE, tile % STRIDE]


def _predator(s: Any, number: int) -> dict[str, Any]:
    col, row = column_and_row(s.lair[number]) if s.lair[number] else (None, None)
    return {"size": SIZES[SIZE[s.predators][number]], "col": col, "row": row}


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in; what can be told from other fields is compared afterwards by the engine.

    A position is judged as it stands, not by whether play could have led to it.
    """
    checks.fields(value, FIELDS, "The position")
    s.phase = PHASES.index(checks.word(value["phase"], PHASES, "phase"))
    rim(s)
    _read_predators(value["predators"], s)
    _read_fish(value["fish"], s)
    if s.phase in SETTING_UP:
        _read_setting_up(value, s)
    else:
        _read_turn(value, s)


def _read_predators(value: Any, s: Any) -> None:
    """Whole predators on the board, of the sizes that were agreed (F2, F16)."""
    for number, item in enumerate(checks.items(value, NUMBER[s.predators], NUMBER[s.predators], "predators")):
        where = f"predators[{number}]"
        entry = checks.fields(item, ("size", "col", "row"), where)
        size = SIZE[s.predators][number]
        checks.word(entry["size"], [SIZES[size]], f"{where}.size")
        if s.phase == Phase.LAYOUT and entry["col"] is None and entry["row"] is None:
            continue
        col = checks.whole(entry["col"], 1, COLUMNS + 1 - LENGTHS[size], f"{where}.col")
        row = checks.whole(entry["row"], 1, ROWS + 1 - WIDTHS[size], f"{where}.row")
        for offset in COVERED[size]:
            _check_vacant(s, col * STRIDE + row + offset, where)
        cover(s, number, col * STRIDE + row)


def _read_fish(value: Any, s: Any) -> None:
    """Four schools of the same size, each fish on a tile of its own or away (F6, F19)."""
    for colour, name in enumerate(COLOURS):
        school = checks.fields(value, COLOURS, "fish")[name]
        for number, item in enumerate(checks.items(school, s.school, s.school, f"fish.{name}")):
            where = f"fish.{name}[{number}]"
            if isinstance(item, str):
                word = checks.word(item, tuple(AWAY.values()), where)
                s.fish[colour][number] = next(place for place, text in AWAY.items() if text == word)
            else:
                tile = _read_tile(item, where)
                _check_vacant(s, tile, where)
                s.schools[colour] += 1
                bring(s, colour, number, tile)


def _read_tile(value: Any, where: str) -> int:
    col, row = checks.items(value, 2, 2, where)
    return checks.whole(col, 1, COLUMNS, f"{where}[0]") * STRIDE + checks.whole(row, 1, ROWS, f"{where}[1]")


def _check_vacant(s: Any, tile: int, where: str) -> None:
    if s.on[tile] != VACANT:
        raise checks.Flaw(f"{where} cannot be on column {tile // STRIDE}, row {tile % STRIDE}: there is another piece.")


# Setting up


def _read_setting_up(value: dict[str, Any], s: Any) -> None:
    if s.phase == Phase.LAYOUT:
        _read_layout(s)
        return
    _check_start(s)
    placed = [s.schools[COLOUR[seat]] for seat in range(s.players)]
    others = [s.schools[COLOUR[seat]] for seat in range(s.players, len(COLOURS))]
    if s.phase == Phase.PLACE:
        s.seat = placed.index(min(placed))
        behind = [placed[0] - int(seat >= s.seat > 0) for seat in range(s.players)]
        if placed != behind or min(placed) == s.school or any(others):
            raise checks.Flaw(
                "In phase place the seats take turns from seat 0 on, one fish at a time, until all are placed; "
                f"the other colours wait. Here the seats have placed {placed}."
            )
    else:
        if min(placed) < s.school:
            raise checks.Flaw(f"In phase fill all players have placed their {s.school} fish.")
        _read_lot(value["tile"], s)


def _read_layout(s: Any) -> None:
    """Predators are put one after the other, or all at once by lot (F-R5)."""
    number = laid_out(s)
    if s.setup == BY_TABLE or (s.setup == BY_CHANCE and number):
        raise checks.Flaw(f"With setup {SETUPS[s.setup]} the predators are laid out all at once.")
    if number == NUMBER[s.predators]:
        raise checks.Flaw("All predators are laid out: the phase layout is over.")
    if any(s.lair[later] for later in range(number, NUMBER[s.predators])):
        raise checks.Flaw(f"Predator {number + 1} must be laid out before those after it.")
    for colour, name in enumerate(COLOURS):
        if any(place != WAITING for place in s.fish[colour]):
            raise checks.Flaw(f"Predators are laid out first: the {name} fish must all be waiting.")
    _check_layout(s, number)
    s.seat = number % s.players


def _check_layout(s: Any, number: int) -> None:
    """Predators start against the reef (F3), with a free row between any two (F4)."""
    for i in range(number):
        column = START_COLUMN[SIZE[s.predators][i]]
        if s.lair[i] // STRIDE != column:
            raise checks.Flaw(f"Predator {i + 1} starts at column {column}, against the reef.")
    rows = [s.lair[i] % STRIDE for i in range(number)]
    if rows and not legal_layout(SETS[s.predators][:number], rows):
        raise checks.Flaw(f"At the start there is a free row between any two predators; rows {rows} leave none.")


def _check_start(s: Any) -> None:
    """Before the first roll all pieces are where they were laid out, placed or filled in (F3, F4, F7, F8, F10)."""
    _check_layout(s, NUMBER[s.predators])
    for seat, colour in enumerate(COLOUR):
        name = COLOURS[colour]
        tiles = [tile for tile in s.fish[colour][: s.school] if tile != WAITING]
        if any(tile not in START_TILES for tile in tiles):
            raise checks.Flaw(f"Before the first roll all {name} fish are waiting or on columns {BACK} and {FRONT}.")
        if tiles != list(s.fish[colour][: len(tiles)]):
            raise checks.Flaw(f"The {name} fish must be placed in the order of their numbers.")
        if seat < s.players and tiles and tiles[0] // STRIDE != FRONT:
            raise checks.Flaw(f"The first {name} fish starts at column {FRONT}.")
        if seat >= s.players and tiles != sorted(tiles, key=START_TILES.index):
            raise checks.Flaw(f"The {name} fish are numbered in the order of the tiles: the front column first.")


def _read_lot(value: Any, s: Any) -> None:
    """The tile that is drawn for, and a pool that fits it (F10)."""
    tile = _read_tile(value, "tile")
    if tile not in START_TILES or s.on[tile] != VACANT:
        raise checks.Flaw(f"tile must be an empty tile of column {BACK} or {FRONT}, not {checks.shown(value)}.")
    s.lot = START_TILES.index(tile)
    for seat in range(s.players, len(COLOURS)):
        for place in s.fish[COLOUR[seat]][: s.school]:
            if place != WAITING and START_TILES.index(place) > s.lot:
                raise checks.Flaw(f"No lot has been drawn yet for column {place // STRIDE}, row {place % STRIDE}.")
    if blanks(s) < 0:
        raise checks.Flaw("More fish are waiting than there are empty tiles left.")
    if kinds(s) < 2:
        raise checks.Flaw("Only one kind of item is left in the pool, so the rest is laid out without a lot.")


# Turns and the end


def _read_turn(value: dict[str, Any], s: Any) -> None:
    s.rolls = checks.whole(value["rolls"], 0 if s.phase == Phase.ROLL else 1, s.limit or MOST_ROLLS, "rolls")
    s.seat = checks.whole(value["seat"], 0, s.players - 1, "seat")
    _read_dice(value["dice"], s)
    for colour, name in enumerate(COLOURS):
        if WAITING in s.fish[colour][: s.school]:
            raise checks.Flaw(f"No fish waits after the set-up, but a {name} one does.")
    why = _why_over(s)
    if s.phase == Phase.OVER:
        if why == End.NONE:
            raise checks.Flaw("The game cannot be over: no fish is on the reef, and rivals are left to roll.")
        s.end = why
    elif why not in (End.NONE, End.LIMIT) or (s.phase == Phase.ROLL and why == End.LIMIT):
        raise checks.Flaw(f"The game is over ({ENDS[why]}), so the phase must be over.")
    if s.phase in (Phase.ROLL, Phase.ANY) and s.schools[COLOUR[s.seat]] == 0:
        raise checks.Flaw(f"Seat {s.seat} has no fish on the board, so it does not roll.")
    if s.rolls == 0:
        _check_start(s)
        if s.seat != 0:
            raise checks.Flaw("Seat 0 makes the first roll.")


def _read_dice(value: Any, s: Any) -> None:
    """Dice not yet used: predators are moved first, and then only colours are left (F12)."""
    words = checks.each(value, 0, 2, "dice", lambda item, where: checks.word(item, FACES, where))
    s.predator_dice = words.count("predator")
    for colour, name in enumerate(COLOURS):
        s.colour_dice[colour] = words.count(name)
    if s.phase == Phase.PREDATOR:
        fits = s.predator_dice > 0
    elif s.phase == Phase.FISH:
        fits = len(words) > 0 and s.predator_dice == 0
    else:
        fits = not words
    if not fits:
        raise checks.Flaw(f"The dice {checks.shown(words)} do not fit phase {PHASES[s.phase]}.")


def _why_over(s: Any) -> End:
    """How the position as it stands ends the game (F34): reef, nobody left, last colour, limit."""
    reef = sum(place == REEF for colour in range(len(COLOURS)) for place in s.fish[colour])
    if reef > 1:
        raise checks.Flaw("Only one fish can be on the reef: the first one ends the game.")
    if reef:
        return End.REEF
    if not any(s.schools[COLOUR[seat]] for seat in range(s.players)):
        return End.GONE
    if sum(left > 0 for left in s.schools) == 1:
        return End.LAST
    return End.LIMIT if s.rolls == s.limit != 0 else End.NONE
