"""Sand Castles in text and JSON."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from strandline.engine import checks
from strandline.engine.notation import Notation
from strandline.engine.vocabulary import CHANCE, OVER, first, pack, second, third, verb

from .box import (
    ALL_TILES,
    DECORATIONS,
    IN_PLAY,
    LONGEST_LINE,
    NUMBER,
    TILES,
    WALLS,
    WAVES,
    Tile,
)
from .rules import (
    CASTLE,
    LOOKED_AT,
    NOBODY,
    ROW,
    Phase,
    Verb,
    is_last_turn,
    looked_at,
    setup,
    stands_for,
    to_move,
)

PHASES = tuple(phase.name.lower() for phase in Phase)
FIELDS = (
    *("phase", "turn", "seat", "round", "final_by", "row", "stack", "walls", "pool", "peeked", "beach", "waves_out"),
    *("line", "dropped", "stashes", "crab", "seagull", "seagull_used", "looking", "look_left", "nimble"),
)
DRY = TILES[: Tile.WAVE]
"""The tiles that can be in a line, a stash or the beach: all but the waves (S20)."""


# Moves

MOVES = Notation(
    {
        Verb.FLIP: "flip",
        Verb.FLIP_PEEKED: f"flip peeked {{1-{ALL_TILES}}}",
        Verb.STOP: "stop",
        Verb.TAKE_PEEKED: f"take peeked {{1-{ALL_TILES}}}",
        Verb.TAKE: "take {dry}",
        Verb.DISCARD: "discard {dry}",
        Verb.KEEP: "keep",
        Verb.CRAB: "crab {0-3} {dry}",
        Verb.PASS: "pass",
        Verb.SEAGULL_TO: "seagull to {0-3}",
        Verb.DRAW: "draw {tile}",
        Verb.PEEK: "peek {tile}",
        Verb.WALL: f"wall {{1-{WALLS}}}",
    },
    tile=TILES,
    dry=DRY,
)
NUMBERED = "([1-9][0-9]?)"
LOOK = re.compile(f"seagull(?: peeked {NUMBERED}(?: {NUMBERED}(?: {NUMBERED})?)?)?")
BUILD = re.compile(f"build {NUMBERED}(?: shovel ({'|'.join(DECORATIONS)}))?(?: rake ({'|'.join(DECORATIONS)}))?")


def write(code: int) -> str:
    """The text of a move."""
    if verb(code) == Verb.SEAGULL:
        places = [str(place) for place in _numbers(code) if place]
        return " ".join(["seagull", *(["peeked", *places] if places else [])])
    if verb(code) == Verb.BUILD:
        wall, shovel, rake = _numbers(code)
        tools = (f" {tool} {TILES[tile]}" for tool, tile in (("shovel", shovel), ("rake", rake)) if tile)
        return f"build {wall}{''.join(tools)}"
    return MOVES.write(code)


def read(text: str) -> int | None:
    """The code of the move that is written so, or None: places ascend, and a tool stands for a tile of its group."""
    line = " ".join(text.split())
    if look := LOOK.fullmatch(line):
        places = [int(number) for number in look.groups() if number]
        fits = places == sorted(set(places)) and all(place <= ALL_TILES for place in places)
        return int(pack(Verb.SEAGULL, *places)) if fits else None
    if build := BUILD.fullmatch(line):
        wall = int(build[1])
        shovel, rake = (TILES.index(name) if name else 0 for name in build.groups()[1:])
        return int(pack(Verb.BUILD, wall, shovel, rake)) if wall <= WALLS and stands_for(shovel, rake) else None
    return MOVES.read(line)


def _numbers(code: int) -> tuple[int, int, int]:
    return first(code), second(code), third(code)


# Positions


def to_json(s: Any) -> dict[str, Any]:
    """The position's own fields."""
    seats = range(s.players)
    who = to_move(s)
    built = [members(s.walls[seat]) for seat in seats]
    row = members(s.row)
    return {
        "phase": PHASES[s.phase],
        "turn": None if who == OVER else "chance" if who == CHANCE else who,
        "seat": s.seat,
        "round": s.round,
        "final_by": _seat_or_none(s.final_by),
        "row": row,
        "stack": sorted(set(members(IN_PLAY[s.players])) - set(row).union(*built)),
        "walls": built,
        "pool": counts(s.pool),
        "peeked": [
            {"place": place, "tile": TILES[s.peeked[place]], "known_by": members(s.known_by[place])}
            for place in members(s.places)
        ],
        "beach": counts(s.beach),
        "waves_out": s.waves_out,
        "line": [TILES[tile] for tile in s.line[: s.line_length]],
        "dropped": counts(s.dropped),
        "stashes": [counts(s.stashes[seat]) for seat in seats],
        "crab": s.crab,
        "seagull": _seat_or_none(s.seagull),
        "seagull_used": bool(s.seagull_used),
        "looking": members(s.looking),
        "look_left": s.look_left,
        "nimble": bool(s.nimble),
    }


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def members(bits: int) -> list[int]:
    """The numbers in a set."""
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def counts(heap: Iterable[int]) -> dict[str, int]:
    """How many tiles of each kind a heap has."""
    return {name: number for name, number in zip(TILES, heap, strict=True) if number}


