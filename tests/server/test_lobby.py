"""What the lobby says of a game whose box no compiled module fits."""

from pathlib import Path

import pytest

import strandline
from strandline.engine import speeds
from strandline.engine.words import Reader, reading
from strandline.server import lobby


@pytest.fixture
def longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> strandline.Game:
    """Undertow with more steps, on a machine without a compiler."""
    (tmp_path / "box.toml").write_text("[board]\nsteps = 14\n")
    monkeypatch.setattr(speeds, "has_compiler", lambda: False)
    return strandline.game("undertow", box=tmp_path / "box.toml")


def test_the_lobby_says_where_bots_are_slow(longer: strandline.Game) -> None:
    assert lobby._game(strandline.game("undertow"))["warning"] is None
    assert "positions of Undertow are larger or smaller" in lobby._game(longer)["warning"]
    with reading(Reader("de")):
        said = lobby._game(longer)["warning"]
    assert said.startswith("Mit dieser Schachtel sind Stellungen von „Im Sog“") and "hundertmal so lange" in said


def test_with_a_compiler_there_is_nothing_to_say(longer: strandline.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speeds, "has_compiler", lambda: True)
    assert lobby._game(longer)["warning"] is None
