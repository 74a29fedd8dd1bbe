"""The tiles, the tools and the walls of the box, checked."""

from enum import IntEnum
from typing import Any

from strandline.engine import box, checks
from strandline.engine.vocabulary import table


class Tile(IntEnum):
    """The kinds of tiles, in the tile order of the rule page."""

    SAND = 0
    PEBBLE = 1
    SEAWEED = 2
    STICK = 3
    BUTTERFLY = 4
    FAN = 5
    SPIRAL = 6
    SHOVEL = 7
    RAKE = 8
    WAVE = 9


TILES = tuple(tile.name.lower() for tile in Tile)
DECORATIONS = TILES[Tile.PEBBLE : Tile.SHOVEL]
TOOLS = TILES[Tile.SHOVEL : Tile.WAVE]
PAID = TILES[: Tile.SHOVEL]
"""What a wall can cost."""

MOST_TILES = 60
MOST_WALLS = 30
MOST_POINTS = 1000


def _read_tiles(value: Any) -> list[int]:
    """How many there are of each kind: a tool once at most, as moves name it (S-R22), and enough to collect (S-R31)."""
    numbers = checks.fields(value, TILES, "tiles")
    for name in TILES:
        checks.whole(numbers[name], int(name == "wave"), 1 if name in TOOLS else MOST_TILES, f"tiles.{name}")
    dry = sum(numbers.values()) - numbers["wave"]
    if not 17 <= dry <= MOST_TILES - numbers["wave"]:
        raise checks.Flaw(
            f"There must be at least 17 tiles beside the waves, or four stashes could hold them all, and at most"
            f" {MOST_TILES} tiles with the waves; there are {dry} and {numbers['wave']} waves."
        )
    return [numbers[name] for name in TILES]


def _read_group(value: Any, where: str) -> list[int]:
    """The decorations of a tool's group, as a flag for each kind of tile."""
    group = checks.each(value, 0, len(DECORATIONS), where, lambda item, at: checks.word(item, DECORATIONS, at))
    if len(set(group)) < len(group):
        raise checks.Flaw(f"{where} names a decoration twice: {checks.shown(value)}.")
    return [int(name in group) for name in TILES]


def _read_wall(value: Any, where: str) -> dict[str, int]:
    """One wall: points, the smallest number of players, and a cost that the box can pay."""
    wall: dict[str, int] = dict.fromkeys(PAID, 0) | checks.fields_of(value, where)
    checks.fields(wall, ("points", "min", *PAID), where)
    checks.whole(wall["points"], 0, MOST_POINTS, f"{where}.points")
    checks.whole(wall["min"], 2, 4, f"{where}.min")
    for name in PAID:
        checks.whole(wall[name], 0, NUMBER[TILES.index(name)], f"{where}.{name}")
    if not any(wall[name] for name in PAID):
        raise checks.Flaw(f"{where} must cost at least one tile.")
    return wall


def _read_in_play(players: int) -> int:
    """The walls for that many players, as bits: enough for all castles and a row that is full to the end (S-R2)."""
    bits = sum(1 << number for number, wall in enumerate(_walls, 1) if wall["min"] <= players)
    found, needed = bits.bit_count(), 4 * players + 4
    if found < needed:
        raise checks.Flaw(f"With {players} players at least {needed} walls are needed; there are {found}.")
    return bits


_box = checks.fields(box.contents(__package__), ("tiles", "tools", "walls"), "The box")
_tools = checks.fields(_box["tools"], TOOLS, "tools")

NUMBER = table(_read_tiles(_box["tiles"]))
"""How many tiles there are of each kind."""
ALL_TILES = sum(NUMBER)
WAVES = NUMBER[Tile.WAVE]
LONGEST_LINE = NUMBER[Tile.SAND] + NUMBER[Tile.SHOVEL] + NUMBER[Tile.RAKE] + len(DECORATIONS)
"""A line holds each decoration once at most (S15)."""

SHOVEL_GROUP = table(_read_group(_tools["shovel"], "tools.shovel"))
RAKE_GROUP = table(_read_group(_tools["rake"], "tools.rake"))

_walls = checks.each(_box["walls"], 20, MOST_WALLS, "walls", _read_wall)
WALLS = len(_walls)
POINTS = table([0, *(wall["points"] for wall in _walls)])
"""The points of each wall, by its number."""
COST = table([[0] * len(PAID), *([wall[name] for name in PAID] for wall in _walls)])
"""The tiles that each wall costs, by its number and by tile."""
IN_PLAY = table([0, 0, *map(_read_in_play, (2, 3, 4))])
"""The walls in play as bits, by the number of players."""