def view(value: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """What the seat knows (S36): a peeked tile that it has not looked at is one of those that it cannot place."""
    pool = dict(value["pool"])
    peeked = []
    for place in value["peeked"]:
        if seat not in place["known_by"]:
            pool[place["tile"]] = pool.get(place["tile"], 0) + 1
            place = place | {"tile": None}
        peeked.append(place)
    return value | {"pool": {name: pool[name] for name in TILES if name in pool}, "peeked": peeked, "view": seat}


def secret(s: Any, code: int) -> int | None:
    """What the Seagull shows is for the seat that looks alone (S36)."""
    return int(s.seat) if verb(code) == Verb.PEEK else None


def from_json(value: dict[str, Any], s: Any) -> None:
    """Fill the record in, and refuse what no game comes to as far as the position itself tells."""
    checks.fields(value, FIELDS, "The position")
    s.phase = PHASES.index(checks.word(value["phase"], PHASES, "phase"))
    _read_walls(value, s)
    _read_tiles(value, s)
    _read_peeked(value["peeked"], s)
    _check_tiles(value, s)
    _read_turn(value, s)
    _read_critters(value, s)
    _check_final_round(s)
    _check_phase(s)


def _read_turn(value: dict[str, Any], s: Any) -> None:
    s.seat = _read_seat(value["seat"], s, "seat")
    s.round = checks.whole(value["round"], 1, s.max_rounds + 1 if s.max_rounds else 10**9, "round")
    s.final_by = NOBODY if value["final_by"] is None else _read_seat(value["final_by"], s, "final_by")
    if s.phase in (Phase.DRAFT, Phase.WAVE):
        s.chooser = _read_seat(value["turn"], s, "turn")


def _read_seat(value: Any, s: Any, where: str) -> int:
    return checks.whole(value, 0, s.players - 1, where)


def _read_set(value: Any, least: int, most: int, low: int, high: int, where: str) -> list[int]:
    """A list of numbers that ascends."""
    numbers = checks.each(value, least, most, where, lambda item, at: checks.whole(item, low, high, at))
    if numbers != sorted(set(numbers)):
        raise checks.Flaw(f"{where} must ascend and name nothing twice, not {checks.shown(value)}.")
    return numbers


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _read_walls(value: dict[str, Any], s: Any) -> None:
    """Row, stack and castles hold the walls in play, each once, and the row is full while there is a stack."""
    row = _read_set(value["row"], 0, ROW, 1, WALLS, "row")
    stack = _read_set(value["stack"], 0, WALLS, 1, WALLS, "stack")
    walls = [
        _read_set(built, 0, CASTLE, 1, WALLS, f"walls[{seat}]")
        for seat, built in enumerate(checks.items(value["walls"], s.players, s.players, "walls"))
    ]
    found = [*row, *stack, *(wall for built in walls for wall in built)]
    for wall in range(1, WALLS + 1):
        in_play = IN_PLAY[s.players] >> wall & 1
        if found.count(wall) != in_play:
            must = "must be once" if in_play else f"is not in play with {s.players} players, so it must not be"
            times = _times(found.count(wall))
            raise checks.Flaw(f"Wall {wall} {must} among row, stack and walls; it is there {times}.")
    s.row = _bits(row)
    for seat, built in enumerate(walls):
        s.walls[seat] = _bits(built)
    if s.phase in (Phase.SETUP, Phase.REFILL):
        least = ROW - 1 if s.phase == Phase.REFILL else 0
        if not stack or not least <= len(row) < ROW:
            raise checks.Flaw(f"In phase {PHASES[s.phase]} a wall of the stack is still to come into the row.")
    elif stack and len(row) < ROW:
        raise checks.Flaw(f"row must have {ROW} walls while there are walls in the stack, not {len(row)}.")


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _read_tiles(value: dict[str, Any], s: Any) -> None:
    _read_heap(value["pool"], TILES, s.pool, "pool")
    _read_heap(value["beach"], DRY, s.beach, "beach")
    _read_heap(value["dropped"], DRY, s.dropped, "dropped")
    for seat, heap in enumerate(checks.items(value["stashes"], s.players, s.players, "stashes")):
        _read_heap(heap, DRY, s.stashes[seat], f"stashes[{seat}]")
    s.waves_out = checks.whole(value["waves_out"], 0, WAVES - 1, "waves_out")
    line = checks.each(value["line"], 0, LONGEST_LINE, "line", lambda item, at: checks.word(item, DRY, at))
    for name in DECORATIONS:
        if line.count(name) > 1:
            raise checks.Flaw(f"Two equal decorations cannot be in the line: {name}.")
    s.line_length = len(line)
    for i, name in enumerate(line):
        s.line[i] = TILES.index(name)


def _read_heap(value: Any, names: Sequence[str], heap: Any, where: str) -> None:
    for name, number in checks.fields_of(value, where).items():
        tile = TILES.index(checks.word(name, names, f"A tile in {where}"))
        heap[tile] = checks.whole(number, 1, NUMBER[tile], f"{where}.{name}")


def _read_peeked(value: Any, s: Any) -> None:
    for i, item in enumerate(checks.items(value, 0, ALL_TILES, "peeked")):
        where = f"peeked[{i}]"
        fields = checks.fields(item, ("place", "tile", "known_by"), where)
        place = checks.whole(fields["place"], 1, ALL_TILES, f"{where}.place")
        if s.places >> place:
            raise checks.Flaw(f"The places in peeked must ascend: {place} cannot follow {members(s.places)[-1]}.")
        s.places |= 1 << place
        s.peeked[place] = TILES.index(checks.word(fields["tile"], TILES, f"{where}.tile"))
        s.known_by[place] = _bits(_read_set(fields["known_by"], 1, s.players, 0, s.players - 1, f"{where}.known_by"))


def _check_tiles(value: dict[str, Any], s: Any) -> None:
    """All the tiles of the box are somewhere."""
    heaps = [value["pool"], value["beach"], value["dropped"], *value["stashes"], {"wave": value["waves_out"]}]
    single = [*value["line"], *(item["tile"] for item in value["peeked"])]
    for name, number in zip(TILES, NUMBER, strict=True):
        found = sum(heap.get(name, 0) for heap in heaps) + single.count(name)
        if found != number:
            raise checks.Flaw(f"There must be {number} {name} tiles in all, not {found}.")


def _read_critters(value: dict[str, Any], s: Any) -> None:
    """Where Crab and Seagull are, and what the Seagull looks at; with 2 players there is none (S3)."""
    s.crab = _read_seat(value["crab"], s, "crab")
    if s.players == 2:
        checks.same(value["seagull"], None, "seagull")
        s.seagull = NOBODY
    else:
        s.seagull = _read_seat(value["seagull"], s, "seagull")
    s.seagull_used = checks.flag(value["seagull_used"], "seagull_used")
    holds = s.seagull == s.seat
    _need(
        holds or not s.seagull_used, "seagull_used must be false: who has used it holds the Seagull to the turn's end."
    )
    s.looking = _bits(_read_set(value["looking"], 0, LOOKED_AT, 1, ALL_TILES, "looking"))
    s.look_left = checks.whole(value["look_left"], 0, LOOKED_AT, "look_left")
    s.nimble = checks.flag(value["nimble"], "nimble")


def _check_final_round(s: Any) -> None:
    """A full castle and the final round come together; the others have their turns after the trigger."""
    full = [seat for seat in range(s.players) if s.walls[seat].bit_count() == CASTLE]
    in_time = not s.max_rounds or s.round <= s.max_rounds
    if s.final_by == NOBODY:
        _need(not full, f"final_by must be a seat: somebody has {CASTLE} walls.")
        _need(in_time, f"round cannot be above max_rounds, {s.max_rounds}, without a final round.")
        return
    _need(s.final_by in full, f"final_by cannot be {s.final_by}: that seat has fewer than {CASTLE} walls.")
    for seat in full:
        begun = (seat - s.final_by) % s.players <= (s.seat - s.final_by) % s.players
        _need(begun, f"final_by cannot be {s.final_by}: seat {seat} has {CASTLE} walls before its last turn.")
    _need(
        s.seat != s.final_by or s.phase >= Phase.BUILD,
        f"seat cannot be {s.seat}: after the fourth wall final_by has no turn any more.",
    )
    _need(
        in_time or s.seat < s.final_by,
        f"round cannot be {s.round}: the final round must have begun by round {s.max_rounds}.",
    )


def _check_phase(s: Any) -> None:
    """What is in use in some phases only must be empty in the others."""
    phase = PHASES[s.phase]
    collecting = s.phase in (Phase.COLLECT, Phase.DRAW, Phase.PEEK, Phase.PICK)
    looking = s.phase in (Phase.PEEK, Phase.PICK)
    _need(collecting or not s.line_length, f"line must be empty in phase {phase}.")
    _need(looking or not s.looking, f"looking must be empty in phase {phase}.")
    _need(any(s.dropped) == (s.phase == Phase.DRAFT), "There must be tiles in dropped in phase draft, and only then.")
    _need((s.look_left > 0) == (s.phase == Phase.PEEK), "look_left must be above 0 in phase peek, and only then.")
    _need(not s.nimble or s.phase == Phase.WAVE, f"nimble must be false in phase {phase}.")
    _need(not s.seagull_used or Phase.SETUP < s.phase < Phase.SEAGULL, f"seagull_used must be false in phase {phase}.")
    if looking:
        _check_looking(s)
    elif s.phase == Phase.SETUP:
        _check_setup(s)
    elif s.phase == Phase.WAVE:
        _need(not any(s.beach) and not s.places, "beach and peeked must be empty in phase wave.")
        _need(any(s.stashes[s.chooser]), f"turn cannot be {s.chooser} in phase wave: that seat has no tiles to keep.")
    elif s.phase == Phase.SEAGULL:
        _need(s.seagull == s.seat, "In phase seagull the player must hold the Seagull.")
        _need(not is_last_turn(s), "The Seagull is not passed any more: this was the last turn.")


def _need(fits: bool, sentence: str) -> None:
    if not fits:
        raise checks.Flaw(sentence)


def _check_looking(s: Any) -> None:
    """The player has used the Seagull, knows the places, and there are enough unknown tiles for the rest."""
    _need(bool(s.seagull_used), f"seagull_used must be true in phase {PHASES[s.phase]}.")
    places = members(s.looking)
    for place in places:
        known = s.places >> place & 1 and s.known_by[place] >> s.seat & 1
        _need(known, f"looking names place {place}, which must be in peeked and known by seat {s.seat}.")
    found = len(places) + s.look_left
    _need(found == looked_at(s), f"looking and look_left must make {looked_at(s)} together, not {found}.")
    _need(s.look_left <= sum(s.pool), f"look_left cannot be {s.look_left}: there are {sum(s.pool)} unknown tiles.")


def _check_setup(s: Any) -> None:
    start = type(s)(players=s.players, max_rounds=s.max_rounds)
    setup(start, None)
    start.row = s.row
    _need(bytes(start) == bytes(s), "In phase setup all must be as at the start of a game, but for row and stack.")
