"""The board shows the whole position, and boats never overlap."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

import strandline
from strandline.games.up_the_river import board
from strandline.games.up_the_river.box import PLACES
from strandline.games.up_the_river.rules import HARBOR, LOST

SVG = "{http://www.w3.org/2000/svg}"
BOAT_WIDTH = 43


def position(**changes: Any) -> dict[str, Any]:
    value = strandline.game("up_the_river").new(players=4).to_json() | changes
    return strandline.Position.from_json(value).to_json()


def draw(view: dict[str, Any]) -> str:
    return strandline.Position.from_json(view).svg()


def places(view: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Where the shapes with ids are."""
    found = {}
    for element in ET.fromstring(draw(view)).iter(f"{SVG}g"):
        where = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if "id" in element.attrib and where:
            found[element.attrib["id"]] = (float(where[1]), float(where[2]))
    return found


def text(view: dict[str, Any]) -> str:
    """All that is written on the board."""
    return " | ".join("".join(element.itertext()) for element in ET.fromstring(draw(view)).iter(f"{SVG}text"))


def desc(view: dict[str, Any]) -> str:
    return ET.fromstring(draw(view)).findtext(f"{SVG}desc") or ""


SAILING = position(phase="sail", turn=0, die=3)
HOME = {
    "boats": [[HARBOR] * 3, [HARBOR, 0, 0], [0, 0, 0], [0, 0, 0]],
    "docks": [[12, 9, 10], [11, 0, 0], [0] * 3, [0] * 3],
}


@pytest.mark.parametrize("place", range(1, PLACES + 1))
def test_twelve_boats_on_one_card_lie_side_by_side(place: int) -> None:
    found = places(position(boats=[[place] * 3] * 4))
    boats = sorted(at for name, at in found.items() if name.startswith("boat-"))
    assert len(boats) == 12 and len({y for _, y in boats}) == 1
    assert all(right[0] - left[0] > BOAT_WIDTH for left, right in pairwise(boats))
    assert boats[0][0] - BOAT_WIDTH / 2 >= board.LANES[0] and boats[-1][0] + BOAT_WIDTH / 2 <= board.LANES[1]


def test_a_boat_keeps_its_lane_from_card_to_card() -> None:
    low, high = (places(position(boats=[[place, 4, 4]] + [[4] * 3] * 3)) for place in (2, 7))
    moved = {name for name in low if low[name] != high[name]}
    assert moved == {"boat-0-1"}
    assert low["boat-0-1"][0] == high["boat-0-1"][0]
    assert low["boat-0-1"][1] - high["boat-0-1"][1] == 5 * board.TALL.card


def test_boats_are_at_their_docks_and_lost_boats_in_the_pool() -> None:
    found = places(position(**HOME, phase="end", turn=None, player=None))
    assert found["boat-0-1"][0] < found["boat-1-1"][0] < found["boat-0-3"][0] < found["boat-0-2"][0], "12, 11, 10, 9"
    assert len({found[f"boat-{boat}"][1] for boat in ("0-1", "0-2", "0-3", "1-1")}) == 1
    assert found["boat-2-1"][1] > board.TALL.pool > board.TALL.fall


def test_the_special_cards_lie_at_their_places() -> None:
    first = places(position())
    later = places(position(round=4, sandbank=6, tide=3))
    for name in ("sandbank", "tide", "sandbank-sign", "tide-sign"):
        assert later[name][1] - first[name][1] == 3 * board.TALL.card


def test_numbers_of_all_cards_and_docks_are_written() -> None:
    written = text(position()).split(" | ")
    for number in range(1, 13):
        assert written.count(str(number)) >= (2 if number <= PLACES else 1)


def test_turn_die_and_round_are_shown() -> None:
    assert "Seat 0: roll | Round 1 | ?" in text(position())
    assert "Seat 0: sail 3 | Round 1" in text(SAILING)
    wind = position(phase="wind", turn=0, die=6, boats=[[4, 5, 6]] + [[4] * 3] * 3)
    assert "Seat 0: wind!" in text(wind)
    faces = {draw(SAILING | {"die": die}) for die in range(1, 6)} | {draw(wind)}
    assert len(faces) == 6


@pytest.mark.parametrize(
    ("docks", "headline"),
    [
        ([[12, 0, 0], [11, 10, 0]], "Winner: Seat 1"),
        ([[12, 9, 0], [11, 10, 0]], "Winners: Seat 0 and Seat 1"),
        ([[0, 0, 0], [0, 0, 0]], "Nobody wins"),
    ],
)
def test_the_end_says_who_has_won(docks: list[list[int]], headline: str) -> None:
    boats = [[HARBOR if dock else LOST for dock in row] for row in docks]
    view = position(players=2, phase="end", turn=None, player=None, docks=docks, boats=boats)
    assert headline in text(view)
    for seat, row in enumerate(docks):
        assert f"Seat {seat} | {sum(row)}" in text(view)


def test_the_description_tells_the_position() -> None:
    view = position(**HOME | {"boats": [[HARBOR] * 3, [HARBOR, 5, 0], *HOME["boats"][2:]]}, player=1)
    assert desc(view) == (
        "Round 1.\n"
        "The sandbank is at card 9, the high tide at card 6.\n"
        "Seat 0, 31 points: boat 1 in dock 12, boat 2 in dock 9 and boat 3 in dock 10.\n"
        "Seat 1, 11 points: boat 1 in dock 11, boat 2 on card 5 and boat 3 lost.\n"
        "Seat 2, 0 points: boat 1 lost, boat 2 lost and boat 3 lost.\n"
        "Seat 3, 0 points: boat 1 lost, boat 2 lost and boat 3 lost.\n"
        "Seat 1 rolls next."
    )


def test_a_move_is_a_click_on_the_boat_that_moves() -> None:
    assert board.clicks(SAILING, "sail 2") == ["boat-0-2"]
    assert board.clicks(SAILING, "good 3") == ["boat-0-3"]
    assert board.clicks(SAILING, "ill 2 1") == ["boat-2-1"]


def test_the_pennant_stands_at_the_next_dock() -> None:
    view = position(**HOME | {"boats": [[HARBOR] * 3, [HARBOR, 5, 0], *HOME["boats"][2:]]}, player=1)
    assert places(view)["next-dock"][0] > places(view)["boat-0-2"][0]
    assert "next-dock" not in places(position(**HOME, phase="end", turn=None, player=None))
