"""Texts, JSON, views and the box of Sand Castles."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

import strandline
from strandline.engine import checks, records

GAME = strandline.game("sand_castles")
PAGE = Path(__file__).parents[3] / "docs" / "rules" / "sand_castles.md"
SHOWN: dict[str, Any] = json.loads(PAGE.read_text().split("```json")[1].split("```")[0])
"""The position that the page shows: seat 1 collects with the Seagull, line sand, pebble."""
EXAMPLES = {
    int(example["name"].split()[0]): example["position"]
    for example in json.loads((Path(__file__).parent / "examples.json").read_text())
}


def changed(value: dict[str, Any], **change: Any) -> dict[str, Any]:
    return copy.deepcopy(value) | change


def test_the_position_of_the_page() -> None:
    position = strandline.Position.from_json(SHOWN)
    assert position.to_json() == SHOWN and list(position.to_json()) == list(SHOWN)
    assert sorted(position.moves()) == [
        "flip", "flip peeked 1", "flip peeked 3", "seagull", "seagull peeked 1", "seagull peeked 1 3",
        "seagull peeked 3", "stop",
    ]  # fmt: skip


@pytest.mark.rules("S-R22")
def test_texts_are_read_as_they_are_written() -> None:
    for text in (
        "flip", "flip peeked 46", "stop", "seagull", "seagull peeked 9", "seagull peeked 2 46", "seagull peeked 1 2 10",
        "take peeked 3", "take rake", "discard spiral", "keep", "crab 3 shovel", "build 20", "build 7 shovel fan",
        "build 3 rake stick", "build 12 shovel spiral rake pebble", "pass", "seagull to 2", "draw wave", "peek wave",
        "wall 20",
    ):  # fmt: skip
        code = GAME.notation.read(text)
        assert code is not None and GAME.notation.write(code) == text
    for text in (
        "", "flip peeked", "flip peeked 0", "flip peeked 47", "flip peeked 01", "seagull peeked", "seagull peeked 0",
        "seagull peeked 2 1", "seagull peeked 2 2", "seagull peeked 1 2 3 4", "seagull peeked 1 47", "seagull to 4",
        "take wave", "discard wave", "crab 4 sand", "crab 0 wave", "build", "build 0", "build 21", "build 300",
        "build 7 shovel pebble", "build 7 shovel sand", "build 7 rake fan", "build 7 rake pebble shovel fan",
        "build 7 shovel fan shovel fan", "build 7 shovel", "wall 0", "wall 21", "draw gold", "Flip", "flip\x00",
    ):  # fmt: skip
        assert GAME.notation.read(text) is None, text


# Refusals


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"phase": "rest"}, "phase must be one of setup, collect"),
        ({"phase": ["collect"]}, "phase must be one of"),
        ({"weather": 1}, "unknown field"),
        ({"view": 1}, "unknown field"),
        ({"turn": 0}, "turn should be 1 here, not 0"),
        ({"turn": "chance"}, "turn should be 1"),
        ({"turn": None}, "turn should be 1"),
        ({"seat": 3}, "seat must be a whole number from 0 to 2"),
        ({"seat": True}, "seat must be"),
        ({"round": 0}, "round must be"),
        ({"round": 61}, "round cannot be above max_rounds"),
        ({"round": 10**30}, "round must be"),
        ({"final_by": 0}, "fewer than 4 walls"),
        ({"final_by": 7}, "final_by must be"),
        ({"row": [1, 7, 9, 13]}, "Wall 16 must be once"),
        ({"row": [1, 7, 9, 13, 13]}, "must ascend and name nothing twice"),
        ({"row": [16, 13, 9, 7, 1]}, "row must ascend"),
        ({"row": [1, 7, 9, 13, 17]}, "Wall 16 must be once"),
        ({"row": [1, 3, 7, 9, 13, 16]}, "row must be a list of 0 to 5 items"),
        ({"stack": [3, 4, 8, 10, 11, 12, 14, 15, 17]}, "Wall 17 is not in play with 3 players"),
        ({"stack": [3, 4, 8, 10, 11, 12, 14, 15, 16]}, "it is there twice"),
        ({"stack": [3, 4, 8, 10, 11, 12, 14, 15, 99]}, "from 1 to 20"),
        ({"row": [1, 7, 9, 13], "stack": [3, 4, 8, 10, 11, 12, 14, 15, 16]}, "row must have 5 walls while"),
        ({"walls": [[2], []]}, "walls must be a list of 3 items"),
        ({"walls": [[2], [], [6, 5]]}, "must ascend"),
        ({"pool": {}}, "There must be 14 sand tiles in all, not 6"),
        ({"pool": []}, "pool must be an object"),
        ({"pool": SHOWN["pool"] | {"sand": 0}}, "pool.sand must be a whole number from 1 to 14"),
        ({"pool": SHOWN["pool"] | {"sand": 9}}, "must be 14 sand tiles in all, not 15"),
        ({"pool": SHOWN["pool"] | {"shell": 1}}, "A tile in pool must be one of"),
        ({"waves_out": 2}, "must be 3 wave tiles in all, not 4"),
        ({"waves_out": 3}, "waves_out must be a whole number from 0 to 2"),
        ({"beach": {"wave": 1}}, "A tile in beach must be one of sand"),
        ({"line": ["wave"]}, r"line\[0\] must be one of sand"),
        ({"line": ["sand", "fan", "sand", "fan"]}, "Two equal decorations cannot be in the line: fan"),
        ({"line": ["sand"] * 40}, "line must be a list of 0 to 22"),
        ({"line": {"sand": 1}}, "line must be a list"),
        ({"stashes": [{}, {}]}, "stashes must be a list of 3"),
        ({"stashes": [{"wave": 1}, {}, {}]}, "A tile in stashes"),
        ({"stashes": [None, {}, {}]}, "must be an object"),
        ({"dropped": {"sand": 1}}, "15"),
        ({"peeked": [{"place": 1, "tile": "wave"}]}, "lacks known_by"),
        ({"peeked": [{"place": 0, "tile": "wave", "known_by": [0]}]}, "place must be a whole number from 1 to 46"),
        ({"peeked": [{"place": 1, "tile": None, "known_by": [0]}]}, "tile must be one of"),
        ({"peeked": [{"place": 1, "tile": "wave", "known_by": []}]}, "known_by must be a list of 1 to 3"),
        ({"peeked": [{"place": 1, "tile": "wave", "known_by": [1, 0]}]}, "known_by must ascend"),
        ({"peeked": SHOWN["peeked"][::-1]}, "places in peeked must ascend: 1 cannot follow 3"),
        ({"peeked": [SHOWN["peeked"][0]] * 2}, "places in peeked must ascend"),
        ({"crab": None}, "crab must be"),
        ({"seagull": None}, "seagull must be"),
        ({"seagull": 0, "seagull_used": True}, "seagull_used must be false"),
        ({"seagull_used": 1}, "seagull_used must be true or false"),
        ({"looking": [1]}, "looking must be empty in phase collect"),
        ({"look_left": 1}, "look_left must be above 0 in phase peek, and only then"),
        ({"nimble": True}, "nimble must be false in phase collect"),
        ({"players": 5}, "2, 3 or 4 players"),
        ({"options": {}}, "lacks max_rounds"),
        ({"options": {"max_rounds": 3}}, "above max_rounds, 3|round must be"),
        ({"options": {"max_rounds": 1000}}, "max_rounds must be"),
        ({"phase": "build"}, "line must be empty in phase build"),
        ({"phase": "setup", "turn": "chance"}, "a wall of the stack is still to come"),
        ({"phase": "refill", "turn": "chance"}, "a wall of the stack is still to come"),
        ({"phase": "pick", "looking": [1, 3]}, "seagull_used must be true"),
        ({"phase": "pick", "seagull_used": True, "looking": [1, 3]}, "known by seat 1"),
        ({"phase": "pick", "seagull_used": True, "looking": [3]}, "must make 3 together, not 1"),
        ({"phase": "peek", "turn": "chance", "seagull_used": True, "looking": [2], "look_left": 2}, "place 2"),
        ({"phase": "peek", "turn": "chance", "seagull_used": True, "looking": [3], "look_left": 1}, "make 3 together"),
        ({"phase": "peek", "turn": "chance", "seagull_used": True, "look_left": 4}, "look_left must be"),
    ],
)
def test_refused_positions(change: dict[str, Any], message: str) -> None:
    with pytest.raises(strandline.BadPosition, match=message):
        strandline.Position.from_json(changed(SHOWN, **change))


@pytest.mark.parametrize("field", [name for name in SHOWN if name != "game"])
def test_every_field_is_needed(field: str) -> None:
    with pytest.raises(strandline.BadPosition, match=f"lacks {field}"):
        strandline.Position.from_json({name: item for name, item in SHOWN.items() if name != field})


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (1, {"phase": "collect"}, "turn should be 0"),
        (2, {"seagull": 0}, "seagull should be null"),
        (2, {"round": 61}, "round cannot be above"),
        (3, {"phase": "wave", "turn": 0, "line": [], "stashes": [{"sand": 3, "stick": 1, "fan": 1}, {"pebble": 3}]},
         "beach and peeked must be empty in phase wave"),
        (4, {"phase": "wave", "turn": 1}, "turn cannot be 1 in phase wave: that seat has no tiles"),
        (4, {"phase": "wave", "turn": "chance"}, "turn must be a whole number"),
        (4, {"phase": "draft", "turn": 1}, "There must be tiles in dropped in phase draft"),
        (6, {"looking": [1, 2]}, "make 3 together, not 2"),
        (6, {"phase": "collect"}, "looking must be empty"),
        (6, {"seagull": 1}, "seagull_used must be false"),
        (9, {"final_by": 2}, "fewer than 4 walls"),
        (10, {"final_by": None}, "final_by must be a seat: somebody has 4 walls"),
        (10, {"phase": "collect", "seat": 1, "turn": 1}, "final_by has no turn any more"),
        (10, {"round": 61, "seat": 1, "turn": 1}, "round cannot be 61"),
        (10, {"walls": [[5], [3, 4, 6, 7, 12]], "stack": [11]}, "list of 0 to 4 items"),
        (10, {"seagull_used": True}, "seagull_used must be false"),
        (11, {"phase": "seagull", "seagull": 1}, "the player must hold the Seagull"),
        (11, {"phase": "seagull", "seat": 2, "turn": 2, "seagull": 2, "round": 60}, "this was the last turn"),
        (12, {"seagull_used": True}, "seagull_used must be false"),
        (12, {"round": 61, "final_by": 1, "walls": [[9, 10, 12], [4, 5, 6, 11]], "seat": 1}, "round cannot be 61"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_phase_is_refused(number: int, change: dict[str, Any], message: str) -> None:
    with pytest.raises(strandline.BadPosition, match=message):
        strandline.Position.from_json(changed(EXAMPLES[number], **change))


def test_two_full_castles_need_an_order() -> None:
    walls = [[6, 10, 14, 15], [1, 7, 8, 9], [11], [12]]
    value = changed(EXAMPLES[9], walls=walls, row=[2, 3, 4, 5, 13], stack=[16, 17, 18, 19, 20], final_by=1)
    value |= {"seat": 2, "turn": 2}
    with pytest.raises(strandline.BadPosition, match="seat 0 has 4 walls before its last turn"):
        strandline.Position.from_json(value)
    assert strandline.Position.from_json(value | {"final_by": 0}).turn == 2


def test_setup_is_as_at_the_start() -> None:
    start = GAME.new(3).play("wall 4").to_json()
    assert strandline.Position.from_json(start).moves()[0] == "wall 1"
    for change in (
        {"round": 2},
        {"seat": 1},
        {"crab": 0},
        {"seagull": 1},
        {"waves_out": 1, "pool": start["pool"] | {"wave": 2}},
    ):
        with pytest.raises(strandline.BadPosition, match="as at the start"):
            strandline.Position.from_json(start | change)


def test_unknown_tiles_must_suffice_for_the_look() -> None:
    value = changed(SHOWN, phase="peek", turn="chance", seagull_used=True, looking=[3], look_left=2)
    stash = dict(value["stashes"][0])
    for tile, number in value["pool"].items():
        if tile != "wave":
            stash[tile] = stash.get(tile, 0) + number
    value |= {"pool": {"wave": 1}, "stashes": [stash, *value["stashes"][1:]]}
    with pytest.raises(strandline.BadPosition, match="look_left cannot be 2: there are 1 unknown tiles"):
        strandline.Position.from_json(value)


def test_from_json_fails_with_flaws_only() -> None:
    """Whatever is put into whatever field."""
    rng = random.Random(9)
    odd: list[Any] = [
        None,
        True,
        0,
        -1,
        1.5,
        float("nan"),
        10**40,
        "",
        "x",
        "sand",
        [],
        [[]],
        [None],
        {},
        {"sand": []},
        {1: 2},
    ]
    odd += [[1, "a"], [{}], {"sand": 10**30}, ["sand", 3], [{"place": 1}], [[1], [2], []], [{}, {}, {}]]
    base = [SHOWN, *EXAMPLES.values()]
    for _ in range(6000):
        value = copy.deepcopy(rng.choice(base))
        for _ in range(rng.choice((1, 1, 2))):
            value[rng.choice([name for name in value if name not in ("game", "players", "options")])] = rng.choice(odd)
        record = records.blank(GAME.rules.STATE)
        record.players, record.max_rounds = value["players"], 60
        own = {name: item for name, item in value.items() if name not in ("game", "players", "options")}
        try:
            GAME.notation.from_json(own, record)
        except checks.Flaw as flaw:
            assert str(flaw)[0].isalpha() and str(flaw)[-1] in ".?"


# Views


@pytest.mark.rules("S36")
def test_nothing_in_a_view_depends_on_what_is_hidden() -> None:
    """In random play: hide, and no view holds a tile that its seat has not looked at."""
    rng = random.Random(36)
    hidden = 0
    for players in (3, 4):
        position = GAME.new(players, max_rounds=8)
        while position.turn is not None:
            value = position.to_json()
            for seat in (None, *range(players)):
                view = position.view(seat)
                assert view["view"] == seat
                total = dict(view["pool"])
                for item, real in zip(view["peeked"], value["peeked"], strict=True):
                    if seat in real["known_by"]:
                        assert item == real
                        total[item["tile"]] = total.get(item["tile"], 0) + 1
                    else:
                        assert item == real | {"tile": None}
                        hidden += 1
                real_total = dict(value["pool"])
                for real in value["peeked"]:
                    real_total[real["tile"]] = real_total.get(real["tile"], 0) + 1
                assert total == real_total
                rest = {name: item for name, item in view.items() if name not in ("pool", "peeked", "view")}
                assert rest == {name: item for name, item in value.items() if name not in ("pool", "peeked")}
                assert "None" not in position.words(seat)
            position = position.play(rng.choice(position.moves()))
    assert hidden > 100


# The box


def test_an_owner_can_change_the_box(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[tiles]\nsand = 20\nwave = 2\n[tools]\nrake = ["fan", "stick"]\n')
    game = strandline.game("sand_castles", file)
    assert game.new().to_json()["pool"]["sand"] == 20
    assert game.notation.read("build 7 rake fan") is not None and game.notation.read("build 7 rake pebble") is None
    assert GAME.notation.read("build 7 rake fan") is None
    position = game.new(3, max_rounds=2)
    rng = random.Random(2)
    while position.turn is not None:
        assert game.position(position.to_json()) == position
        assert position.to_json()["waves_out"] < 2
        position = position.play(rng.choice(position.moves()))


def walls(*changes: str) -> str:
    rows = ["{ points = 4, min = 2, sand = 1, fan = 1 }"] * 20
    rows[: len(changes)] = changes
    return f"walls = [{', '.join(rows)}]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tiles]\nsand = -1\n", "tiles.sand must be a whole number from 0 to 60"),
        ("[tiles]\nshovel = 2\n", "tiles.shovel must be a whole number from 0 to 1"),
        ("[tiles]\nwave = 0\n", "tiles.wave must be a whole number from 1"),
        ("[tiles]\nsand = 30\n", "at most 60 tiles"),
        ("[tiles]\nshells = 3\n", "no entry tiles.shells"),
        ("[tools]\nshovel = ['sand']\n", r"tools.shovel\[0\] must be one of pebble"),
        ("[tools]\nshovel = ['fan', 'fan']\n", "names a decoration twice"),
        ("[tools]\nrake = 'fan'\n", "tools.rake must be a list"),
        ("walls = []\n", "walls must be a list of 20 to 30 items"),
        (walls("3"), r"walls\[0\] must be an object"),
        (walls("{ min = 2, sand = 1 }"), r"walls\[0\] lacks points"),
        (walls("{ points = 4, min = 5, sand = 1 }"), r"walls\[0\].min must be a whole number from 2 to 4"),
        (walls("{ points = 4, min = 2, spiral = 3 }"), r"walls\[0\].spiral must be a whole number from 0 to 2"),
        (walls("{ points = 4, min = 2, rake = 1 }"), "unknown field"),
        (walls("{ points = 4, min = 2 }"), r"walls\[0\] must cost at least one tile"),
        (
            walls(*["{ points = 4, min = 4, sand = 1 }"] * 9),
            "With 2 players at least 12 walls are needed; there are 11",
        ),
        ("walls = 3\n[tiles\n", "not valid TOML"),
    ],
)
def test_a_bad_box_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(strandline.BadBox, match=message):
        strandline.game("sand_castles", file)
