"""Why not: each obstacle of the rule page has its own sentence."""

import re

import pytest

import strandline
from support import reasons


def river(phase: str, boats: list[list[int]], docks: list[list[int]], die: int | None) -> strandline.Position:
    value = strandline.game("up_the_river").new(2).to_json()
    value |= {"phase": phase, "boats": boats, "docks": docks, "die": die, "turn": "chance" if phase == "roll" else 0}
    return strandline.Position.from_json(value)


BOATS, DOCKS = [[4, 11, 6], [4, 0, 4]], [[0, 12, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("phase", "die", "shape", "sentence", "rule"),
    [
        ("roll", None, "boat-0-1", "Seat 0 rolls the die first.", "R4"),
        ("sail", 3, "boat-0-2", "Boat 2 is home in dock 12 and stays there.", "R23"),
        ("sail", 3, "boat-1-2", "Boat 2 has gone over the waterfall. It is lost.", "R19"),
        ("sail", 3, "boat-1-1", "That is Seat 1’s boat. You sail your own.", "R4"),
        ("sail", 3, "die", "The die shows a 3. Now a boat is chosen.", "R4"),
        ("wind", 6, "boat-0-3", "No good wind for boat 3: no boat of its colour is ahead of it.", "R12"),
        ("wind", 6, "boat-1-1", "No ill wind for Seat 1’s boat 1: no boat of its colour is behind it.", "R-R15"),
    ],
)
def test_shapes(phase: str, die: int | None, shape: str, sentence: str, rule: str) -> None:
    reason = river(phase, BOATS, DOCKS, die).why(shape)
    assert reason and (reason.sentence, reason.rule) == (sentence, rule)


@pytest.mark.parametrize(
    ("phase", "die", "move", "rule"),
    [
        *(("roll", None, "sail 1", "R4"), ("sail", 3, "roll 2", "R4"), ("sail", 3, "good 1", "R9")),
        *(("sail", 3, "ill 1 1", "R9"), ("wind", 6, "sail 1", "R9"), ("wind", 6, "ill 0 1", "R-R17")),
        *(("wind", 6, "ill 3 1", "R3"), ("wind", 6, "good 2", "R23"), ("wind", 6, "ill 1 2", "R19")),
    ],
)
def test_moves(phase: str, die: int | None, move: str, rule: str) -> None:
    reason = river(phase, BOATS, DOCKS, die).why_not(move)
    assert reason and reason.rule == rule


def test_what_can_be_done_needs_no_reason() -> None:
    position = river("sail", BOATS, DOCKS, 3)
    assert position.why("boat-0-1") is position.why_not("sail 3") is None


def test_what_is_said_of_boats_is_so() -> None:
    seen = set()
    for value, shape, said in reasons(strandline.game("up_the_river"), 3, 800):
        if not shape.startswith("boat"):
            continue
        seat, boat = (int(number) for number in shape.split("-")[1:])
        place, mates = value["boats"][seat][boat - 1], value["boats"][seat]
        afloat = [other for other in mates if 0 < other < 11]
        if "lost" in said:
            assert place == 0
        elif found := re.search(r"home in dock (\d+)", said):
            assert place == 11 and value["docks"][seat][boat - 1] == int(found[1])
        elif "You sail your own" in said:
            assert seat != value["player"] and value["phase"] == "sail"
        elif "No good wind" in said:
            assert seat == value["player"] and place == max(afloat)
        else:
            assert said.startswith("No ill wind") and seat != value["player"] and place == min(afloat)
        seen.add(said.split()[1])
    assert len(seen) >= 4
