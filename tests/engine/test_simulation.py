"""Random games by the million."""

import weakref
from typing import Any

import pytest

import strandline
from strandline.engine import simulation

GAME = strandline.game("up_the_river")


def test_rows_have_fields_of_both_kinds_of_access() -> None:
    rows = GAME.simulate(50, players=3, seed=1)
    assert len(rows) == 50
    assert rows.winners.shape == rows["scores"].shape == (50, 3)
    assert set(rows.dtype.names or ()) == {"winners", "scores", "steps", "decisions", "rounds"}
    best = rows.scores == rows.scores.max(1, keepdims=True)
    assert (rows.winners == best & (rows.scores > 0)).all()


def test_without_numpy_the_columns_are_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = GAME.simulate(50, players=3, seed=1)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    lists: Any = GAME.simulate(50, players=3, seed=1)
    assert isinstance(lists, simulation.Rows) and len(lists) == 50
    for name in simulation.NAMES:
        rows = arrays[name].tolist()
        assert lists[name] == [tuple(row) if isinstance(row, list) else row for row in rows]
        assert getattr(lists, name) == lists[name]
    with pytest.raises(KeyError, match="There are: winners, scores"):
        lists["points"]
    with pytest.raises(AttributeError, match="points"):
        lists.points  # noqa: B018


@pytest.mark.parametrize(
    "games", [0, 1, simulation.CHUNK - 1, simulation.CHUNK, simulation.CHUNK + 1, 3 * simulation.CHUNK]
)
def test_any_number_of_games_on_any_number_of_threads(games: int) -> None:
    expected = GAME.simulate(3 * simulation.CHUNK, seed=9, threads=1)[:games]
    for threads in (1, 2, 3):
        assert GAME.simulate(games, seed=9, threads=threads).tobytes() == expected.tobytes()


def test_seeds_matter() -> None:
    assert GAME.simulate(20, seed=1).tobytes() != GAME.simulate(20, seed=2).tobytes()


def test_options_matter() -> None:
    assert GAME.simulate(200, round_limit=3).rounds.max() <= 3


def test_progress_adds_up() -> None:
    told: list[int] = []
    GAME.simulate(20000, progress=told.append)
    assert sum(told) == 20000 and len(told) > 1


def test_memory_does_not_grow_with_the_games() -> None:
    """What has been handed out is not kept."""
    handed_out: list[weakref.ref[simulation.Rows]] = []
    rows = None
    for _, rows in simulation.chunks(GAME, 30 * simulation.CHUNK, GAME.new(), 0, threads=2):
        handed_out.append(weakref.ref(rows))
        assert sum(rows() is not None for rows in handed_out) <= 2
    assert len(handed_out) == 30 and rows is not None


def test_nonsense_is_refused() -> None:
    for wrong in ({"games": -1}, {"games": 1, "seed": -1}, {"games": 1, "seed": 2**63}, {"games": 1, "threads": 0}):
        with pytest.raises(strandline.BadOptions):
            GAME.simulate(**wrong)  # type: ignore[arg-type]


def test_positions_can_be_simulated_from_the_middle() -> None:
    position = GAME.new().play("roll 5").play("sail 1")
    (_, rows), *_ = simulation.chunks(GAME, 100, position, 0)
    assert sum(rows.column("scores", 0)) > 0
