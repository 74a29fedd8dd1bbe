"""Why not: each obstacle of the rule page has its own sentence."""

import re

import pytest

import strandline
from games.reef_route.positions import at
from strandline.engine.reasons import Reason
from support import reasons


@pytest.mark.parametrize(
    ("shape", "sentence", "rule"),
    [
        ("tile-3-4", "Fish start in columns 1 and 2.", "F8"),
        ("tile-1-4", "Your first fish starts in column 2.", "F7"),
        ("tile-2-1", "There is a fish on that tile already.", "F8"),
        ("predator-1", "The fish are still being placed. Choose a tile for yours.", "F7"),
    ],
)
def test_placing(shape: str, sentence: str, rule: str) -> None:
    start = at("place", seat=1, yellow=[(2, 1)], lairs=[(10, 2), (9, 4), (9, 6)])
    assert start.why(shape) == Reason(sentence, rule)


SWIM = {
    "yellow": [(4, 4), (5, 4), "eaten", (10, 8)],
    "red": [(4, 5), (4, 3), (6, 4), (3, 8)],
    "green": [(5, 5)],
    "lairs": [(10, 1), (9, 6), (9, 3)],
}


@pytest.mark.parametrize(
    ("shape", "chosen", "sentence", "rule"),
    [
        ("fish-blue-1", [], "Blue fish 1 has been eaten.", "F17"),
        ("fish-yellow-1", [], "Yellow fish 1 is blocked ahead, above and below.", "F21"),
        (
            "fish-red-1",
            [],
            "Red fish 1 is not yours, so it can only go forward, and green fish 1 is ahead of it.",
            "F22",
        ),
        ("fish-green-1", [], "None of the dice left shows green.", "F18"),
        ("predator-1", [], "No predator moves now: no predator die is left.", "F13"),
        ("tile-3-3", [], "Choose a fish first.", "F18"),
        ("tile-4-8", ["fish-yellow-4"], "A fish goes one tile at a time, never diagonally.", "F23"),
        ("tile-9-8", ["fish-yellow-4"], "Fish never swim back.", "F23"),
        ("tile-6-3", ["fish-red-3"], "Red fish 3 is not yours, so it can only go forward.", "F22"),
        ("reef-3", ["fish-yellow-4"], "Only a fish in column 10 can reach the reef, straight ahead.", "F20"),
    ],
)
def test_swimming(shape: str, chosen: list[str], sentence: str, rule: str) -> None:
    assert at("fish", "yellow", "red", **SWIM).why(shape, chosen) == Reason(sentence, rule)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        *(("predator 3 up", "F-R16"), ("predator 1 up", "F16"), ("predator 4 up", "F2"), ("swim red 1 forward", "F12")),
        *(("roll red red", "F12"), ("place 1 1", "F11")),
    ],
)
def test_predators(move: str, rule: str) -> None:
    lairs = [(10, 1), (8, 4), (9, 5)]
    reason = at("predator", "predator", "red", yellow=[(2, 2)], red=[(2, 3)], lairs=lairs).why_not(move)
    assert reason and reason.rule == rule


def test_what_is_said_of_fish_is_so() -> None:
    seen = set()
    for value, shape, said in reasons(strandline.game("reef_route"), 5, 500):
        if not shape.startswith("fish"):
            continue
        _fish, colour, number = shape.split("-")
        place = value["fish"][colour][int(number) - 1]
        if "has been eaten" in said:
            assert place == "eaten"
        elif found := re.search(r"(\w+) fish (\d) is ahead of it", said):
            assert value["fish"][found[1]][int(found[2]) - 1] == [place[0] + 1, place[1]]
        elif found := re.search(r"predator (\d) is ahead of it", said):
            predator = value["predators"][int(found[1]) - 1]
            assert predator["col"] <= place[0] + 1 <= predator["col"] + (predator["size"] != "small")
            assert predator["row"] <= place[1] <= predator["row"] + (predator["size"] == "large")
        elif "No die that is left" in said:
            assert colour not in value["dice"]
        elif "predators move first" in said:
            assert "predator" in value["dice"]
        seen.add(re.sub(r"\d|red|green|blue|yellow", "", said.lower()))
    assert len(seen) >= 6
