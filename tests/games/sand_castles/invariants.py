"""What holds in every position of Sand Castles."""

from collections import Counter
from typing import Any

BOX = Counter(sand=14, pebble=7, seaweed=6, stick=5, butterfly=4, fan=3, spiral=2, shovel=1, rake=1, wave=3)
DECORATIONS = ("pebble", "seaweed", "stick", "butterfly", "fan", "spiral")
COLLECTING = ("collect", "draw", "peek", "pick")


def check(value: dict[str, Any]) -> None:
    """Tiles, walls and critters are where they can be."""
    _check_tiles(value)
    _check_walls(value)
    _check_turn(value)
    _check_seagull(value)


def _check_tiles(value: dict[str, Any]) -> None:
    dry = [value["beach"], value["dropped"], *value["stashes"], Counter(value["line"])]
    seen = Counter(item["tile"] for item in value["peeked"])
    assert sum(map(Counter, [value["pool"], *dry]), seen + Counter(wave=value["waves_out"])) == BOX
    assert not any("wave" in heap for heap in dry)
    assert 0 <= value["waves_out"] <= 2
    assert all(value["line"].count(name) <= 1 for name in DECORATIONS)
    assert not value["line"] or value["phase"] in COLLECTING
    assert bool(value["dropped"]) == (value["phase"] == "draft")
    for heap in (value["pool"], *dry[:-1]):
        assert list(heap) == [name for name in BOX if name in heap] and all(heap.values())
    if value["phase"] == "wave":
        assert value["beach"] == {} and value["peeked"] == [] and value["stashes"][value["turn"]]


def _check_walls(value: dict[str, Any]) -> None:
    walls = [*value["row"], *value["stack"], *(wall for built in value["walls"] for wall in built)]
    assert sorted(walls) == list(range(1, 4 * value["players"] + 5))
    for some in (value["row"], value["stack"], *value["walls"]):
        assert some == sorted(some)
    assert all(len(built) <= 4 for built in value["walls"])
    if value["phase"] == "refill":
        assert len(value["row"]) == 4 and value["stack"]
    elif value["phase"] == "setup":
        assert len(value["row"]) < 5
    else:
        assert len(value["row"]) == 5 or not value["stack"]


def _check_turn(value: dict[str, Any]) -> None:
    full = [seat for seat, built in enumerate(value["walls"]) if len(built) == 4]
    assert value["final_by"] in full if full else value["final_by"] is None
    if value["phase"] in ("setup", "draw", "peek", "refill"):
        assert value["turn"] == "chance"
    elif value["phase"] == "over":
        assert value["turn"] is None
    elif value["phase"] not in ("draft", "wave"):
        assert value["turn"] == value["seat"]
    limit = value["options"]["max_rounds"]
    assert not limit or value["round"] <= limit + (value["final_by"] is not None)
    assert not value["nimble"] or value["phase"] == "wave"


def _check_seagull(value: dict[str, Any]) -> None:
    assert value["seagull"] in (range(value["players"]) if value["players"] > 2 else [None])
    assert not value["seagull_used"] or (
        value["seagull"] == value["seat"] and value["phase"] not in ("setup", "seagull", "over")
    )
    places = [item["place"] for item in value["peeked"]]
    assert places == sorted(set(places)) and all(1 <= place <= 46 for place in places)
    assert all(item["known_by"] == sorted(set(item["known_by"])) != [] for item in value["peeked"])
    if value["phase"] in ("peek", "pick"):
        knowing = [item["place"] for item in value["peeked"] if value["seat"] in item["known_by"]]
        face_down = sum(value["pool"].values()) + len(places)
        assert set(value["looking"]) <= set(knowing) and value["seagull_used"]
        assert len(value["looking"]) + value["look_left"] == min(3, face_down)
        assert (value["look_left"] > 0) == (value["phase"] == "peek")
    else:
        assert (value["looking"], value["look_left"]) == ([], 0)
