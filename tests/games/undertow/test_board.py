"""The board shows the whole position, and everything that can be clicked is where it belongs."""

import json
import random
import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import strandline
from strandline.engine.words import Reader, reading
from strandline.games.undertow import board
from strandline.games.undertow.box import FAMILY, LANES, START, STEPS
from support import own_name, random_positions

SVG = "{http://www.w3.org/2000/svg}"
GAME = strandline.game("undertow")
EXAMPLES = {
    example["name"]: example["position"]
    for example in json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))
}


def example(name: str, *moves: str) -> dict[str, Any]:
    """The position of one of the rule page's examples, after some moves."""
    position = strandline.Position.from_json(EXAMPLES[name])
    for move in moves:
        position = position.play(move)
    return position.to_json()


def draw(view: dict[str, Any]) -> str:
    """The board, without regard to scores and winners."""
    return board.draw(view, [0] * view["players"], [])


def shapes(view: dict[str, Any]) -> dict[str, ET.Element]:
    return {shape.attrib["id"]: shape for shape in ET.fromstring(draw(view)).iter() if "id" in shape.attrib}


def places(view: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Where the shapes with ids are."""
    found = {}
    for name, shape in shapes(view).items():
        where = re.match(r"translate\((\S+) (\S+)\)", shape.get("transform", ""))
        if where:
            found[name] = (float(where[1]), float(where[2]))
    return found


def text(shape: ET.Element) -> str:
    """All that is written there."""
    return " | ".join("".join(element.itertext()) for element in shape.iter(f"{SVG}text"))


def written(view: dict[str, Any]) -> str:
    return text(ET.fromstring(draw(view)))


def drawn(view: dict[str, Any], name: str) -> list[str]:
    """The drawings that a shape is made of."""
    return [own_name(use.attrib["href"]) for use in shapes(view)[name].iter(f"{SVG}use")]


def test_swimmers_are_in_their_spaces_and_nobody_is_on_anybody() -> None:
    for position in random_positions(GAME, random.Random(1), 120):
        view = position.to_json()
        found = places(view)
        for seat, family in enumerate(view["swimmers"]):
            for n, swimmer in enumerate(family, start=1):
                at = found[f"swimmer-{seat}-{n}"]
                if swimmer["lane"]:
                    assert at == found[f"space-{swimmer['lane']}-{swimmer['step']}"]
                else:
                    assert at[1] > board.TALL.places
        spots = [at for name, at in found.items() if name.startswith("swimmer-")]
        assert all(abs(a[0] - b[0]) > 50 or abs(a[1] - b[1]) > 60 for a, b in combinations(spots, 2))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lanes_and_steps_are_numbered_and_faces_have_their_starting_step(players: int) -> None:
    view = GAME.new(players=players).to_json()
    words = written(view).split(" | ")
    assert all(words.count(str(number)) >= 2 for number in range(1, LANES + 1)) and str(STEPS) in words
    said = [title.text for title in ET.fromstring(draw(view)).iter(f"{SVG}title")]
    assert all(f"A {face} starts here." in said for face in range(1, 7))
    used = {own_name(use.attrib["href"]) for use in ET.fromstring(draw(view)).iter(f"{SVG}use")}
    assert ("buoy" in used) == (players == 2)


def test_what_a_swimmer_looks_like_tells_seat_number_and_pips() -> None:
    view = example("position in the text")
    for seat, family in enumerate(view["swimmers"]):
        for n, swimmer in enumerate(family, start=1):
            shape = shapes(view)[f"swimmer-{seat}-{n}"]
            assert text(shape) == str(n)
            pips = [len(re.findall("M", path.attrib["d"])) for path in shape.iter(f"{SVG}path")]
            assert pips == [swimmer["pips"]]
            ground = f"towel-{seat}" if swimmer["step"] == 0 else "foam"
            assert {ground, f"head-{seat}", f"ring-{seat}"} <= set(drawn(view, f"swimmer-{seat}-{n}"))


def test_dice_to_be_rolled_are_marked_and_have_no_towel() -> None:
    view = GAME.new(players=4).play_random(7, seed=1).to_json()
    assert text(shapes(view)["swimmer-1-2"]) == "2", "rolled"
    assert text(shapes(view)["swimmer-1-3"]) == "? | 3"
    assert "shade" in drawn(view, "swimmer-1-2")
    assert "Seat 1: roll your family | Set-up" in written(view) and "die-red" not in shapes(view)


def test_the_turn_is_told() -> None:
    view = example("position in the text")
    assert "Seat 0: 2 steps out | Round 9 | current | sideways free" in written(view)
    assert text(shapes(view)["points"]) == "2" and "stop" not in shapes(view)
    assert drawn(view, "die-modifier") == ["current"]
    assert "round" in drawn(view, "swimmer-0-1") and "round-out" in drawn(view, "swimmer-0-1")
    rolling = view | {"phase": "dice", "dice": None, "points": 0, "detour": None, "turn": "chance"}
    assert [text(shapes(rolling)[f"die-{name}"]) for name in ("red", "green", "modifier")] == ["?", "?", "?"]


@pytest.mark.parametrize(
    ("modifier", "name"), [(1, "lifeguard"), (2, "calm"), (3, "wave"), (4, "current"), (5, "calm"), (6, "undertow")]
)
def test_every_face_of_the_modifier_has_a_picture(modifier: int, name: str) -> None:
    view = example("position in the text")
    view["dice"]["modifier"] = modifier
    assert drawn(view, "die-modifier") == [name]


def test_a_way_round_that_goes_on_sideways_points_there() -> None:
    after = example("6 finished first", "right 1")
    assert after["detour"] == 1
    assert "round-right" in drawn(after, "swimmer-0-1")


def test_what_was_swum_and_drifted_is_shown() -> None:
    view = example("position in the text") | {"phase": "in", "detour": None}
    view["drift"] = ["left", *view["drift"][1:]]
    plain = written(view)
    view["drifted"], view["swum"] = [3, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0]
    assert text(shapes(view)["swimmer-0-1"]) == "1 | 2 | 3" and written(view) != plain
    pictures = {draw(view | {"drift": [side, *view["drift"][1:]]}) for side in ("left", "right", None)}
    assert len(pictures) == 3


def test_points_for_each_swimmer_are_told() -> None:
    view = example("7 undertow each", "roll 1 2 6", "out 1")
    assert "Seat 0: 3 out each" in written(view) and "Points for each swimmer" in written(view)
    assert text(shapes(view)["swimmer-0-1"]) == "1 | 1"


def test_without_points_a_current_still_carries() -> None:
    view = example("9 after a point")
    assert view["points"] == 0
    assert "Seat 0: drift or stop" in written(view)


def test_a_vacation_has_a_leaf_for_every_day() -> None:
    position = GAME.new(players=3, vacation=4).play_random(350, seed=1)
    view = position.to_json()
    assert 1 < view["day"] < 4
    drawn = ET.fromstring(position.svg())
    found = {shape.attrib["id"]: shape for shape in drawn.iter() if "id" in shape.attrib}
    today = [
        sum(swimmer["pips"] for swimmer in family if swimmer["step"] == 0) if view["round"] else 0
        for family in view["swimmers"]
    ]
    for day, scores in enumerate([*view["day_scores"], today], start=1):
        assert text(found[f"day-{day}"]) == " | ".join([f"Day {day}", *map(str, scores)])
    assert "day-4" in found and "day-5" not in found
    assert f"Day {view['day']}: {view['round']}/8" in text(drawn)


def test_the_options_in_force_are_named() -> None:
    options = {"easy": True, "slow_start": True, "triple_six": True, "lane_limits": True, "strength": True}
    everything = written(GAME.new(players=2, surge="each", **options).to_json())
    for name in (
        *("Points for each swimmer", "Easy mode", "Slow start", "Triple six", "Lane limits", "Swimmer strength"),
    ):
        assert name in everything and name not in written(GAME.new(players=2).to_json())


def test_scores_and_winners_are_shown() -> None:
    for options, scores in (({"max_rounds": 5}, "{} of 7"), ({"vacation": 3}, "{}")):
        position = GAME.new(players=2, **options).play_random(3000, seed=3)
        assert position.turn is None
        with reading(Reader("en", names=("Ann", "Ben"))):
            said = text(ET.fromstring(position.svg()))
        for name, score in zip(("Ann", "Ben"), position.scores(), strict=True):
            assert f"{name} | {scores.format(score)}" in said
        ribbons = {(0,): "Winner: Ann", (1,): "Winner: Ben", (0, 1): "Winners: Ann and Ben"}
        assert ribbons[tuple(position.winners())] in said


@pytest.mark.parametrize("language", ["en", "de"])
def test_words_have_room(language: str) -> None:
    """What is written beside the dice ends before the life belt, and a headline before the round."""
    names = ("Annegret", "Benedikt", "Clementine")
    with reading(Reader(language, names=names)):
        for position in random_positions(GAME, random.Random(9), 400):
            view = position.to_json()
            for line in ET.fromstring(draw(view)).iter(f"{SVG}text"):
                x, y, size = (float(line.attrib[name]) for name in ("x", "y", "font-size"))
                width = 0.6 * size * len("".join(line.itertext()))
                if (x, view["phase"]) in ((268, "out"), (268, "in")) and y < board.TALL.horizon:
                    assert x + width < 495
                if y == 139 and x == 74:
                    assert x + width < 540


def test_a_step_is_a_click_on_the_swimmer_and_on_its_space() -> None:
    view = example("2 the free swimmer first", "roll 4 3 2")
    assert board.clicks(view, "out 2") == ["swimmer-0-2", "space-6-5"]
    assert board.clicks(view, "in 2") == ["swimmer-0-2", "space-6-3"]
    assert board.clicks(view, "left 1") == ["swimmer-0-1", "space-2-5"]
    assert board.clicks(view, "right 1") == ["swimmer-0-1", "space-4-5"]
    view["swimmers"][0][0]["step"] = 1
    assert board.clicks(view, "in 1") == ["swimmer-0-1", "beach"]
    assert board.clicks(view, "save 2") == board.clicks(view, "recall 2") == ["swimmer-0-2"]
    assert board.clicks(view, "undertow") == ["die-modifier"] and board.clicks(view, "stop") == ["stop"]


def test_a_die_is_placed_beyond_full_steps() -> None:
    view = example("1 overflow")
    assert board.clicks(view, "place 5 3") == ["swimmer-0-5", f"space-3-{START[6] + 1}"]
    assert board.clicks(view, "place 6 3") == ["swimmer-0-6", f"space-3-{START[1]}"]


def test_strength_has_buttons_only_where_it_can_be_changed() -> None:
    view = example("12 strength", "roll 3 4 5")
    assert "weaken-1" in shapes(view) and "strengthen-1" not in shapes(view)
    assert board.clicks(view, "weaken 1") == ["swimmer-0-1", "weaken-1"]
    weak = example("12 strength", "roll 3 4 5", "weaken 1", "weaken 1")
    assert "weaken-1" not in shapes(weak)
    inward = example("12 strength", "roll 3 4 5", "weaken 1", "weaken 1", "out 1")
    assert "strengthen-1" in shapes(inward) and "stop" in shapes(inward)
    assert not [name for name in shapes(example("2 legal")) if name.startswith(("weaken", "strengthen"))]


def test_the_description_is_the_position_in_words() -> None:
    position = strandline.Position.from_json(EXAMPLES["position in the text"])
    root = ET.fromstring(position.svg())
    assert root.findtext(f"{SVG}desc") == position.words()
    assert root.findtext(f"{SVG}title") == "Undertow: Seat 0: 2 steps out"


def test_a_family_has_room_on_the_sand() -> None:
    for players in (2, 3, 4):
        view = GAME.new(players=players).to_json()
        found = places(view)
        height = float(ET.fromstring(draw(view)).attrib["viewBox"].split()[3])
        for seat in range(players):
            for n in range(1, FAMILY[players] + 1):
                x, y = found[f"swimmer-{seat}-{n}"]
                assert 24 < x < 720 - 24 and board.TALL.places + 32 < y < height - 32


@pytest.mark.parametrize(
    "text",
    [
        "[board]\nlanes = 12\nsteps = 15\n[seats.4]\nfamily = 7\nlanes = [1, 12]\n",
        "[board]\nsteps = 8\nstart = [1, 1, 2, 2, 3, 3]\n[seats.3]\nfamily = 2\nlanes = [3, 10]\n",
    ],
)
def test_another_box_is_drawn_and_clicked(tmp_path: Path, text: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(text)
    own = strandline.game("undertow", box=file)
    for position in random_positions(own, random.Random(3), 80):
        svg = position.svg()
        if isinstance(position.turn, int):
            view = position.view(position.turn)
            paths = [own.board.clicks(view, move) for move in position.moves()]
            assert all(f'id="{name}"' in svg for path in paths for name in path)
            assert len({tuple(path) for path in paths}) == len(paths)
