"""What is no position of Undertow is refused with a sentence."""

import copy
from pathlib import Path
from typing import Any

import pytest

import strandline
from games.undertow.positions import GAME, play, position


def changed(start: strandline.Position, path: str, new: Any) -> dict[str, Any]:
    """The position's JSON with another value at a path such as `swimmers.0.3.lane`."""
    value = copy.deepcopy(start.to_json())
    *inner, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    at: Any = value
    for part in inner:
        at = at[part]
    at[last] = new
    return value


def refused(value: dict[str, Any], why: str) -> None:
    with pytest.raises(strandline.BadPosition, match=why):
        strandline.Position.from_json(value)


ROLL = position({1: (4, 5), 2: (6, 5)}, [(4, 6), (9, 3)])
OUT = ROLL.play("roll 3 4 2")
ROUND = position({1: (4, 5)}, [(4, 6), (5, 6)], "roll 4 2 2")
IN = position({1: (4, 12), 2: (6, 12)}, [(9, 3)], "roll 3 4 4")
LIMITS = position({1: (4, 12, 2)}, [(9, 3)], "roll 3 4 4", lane_limits=True)
STRONG = position({1: (4, 5, 3), 2: (7, 5, 3)}, [(9, 3)], "roll 4 4 2", strength=True)
EACH = position({1: (4, 5), 2: (7, 5)}, [(9, 3)], "roll 2 1 6", surge="each")
TRIPLE = position({1: (4, 5)}, [(9, 3)], "roll 6 6 6", triple_six=True)
OVER = play(position({1: (4, 1)}), "roll 1 1 3", "in 1")
DAY = position({1: (4, 5)}, [(9, 3)], vacation=3)
PLACE = play(GAME.new(2), *["roll 3"] * 14, "place 1 2", "place 1 3")
SLOW = play(GAME.new(2, slow_start=True), "roll 3", "place 1 2", "roll 4")


@pytest.mark.parametrize(
    ("start", "path", "new", "why"),
    [
        (ROLL, "swimmers.0.0.lane", 1, "out of use"),
        (ROLL, "swimmers.0.0.lane", 11, "from 1 to 10"),
        (ROLL, "swimmers.0.0.lane", None, "lane must be"),
        (ROLL, "swimmers.0.0.lane", True, "lane must be"),
        (ROLL, "swimmers.0.0", {"pips": 3, "lane": 6, "step": 5}, "another swimmer"),
        (ROLL, "swimmers.0.2", {"pips": 3, "lane": 4, "step": 0}, "lane should be null"),
        (ROLL, "swimmers.0.2.pips", None, "without a place"),
        (ROLL, "swimmers.0.2.pips", 7, "from 1 to 6"),
        (ROLL, "swimmers.0.2.step", None, "without a place"),
        (ROLL, "swimmers.0.2.step", 13, "from 0 to 12"),
        (ROLL, "swimmers.0", [], "list of 7"),
        (ROLL, "player", 2, "from 0 to 1"),
        (ROLL, "player", True, "player must be"),
        (ROLL, "turn", 0, "turn should be"),
        (ROLL, "day", 2, "day should be 1"),
        (ROLL, "round", 0, "from 1 to 200"),
        (ROLL, "round", 201, "from 1 to 200"),
        (ROLL, "dice", {"red": 1, "green": 1, "modifier": 2}, "dice should be null"),
        (ROLL, "points", 1, "points should be 0"),
        (ROLL, "detour", 1, "detour should be null"),
        (ROLL, "swum.0", 1, "swum"),
        (ROLL, "drifted.0", 1, "drifted"),
        (ROLL, "drift.0", "left", "drift"),
        (ROLL, "day_scores", [[1, 2]], "day_scores"),
        (ROLL, "phase", "swim", "phase must be one of"),
        (OUT, "dice", None, "dice must be an object"),
        (OUT, "dice.modifier", 1, "must not be 1 in phase out"),
        (OUT, "dice.modifier", 3, "must not be 3 in phase out"),
        (OUT, "dice.red", 7, "from 1 to 6"),
        (OUT, "dice.red", 2, "points must be .* from 1 to 2"),
        (OUT, "points", 0, "points must be"),
        (OUT, "points", 4, "from 1 to 3"),
        (OUT, "swum.0", 1, "swum"),
        (OUT, "drift.0", "left", "cannot have drifted"),
        (OUT, "detour", 3, "cannot go on a way round"),
        (OUT, "detour", 8, "from 1 to 7"),
        (OUT, "swimmers.0.1.step", 0, "lane should be null"),
        (OUT, "swimmers.0.1", {"pips": 3, "lane": 6, "step": 12}, None),
        (ROUND, "points", 1, "Nothing can be done"),
        (IN, "dice.modifier", 6, "must not be 6 in phase in"),
        (IN, "drift.0", "out", "left, right"),
        (IN, "drift.2", "left", "cannot have drifted"),
        (IN, "drifted.0", 1, "drifted"),
        (IN.play("left 1"), "detour", 1, "detour should be null"),
        (LIMITS, "drifted.0", 3, "from 0 to 2"),
        (LIMITS, "drift.0", "left", "cannot have drifted"),
        (STRONG.play("out 1"), "swum.0", 2, "adds up to more"),
        (play(STRONG, "weaken 1", "out 2"), "swimmers.0.1.pips", 1, None),
        (play(STRONG, "out 1", "out 1"), "swimmers.0.0.pips", 1, "more points than it has strength"),
        (STRONG.play("out 1"), "swum.2", 1, "swum"),
        (EACH, "points", 2, "points should be 3"),
        (EACH, "swum.0", 4, "from 0 to 3"),
        (TRIPLE, "options.triple_six", False, "only after 6 6 6"),
        (TRIPLE, "dice.red", 5, "only after 6 6 6"),
        (TRIPLE.play("recall 2"), "swimmers.0.1", {"pips": 1, "lane": None, "step": None}, "called back"),
        (TRIPLE.play("recall 2"), "swimmers.0.1", {"pips": 1, "lane": None, "step": 0}, "One swimmer must be without"),
        (play(TRIPLE, "recall 2", "roll 1"), "swimmers.0.1.pips", None, "called back"),
        (OVER, "swimmers.0.0", {"pips": 1, "lane": 3, "step": 1}, "cannot be over"),
        (OVER, "swimmers.1.0", {"pips": 1, "lane": None, "step": 0}, "Two seats cannot be complete"),
        (OVER, "player", 0, "player should be null"),
        (OVER, "phase", "dice", "player must be"),
        (ROLL, "phase", "over", "cannot be over"),
        (ROLL, "swimmers.1", [{"pips": 1, "lane": None, "step": 0}] * 7, "would be over"),
        (DAY, "swimmers.0", [{"pips": 1, "lane": None, "step": 0}] * 7, "nobody in the water"),
        (DAY, "swimmers.1", [{"pips": 1, "lane": None, "step": 0}] * 7, None),
        (DAY, "round", 9, "from 1 to 8"),
        (DAY, "day", 2, "list of 1 items"),
        (DAY, "day", 4, "from 1 to 3"),
        (PLACE, "player", 1, "do not fit phase place"),
        (PLACE, "phase", "family", "do not fit phase family"),
        (PLACE, "round", 1, "round should be 0"),
        (PLACE, "swimmers.0.0", {"pips": 3, "lane": None, "step": 0}, "do not fit"),
        (SLOW, "swimmers.1.0.pips", None, "do not fit"),
        (
            SLOW,
            "swimmers.1",
            [*GAME.new(2).to_json()["swimmers"][1][:6], {"pips": 2, "lane": None, "step": None}],
            "out of",
        ),
        (GAME.new(2), "swimmers.1.0.pips", 3, "do not fit"),
    ],
)
def test_a_changed_field_is_refused(start: strandline.Position, path: str, new: Any, why: str | None) -> None:
    value = changed(start, path, new)
    if why is None:
        assert strandline.Position.from_json(value).to_json() == value
    else:
        refused(value, why)


