"""What holds in every position of Reef Route."""

from itertools import product
from typing import Any

LENGTH = {"small": 1, "medium": 2, "large": 2}
WIDTH = {"small": 1, "medium": 1, "large": 2}
COLOURS = ("yellow", "red", "green", "blue")


def covered(predator: dict[str, Any]) -> list[tuple[int, int]]:
    """The tiles of a predator."""
    if predator["col"] is None:
        return []
    columns = range(predator["col"], predator["col"] + LENGTH[predator["size"]])
    return list(product(columns, range(predator["row"], predator["row"] + WIDTH[predator["size"]])))


def check(value: dict[str, Any]) -> None:
    """Pieces are whole, on the board and on tiles of their own; phase, dice, seat and end fit each other."""
    options, phase = value["options"], value["phase"]
    assert list(value["fish"]) == list(COLOURS)
    assert {len(school) for school in value["fish"].values()} == {options["school"]}
    places = [place for school in value["fish"].values() for place in school]
    tiles = [tuple(place) for place in places if isinstance(place, list)]
    for predator in value["predators"]:
        tiles += covered(predator)
    assert len(set(tiles)) == len(tiles)
    assert all(1 <= column <= 10 and 1 <= row <= 8 for column, row in tiles)
    assert "".join(predator["size"][0] for predator in value["predators"]) == options["predators"]
    assert ("waiting" in places) == (phase in ("layout", "place", "fill"))
    check_turn(value)
    check_end(value, places)


def check_turn(value: dict[str, Any]) -> None:
    phase, dice, limit = value["phase"], value["dice"], value["options"]["limit"]
    assert 0 <= value["seat"] < value["players"]
    if phase in ("roll", "fill") or (phase == "layout" and value["options"]["setup"] == "chance"):
        assert value["turn"] == "chance"
    else:
        assert value["turn"] == (None if phase == "over" else value["seat"])
    assert not limit or value["rolls"] <= limit - (phase == "roll")
    assert (value["tile"] is not None) == (phase == "fill")
    assert dice == sorted(dice, key=("predator", *COLOURS).index)
    assert ("predator" in dice) == (phase == "predator")
    assert (len(dice) in (1, 2)) == (phase in ("predator", "fish"))


def check_end(value: dict[str, Any], places: list[Any]) -> None:
    alive = [colour for colour in COLOURS if any(isinstance(place, list) for place in value["fish"][colour])]
    owned = [colour for colour in alive if colour in COLOURS[: value["players"]]]
    assert (value["end"] is not None) == (value["phase"] == "over")
    assert places.count("reef") == (value["end"] == "reef")
    if value["phase"] in ("roll", "any"):
        assert COLOURS[value["seat"]] in alive
    if value["phase"] in ("roll", "predator", "fish", "any"):
        assert owned and len(alive) > 1
    if value["end"] in ("last", "gone"):
        assert (value["end"] == "gone") == (not owned)
