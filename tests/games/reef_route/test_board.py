"""The board shows the whole position: every fish and predator in its place, dice, lots, rolls and the end."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import strandline
from games.reef_route.positions import at, value
from strandline.engine.words import Reader, reading
from strandline.games.reef_route import board
from strandline.games.reef_route.box import COLUMNS, ROWS
from support import own_name

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = ("yellow", "red", "green", "blue")
Json = dict[str, Any]

SWIMMING = at("fish", "red", players=3, seat=1, yellow=[(4, 3)], red=[(2, 8), (10, 5)], blue=[(1, 1)]).to_json()
LINED_UP: Json = {name: [(column, row) for row in range(1, 9, 2)] for column, name in enumerate(COLOURS, start=1)}


def drawn(view: Json) -> ET.Element:
    return ET.fromstring(strandline.Position.from_json(view).svg())


def groups(view: Json) -> dict[str, ET.Element]:
    """The shapes with ids."""
    return {g.attrib["id"]: g for g in drawn(view).iter(f"{SVG}g") if "id" in g.attrib}


def places(view: Json) -> dict[str, tuple[float, float]]:
    """Where the shapes with ids are."""
    found = {}
    for name, element in groups(view).items():
        if where := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
            found[name] = (float(where[1]), float(where[2]))
    return found


def drawings(view: Json, name: str) -> set[str]:
    """What a shape is made of."""
    return {own_name(use.attrib["href"]) for use in groups(view)[name].iter(f"{SVG}use")}


def written(view: Json) -> str:
    """All that is written on the board."""
    return " | ".join("".join(text.itertext()) for text in drawn(view).iter(f"{SVG}text"))


def desc(view: Json) -> str:
    return drawn(view).findtext(f"{SVG}desc") or ""


def test_every_fish_is_on_its_tile() -> None:
    found = places(at("roll", players=4, **LINED_UP).to_json())
    for name, school in LINED_UP.items():
        for number, (column, row) in enumerate(school, start=1):
            assert found[f"fish-{name}-{number}"] == found[f"tile-{column}-{row}"]
    assert found["tile-2-1"][0] - found["tile-1-1"][0] == board.TALL.column
    assert found["tile-1-2"][1] - found["tile-1-1"][1] == board.TALL.row
    assert len([name for name in found if name.startswith("tile-")]) == COLUMNS * ROWS


def test_dice_show_colours_in_the_readers_language() -> None:
    view = at("fish", "yellow", "green", players=4, **LINED_UP).to_json()
    for language, letters in (("en", ["Y", "G"]), ("de", ["Ge", "Gr"])):
        with reading(Reader(language)):
            found = groups(view)
        assert ["".join(found[f"die-{n}"].itertext()) for n in (1, 2)] == letters


def test_a_predator_covers_its_tiles() -> None:
    found = places(at("predator", "predator", lairs=[(7, 2), (8, 4), (5, 6)], **LINED_UP).to_json())
    assert found["predator-1"] == found["tile-7-2"]
    middle = (found["tile-8-4"][0] + found["tile-9-4"][0]) / 2, found["tile-8-4"][1]
    assert found["predator-2"] == middle
    middle = (found["tile-5-6"][0] + found["tile-6-6"][0]) / 2, (found["tile-5-6"][1] + found["tile-5-7"][1]) / 2
    assert found["predator-3"] == middle


def test_eaten_and_waiting_fish_lie_in_the_hollow_of_their_colour() -> None:
    found = places(SWIMMING)
    assert found["fish-yellow-2"][1] > board.TALL.floor > found["fish-yellow-1"][1]
    assert drawings(SWIMMING, "fish-yellow-2") == {"bones"}
    assert drawings(SWIMMING, "fish-yellow-1") == {"tile", "yellow", "seat-0"}
    start = strandline.game("reef_route").new(players=2).to_json()
    assert drawings(start, "fish-green-3") == {"green"}
    assert places(start)["fish-yellow-2"] == found["fish-yellow-2"]


def test_a_fish_carries_its_owners_shape_and_number() -> None:
    assert drawings(SWIMMING, "fish-red-1") == {"tile", "red", "seat-1"}
    assert drawings(SWIMMING, "fish-blue-1") == {"tile", "blue", "nobody"}
    assert [text.text for text in groups(SWIMMING)["fish-red-2"].iter(f"{SVG}text")] == ["2"]


def test_the_fish_on_the_reef_is_beyond_the_last_column_and_its_seat_has_won() -> None:
    over = at("over", end="reef", seat=1, yellow=[(4, 3)], red=["reef"]).to_json()
    assert places(over)["fish-red-1"][0] > board.TALL.reef
    assert "Winner: Seat 1 | Roll 17 | Red is first at the reef" in written(over)


@pytest.mark.parametrize(
    ("end", "fish", "headline", "reason"),
    [
        ("reef", {"yellow": [(4, 3)], "blue": ["reef"]}, "Nobody wins", "Blue is first at the reef"),
        ("last", {"yellow": [(4, 3)]}, "Winner: Seat 0", "only one colour is left"),
        ("gone", {"blue": [(4, 3)]}, "Nobody wins", "no player has a fish left"),
        ("limit", {"yellow": [(4, 3)], "red": [(4, 4)]}, "Nobody wins", "the last roll"),
    ],
)
def test_the_end_says_who_has_won_and_why(end: str, fish: Json, headline: str, reason: str) -> None:
    view = at("over", end=end, rolls=300, **fish).to_json()
    assert headline in written(view) and reason in written(view)
    assert "die-1" not in groups(view)


def test_dice_not_yet_used_are_shown() -> None:
    two = at("predator", "predator", "blue", **LINED_UP).to_json()
    assert drawings(two, "die-1") == {"small"} and drawings(two, "die-2") == {"blue"}
    assert drawings(SWIMMING, "die-1") == {"red"} and "die-2" not in groups(SWIMMING)
    assert "R" in written(SWIMMING).split(" | ")
    rolling = at("roll", **LINED_UP).to_json()
    assert written(rolling).count("?") == 2


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (value("roll", players=3, seat=2, rolls=5, **LINED_UP), "Seat 2: roll | Roll 5"),
        (value("predator", "predator", **LINED_UP), "Seat 0: predator! | Roll 17"),
        (SWIMMING, "Seat 1: move a fish | Roll 17"),
        (value("any", yellow=[(4, 3)], red=[(4, 4)]), "Seat 0: any fish | Roll 17 | no die fits"),
        (value("place", lairs=[(10, 2), (9, 4), (9, 6)]), "Seat 0: place fish 1 | Set-up | on column 2"),
        (value("layout", lairs=[None] * 3, options={"setup": "chance"}), "Predators by lot | Set-up"),
    ],
)
def test_the_banner_says_who_is_to_do_what(view: Json, said: str) -> None:
    assert said in written(strandline.Position.from_json(view).to_json())


def test_rolls_are_counted_from_the_first_one_on() -> None:
    position = strandline.game("reef_route").new(players=2)
    while position.to_json()["phase"] != "roll":
        position = position.play(position.moves()[0])
    assert "Seat 0: roll | Roll 1" in written(position.to_json())


def test_predators_not_laid_out_wait_in_the_open() -> None:
    position = strandline.game("reef_route").new(players=2, setup="players", predators="smml").play("put 1 8")
    view = position.to_json()
    found = places(view)
    assert found["predator-1"] == found[f"tile-{COLUMNS}-8"]
    waiting = [found[f"predator-{number}"] for number in (2, 3, 4)]
    assert len(set(waiting)) == 3 and all(x < found["tile-8-1"][0] for x, _ in waiting)
    assert "Seat 1: put predator 2" in written(view)
    assert "Predator 2, medium: not on the board yet." in desc(view)
    assert board.clicks(view, "put 2 3") == [f"tile-{COLUMNS}-3"]


def test_the_tile_that_is_drawn_for_is_marked() -> None:
    fish: Json = {"yellow": [(2, 1), (2, 2)], "red": [(2, 3), (2, 4)]}
    starts: Any = [(10, 2), (9, 4), (9, 6)]
    view = at("fill", tile=[2, 6], lairs=starts, options={"school": 2}, **fish).to_json()
    assert places(view)["lot"] == places(view)["tile-2-6"]
    assert "column 2, row 6" in written(view)


def test_the_score_cards_count_the_fish_left() -> None:
    assert "Seat 0 | 1 | Seat 1 | 2 | Seat 2 | 0 | " in written(SWIMMING)
    assert drawings(SWIMMING, "seat-1") == {"red"}


def test_clicks_name_who_moves_and_where_to() -> None:
    assert board.clicks(SWIMMING, "swim red 1 up") == ["fish-red-1", "tile-2-7"]
    assert board.clicks(SWIMMING, "swim red 1 forward") == ["fish-red-1", "tile-3-8"]
    assert board.clicks(SWIMMING, "swim red 2 forward") == ["fish-red-2", "reef-5"]
    assert board.clicks(SWIMMING, "predator 3 down") == ["predator-3", "step-3-down"]
    assert board.clicks(SWIMMING, "place 2 5") == ["tile-2-5"]


def test_arrows_lead_where_predators_can_go() -> None:
    """Example 4 of the rule page: a corner full of predators."""
    lairs: Any = [(1, 1), (1, 8), (2, 1)]
    position = at("predator", "predator", lairs=lairs, yellow=[(7, 3)], red=[(7, 4)])
    steps = {name for name in groups(position.to_json()) if name.startswith("step-")}
    assert steps == {"step-1-down", "step-2-up", "step-3-down"}
    assert steps == {board.clicks(position.to_json(), move)[-1] for move in position.moves()}
    assert not any(name.startswith("step-") for name in groups(SWIMMING))


def test_the_description_tells_the_position() -> None:
    assert desc(SWIMMING).splitlines() == [
        "Roll 17.",
        "Predator 1, small: column 10, row 1.",
        "Predator 2, medium: column 9, row 8.",
        "Predator 3, large: column 9, row 3.",
        "Seat 0, yellow fish: 1 column 4, row 3, 2 eaten, 3 eaten, 4 eaten.",
        "Seat 1, red fish: 1 column 2, row 8, 2 column 10, row 5, 3 eaten, 4 eaten.",
        "Seat 2, green fish: 1 eaten, 2 eaten, 3 eaten, 4 eaten.",
        "Nobody, blue fish: 1 column 1, row 1, 2 eaten, 3 eaten, 4 eaten.",
        "Seat 1 moves a fish.",
    ]


@pytest.mark.parametrize("columns", [4, 20])
def test_a_box_of_another_size_fits(tmp_path: Path, columns: int) -> None:
    (tmp_path / "box.toml").write_text(f"[board]\ncolumns = {columns}\nrows = 10\nfront = 2\nback = 1\n")
    position = strandline.game("reef_route", box=tmp_path / "box.toml").new(players=2)
    drawn = ET.fromstring(position.svg())
    tiles = [g for g in drawn.iter(f"{SVG}g") if g.get("id", "").startswith("tile-")]
    assert len(tiles) == columns * 10