@pytest.mark.parametrize("name", [*OUT.to_json()])
def test_every_field_is_needed_and_no_other(name: str) -> None:
    value = OUT.to_json()
    refused(value | {"wind": 1}, "unknown field")
    del value[name]
    refused(value, "lacks|game must be")


def test_a_vacation_ends_with_the_pips_on_the_beach() -> None:
    value = position({1: (4, 5)}, [(9, 3)], vacation=3).to_json()
    value |= {
        "phase": "over",
        "turn": None,
        "player": None,
        "day": 3,
        "round": 8,
        "day_scores": [[1, 2], [3, 4], [6, 6]],
    }
    assert strandline.Position.from_json(value).winners() == [1]
    refused(value | {"day_scores": [[1, 2], [3, 4], [5, 6]]}, "6 pips on its beach")
    refused(value | {"day_scores": [[1, 2], [6, 6]]}, "list of 3 items")
    refused(value | {"round": 7}, "round should be 8")


# Boxes


def boxed(tmp_path: Path, text: str) -> strandline.Game:
    (tmp_path / "box.toml").write_text(text)
    return strandline.game("undertow", box=tmp_path / "box.toml")


def test_another_box_has_its_own_numbers(tmp_path: Path) -> None:
    text = "[board]\nstart = [1, 2, 3, 4, 5, 6]\n[seats.2]\nfamily = 2\nlanes = [4, 6]\n[vacation]\nturns = 1\n"
    start = play(boxed(tmp_path, text).new(2, vacation=3), *["roll 1"] * 4)
    assert start.moves() == [f"place {n} {lane}" for n in (1, 2) for lane in (4, 5, 6)]
    start = play(start, "place 1 4", "place 1 5", "place 2 6", "place 2 5")
    assert [swimmer["step"] for family in start.to_json()["swimmers"] for swimmer in family] == [1, 1, 1, 2]
    start = play(start, "roll 6 1 5", *["out 1"] * 6, "stop")
    assert (start.to_json()["day"], start.to_json()["player"]) == (1, 1)
    start = play(start, "roll 6 1 5", *["out 2"] * 6, "stop")
    assert start.to_json()["day"] == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[board]\nlanes = 13\n", "board.lanes must be"),
        ("[board]\nsteps = 7\n", "board.start"),
        ("[board]\nstart = [3, 4, 5]\n", "list of 6 items"),
        ("[board]\nstart = [3, 4, 5, 6, 7, 12]\n", "need more than the 8 spaces from step 12"),
        ("[seats.2]\nfamily = 8\n", "from 1 to 7"),
        ("[seats.3]\nlanes = [5, 2]\n", "first lane in use and then the last"),
        ("[seats.3]\nlanes = [5]\n", "list of 2 items"),
        ('[dice]\nmodifier = ["calm", "calm", "calm", "calm", "calm", "storm"]\n', "one of lifeguard"),
        ("[vacation]\nturns = 0\n", "vacation.turns"),
        ("[seats.5]\nfamily = 3\n", "no entry"),
    ],
)
def test_a_box_is_checked(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(strandline.BadBox, match=why):
        boxed(tmp_path, text)


def test_a_way_round_is_not_asked_how_it_began() -> None:
    """A position is judged as it stands: a bystander may be free to move, and waits (U24)."""
    value = OUT.to_json() | {"detour": 2}
    assert strandline.Position.from_json(value).moves() == ["out 2"]
