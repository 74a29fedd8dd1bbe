"""The C++ programs beside which speeds are measured play the same games."""

from pathlib import Path

import pytest

import strandline

BENCH = Path(__file__).parents[1] / "bench"


@pytest.mark.slow
def test_cpp_plays_the_same_games(game: strandline.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCH)
    import cpp

    if cpp.program(game.name) is None:
        pytest.skip("There is no C++ compiler here, or no program of this game.")
    for players in game.seats:
        cpp.check(game, 5_000, players, seed=7)
