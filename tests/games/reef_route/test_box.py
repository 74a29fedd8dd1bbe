"""Boxes of Reef Route that an owner has changed."""

from pathlib import Path

import pytest

import strandline


def game(folder: Path, text: str) -> strandline.Game:
    file = folder / "box.toml"
    file.write_text(text)
    return strandline.game("reef_route", box=file)


@pytest.mark.rules("F1", "F7", "F8", "F10")
def test_another_board_is_played_to_the_end(tmp_path: Path) -> None:
    """A wider sea: the reef lies behind column 13, and the pool holds blanks even with schools of four."""
    own = game(tmp_path, "[board]\ncolumns = 13\nrows = 9\nfront = 3\nback = 1\n[start_rows]\nsml = [1, 5, 8]\n")
    position = own.new()
    assert [predator["col"] for predator in position.to_json()["predators"]] == [13, 12, 12]
    assert position.moves() == [f"place 3 {row}" for row in range(1, 10)]
    while position.to_json()["phase"] == "place":
        position = position.play(position.moves()[-1])
    odds = dict(zip(position.moves(), position.odds(), strict=True))
    assert odds == pytest.approx({"fill green": 0.4, "fill blue": 0.4, "fill empty": 0.2})
    assert own.position(position.to_json()) == position
    while position.turn is not None:
        position = position.play(position.moves()[0])
    assert position.to_json()["end"] in ("reef", "last", "gone", "limit")


@pytest.mark.rules("F5", "F-R9")
def test_seats_may_have_other_colours(tmp_path: Path) -> None:
    own = game(tmp_path, '[seats]\ncolours = ["blue", "green", "red", "yellow"]')
    position = own.new(players=2, school=2).play("place 2 1").play("place 2 2")
    fish = position.to_json()["fish"]
    assert (fish["blue"][0], fish["green"][0]) == ([2, 1], [2, 2])
    position = position.play("place 1 1").play("place 1 2")
    assert position.moves() == ["fill yellow", "fill red", "fill empty"]
    assert own.position(position.to_json()) == position


@pytest.mark.rules("F-R3")
def test_dice_may_have_other_faces(tmp_path: Path) -> None:
    faces = ["yellow", "red", "green", "blue", "blue", "blue", "predator", "predator"]
    own = game(tmp_path, f"[faces]\n2 = {faces}")
    position = own.new(players=4, school=2)
    while position.to_json()["phase"] == "place":
        position = position.play(position.moves()[0])
    odds = dict(zip(position.moves(), position.odds(), strict=True))
    assert odds["roll blue blue"] == pytest.approx(9 / 64) and odds["roll red blue"] == pytest.approx(6 / 64)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[board]\nrows = 7", "board.rows must be a whole number from 8 to 10, not 7"),
        ("[board]\ncolumns = 3", "board.columns must be"),
        ("[board]\nfront = 9", "board.front must be"),
        ("[board]\nback = 2", "board.back must be a whole number from 1 to 1"),
        ('[seats]\ncolours = ["red", "red", "green", "blue"]', "two seats cannot have the same fish"),
        ('[seats]\ncolours = ["pink", "red", "green", "blue"]', "seats.colours.0. must be one of yellow"),
        ('[faces]\n1 = ["yellow", "red", "green", "predator", "predator"]', "exactly 1 predator"),
        ('[faces]\n1 = ["yellow", "yellow", "red", "green", "predator"]', "faces.1 lacks blue"),
        ("[faces]\n2 = []", "faces.2 must be a list of 5 to 12 items"),
        ("[faces]\n3 = []", "no entry faces.3"),
        ("[start_rows]\nsml = [1, 2, 5]", "free row between any two"),
        ("[start_rows]\nsml = [1, 3, 8]", "keep the predators on the board"),
        ("[start_rows]\nsml = [1, 3]", "start_rows.sml must be a list of 3 items"),
        ("[start_rows]\nssll = [1, 3, 5, 7]", "no entry start_rows.ssll"),
        ("board = 7", "board must be an object"),
    ],
)
def test_boxes_are_checked(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(strandline.BadBox, match=reason):
        game(tmp_path, text)
