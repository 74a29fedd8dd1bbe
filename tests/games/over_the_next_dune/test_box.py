"""The box: what its owner may change, and what is refused."""

from pathlib import Path

import pytest

import strandline

SMALL = """
[battlefield]
rows = 14
columns = 12
start = [[14, 1], [14, 3], [14, 5], [14, 7], [14, 9]]
areas = [[1, 1], [1, 4], [1, 7], [4, 1], [4, 4], [4, 7]]
trail_columns = [1, 2, 3, 11, 12]
[searchers]
rows = [2, 9]
columns = [2, 11]
patrol_rows = [2, 8]
steps = 3
rescuers = 2
[cards]
straight = 30
left = 20
right = 10
[turns]
fewest = 2
[tokens]
points = 6
[terrain]
1 = ["C"]
"""


def box(folder: Path, text: str) -> strandline.Game:
    file = folder / "box.toml"
    file.write_text(text)
    return strandline.game("over_the_next_dune", box=file)


@pytest.mark.rules("D-R1", "D-R2")
def test_another_battlefield(tmp_path: Path) -> None:
    game = box(tmp_path, SMALL)
    position = game.new(players=2, turns=2)
    assert position.to_json()["tokens"][4]["at"] == [14, 9] and position.to_json()["deck"]["left"] == 20
    for number in range(1, 7):
        position = position.play(f"terrain {number}").play("at 1 6")
    assert len(position.moves()) == 8 * 10
    for _ in range(6):
        position = position.play("searcher 9 5").play("facing 5")
    position = position.play("card straight")
    assert position.to_json()["searchers"][0]["at"] == [6, 5]
    for _ in range(5):
        position = position.play("card straight")
    for card in range(1, 6):
        position = position.play(f"order {card}")
    value = position.to_json()
    assert value["mover"] == {"token": 1, "points": 6, "alert": [], "halted": []}
    assert game.position(position.play("move 1 n").to_json()).to_json()["markers"] == [[14, 1, 5]]
    for seed in range(3):
        end = game.new(players=2, turns=2).play_random(10_000, seed)
        assert end.turn is None and game.rules.rounds(end._record) <= 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[battlefield]\nrows = 8", "battlefield.rows"),
        ("[battlefield]\ncolumns = 21", "must be even"),
        ("[battlefield]\nstart = [[20, 2]]", "battlefield.start"),
        ("[battlefield]\nstart = [[20, 2], [20, 2], [20, 3], [20, 4], [20, 5]]", "five different"),
        ("[battlefield]\nstart = [[13, 2], [20, 1], [20, 3], [20, 4], [20, 5]]", "below all squares"),
        ("[battlefield]\nareas = [[1, 2], [1, 8], [1, 14], [7, 2], [7, 8], [16, 14]]", r"areas\[5\]"),
        ("[battlefield]\nareas = [[1, 2], [1, 8], [1, 14], [7, 2], [7, 8], [12, 14]]", "no place for a searcher"),
        ("[battlefield]\ntrail_columns = [2, 1]", "rising"),
        ("[battlefield]\ntrail_columns = [10, 11]", "both middle columns"),
        ("[searchers]\nrows = [12, 2]", "first and then the last"),
        ("[searchers]\nrescuers = 5", "searchers.rescuers"),
        ("[searchers]\nspeed = 5", "no entry searchers.speed"),
        ("[cards]\nstraight = 45", "cards must be 60 to 120"),
        ("[turns]\nfewest = 11", "turns.fewest"),
        ("[tokens]\nowners = [[0, 0, 0, 0, 0]]", "tokens.owners"),
        (
            "[tokens]\nowners = [[0,0,0,0,0], [0,0,0,0,0], [0,1,2,0,1], [0,1,2,0,3], [0,1,2,3,4]]",
            "every seat from 0 to 1 a token",
        ),
        ('[terrain]\n3 = ["###"]', "one centre C, not 0"),
        ('[terrain]\n3 = ["#C#", "#x#"]', r"terrain.3\[1\]"),
        ('[terrain]\n7 = ["C"]', "no entry terrain.7"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(strandline.BadBox, match=words):
        box(tmp_path, text)
