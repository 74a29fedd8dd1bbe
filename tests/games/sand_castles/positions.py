"""Positions for tests, made from a few words."""

from collections import Counter
from typing import Any

import strandline

GAME = strandline.game("sand_castles")
BOX = Counter(sand=14, pebble=7, seaweed=6, stick=5, butterfly=4, fan=3, spiral=2, shovel=1, rake=1, wave=3)


def position(players: int = 3, **changes: Any) -> strandline.Position:
    """Seat 0's turn; all tiles and walls that are nowhere else are in the pool and in the stack."""
    value: dict[str, Any] = GAME.new(players).to_json() | {"phase": "collect", "turn": 0, "row": [1, 5, 9, 10, 12]}
    value |= changes
    heaps = [value["beach"], value["dropped"], *value["stashes"], Counter(value["line"])]
    used = sum(map(Counter, heaps), Counter(wave=value["waves_out"])) + Counter(
        place["tile"] for place in value["peeked"]
    )
    built = {wall for walls in value["walls"] for wall in walls}
    value["pool"] = {kind: BOX[kind] - used[kind] for kind in BOX if BOX[kind] > used[kind]}
    value["stack"] = [wall for wall in range(1, 4 * players + 5) if wall not in built | set(value["row"])]
    return strandline.Position.from_json(value)


def peeked(*places: tuple[int, str, list[int]]) -> list[dict[str, Any]]:
    return [{"place": place, "tile": tile, "known_by": known_by} for place, tile, known_by in places]
