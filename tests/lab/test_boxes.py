"""Boxes with one entry changed."""

import tomllib
from pathlib import Path

import pytest

import strandline
from strandline.lab import boxes, matches, plan
from strandline.lab.findings import Found
from strandline.lab.sample import Sample

CASTLES = strandline.game("sand_castles")


def test_values_are_read() -> None:
    assert boxes.values("1..4") == [1, 2, 3, 4]
    assert boxes.values("1, 2.5") == [1, 2.5]
    assert boxes.values("[1, 2],[3]") == [[1, 2], [3]]
    assert boxes.values("sml,smml") == ["sml", "smml"]


def test_what_is_written_is_read_again() -> None:
    table = {"a": [1, True, 'two " words'], "b": {"c d": 1.5, "e": [{"f": 0}]}}
    text = "\n".join(f"{key} = {boxes.written(value)}" for key, value in table.items())
    assert tomllib.loads(text) == table


def test_an_entry_is_changed_over_the_owners_box(tmp_path: Path) -> None:
    own = tmp_path / "box.toml"
    own.write_text("[tiles]\nsand = 15\n")
    changed = boxes.changed(strandline.game("sand_castles", own), "box.tiles.wave", 2, own)
    text = boxes.contents(changed)
    assert "wave = 2" in text and "sand = 15" in text and "pebble = 7" in text
    with pytest.raises(strandline.BadBox, match=r"Did you mean tiles\.wave"):
        boxes.changed(CASTLES, "box.tiles.waves", 2)
    with pytest.raises(strandline.BadOptions, match="no entry"):
        boxes.changed(CASTLES, "box.tiles.wave.more", 2, own_with_wave(tmp_path))


def own_with_wave(folder: Path) -> Path:
    file = folder / "wave.toml"
    file.write_text("[tiles]\nwave = 3\n")
    return file


def test_a_sweep_over_the_box() -> None:
    """Played move by move, so that no box has to be compiled."""
    entry = ("box.tiles.sand", [13, 14, 15])
    made = plan.plan(CASTLES, [2], compare=entry, bots=["random"], games=2, seed=1, skill=())
    assert made.is_sweep and made.pairs() == [(0, 1), (0, 2)]
    assert len({one.key for one in made.settings}) == 3
    samples = [Sample(one, matches.play(one, 0, 2)) for one in made.settings]
    found = Found(made, samples, [()] * 3)
    assert "With box.tiles.sand 15 instead of 13" in found.what_changes()
