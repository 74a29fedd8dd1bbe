"""Games looked at again: the lead, the kinds of moves, and games that are found by them."""

from pathlib import Path

import numpy as np
import pytest

import strandline
from strandline import cli
from strandline.lab import again, finding, replay, rows, values
from strandline.lab.sample import Sample
from strandline.lab.study import Setting

RIVER = strandline.game("up_the_river")
GAMES = 4


def sample(game: strandline.Game, games: int, players: int | None = None) -> Sample:
    setting = Setting(game.new(players or game.seats[-1]), ("guided",), games, 5, "some")
    return Sample(setting, rows.play(setting.start, [1], setting.seed, 0, games))


def test_the_same_is_seen_at_both_speeds(game: strandline.Game) -> None:
    one = sample(game, GAMES)
    told = Sample(one.setting, one.rows, texts=tuple(replay.moves(one.setting, row) for row in range(GAMES)))
    compiled, interpreted = again.look(one, GAMES), again.look(told, GAMES)
    assert np.array_equal(compiled.curves, interpreted.curves, equal_nan=True)
    assert np.array_equal(compiled.kinds, interpreted.kinds)
    choices = one.column("decisions").sum() - one.forced.sum()
    assert compiled.kinds[:, 1].sum() == choices


def test_winners_end_ahead() -> None:
    some = sample(RIVER, 200, 2)
    curves = again.look(some, 200).curves
    assert np.isnan(curves[~some.is_won]).all()
    won = curves[some.is_won & ~some.is_shared]
    assert won.min() >= 0 and won.max() <= 1
    assert (won[:, -1] >= 0.5).all() and (won[:, 0] == 0.5).mean() > 0.5


def test_games_are_found_by_length_events_and_curve() -> None:
    some = sample(RIVER, 300, 2)
    wanted = finding.Wanted(finding.span("15..20"), {"good winds": finding.span("2..")}, (0.5, 0.2, 0.9))
    found = finding.find(some, wanted)
    assert found
    winds = next(event.values for event in some.events() if event.name == "good winds")
    for hit in found:
        assert 15 <= hit.rounds <= 20 and hit.events == (winds[hit.row],) and winds[hit.row] >= 2
    distances = [hit.distance for hit in found]
    assert None not in distances and distances == sorted(distances)  # type: ignore[type-var]
    everything = finding.find(some, finding.Wanted())
    assert [hit.row for hit in everything] == list(range(300)) and everything[0].distance is None
    curves = again.look(some, 300).curves
    own = next(row for row in range(300) if not np.isnan(curves[row]).any())
    best = finding.find(some, finding.Wanted(curve=tuple(curves[own])))[0]
    assert best.distance == pytest.approx(0) and np.array_equal(curves[best.row], curves[own])


def test_ranges_and_curves_as_people_write_them() -> None:
    assert finding.span("20..30") == finding.Span(20, 30)
    assert finding.span("..30").high == 30 and finding.span("20..").low == 20
    assert finding.span("7") == finding.Span(7, 7)
    for text in ("many", "1..two"):
        with pytest.raises(strandline.BadOptions, match=r"20\.\.30"):
            finding.span(text)
    assert finding.curve("0.5,0.4,0.9") == (0.5, 0.4, 0.9)
    for text in ("0.5", "0.5,2", "up,down"):
        with pytest.raises(strandline.BadOptions, match="from 0 to 1"):
            finding.curve(text)


def test_what_cannot_be_found_is_said() -> None:
    with pytest.raises(strandline.BadOptions, match=r"counts no event 'good wind'\. There are: good winds"):
        finding.find(sample(RIVER, 2), finding.Wanted(events={"good wind": finding.Span(1)}))
    together = sample(strandline.game("over_the_next_dune"), 2)
    with pytest.raises(strandline.BadOptions, match="nobody leads"):
        finding.find(together, finding.Wanted(curve=(0.5, 1)))


def test_find_as_people_type_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    study = str(tmp_path / "study")
    arguments = ["lab", "up_the_river", "--players", "2,3", "--games", "60", "--skill", "none", "--out", study]
    assert cli.main(arguments) == 0
    capsys.readouterr()
    command = ["lab", "find", study, "--setting", "3 players", "--length", "1..", "--event", "docked", "--games", "3"]
    assert cli.main([*command, "--curve", "0.5,0.3,1"]) == 0
    first, *games, more, last = capsys.readouterr().out.splitlines()
    assert first.endswith(" of 60 games (3 players).") and len(games) == 3
    number = int(first.split()[0])
    assert more == f"And {number - 3} more: --games {number} names them all."
    assert all("rounds, won by seat" in line and "docked" in line and "from the curve" in line for line in games)
    row = games[0].split(",")[0].removeprefix("game ")
    assert last == f'To see the first: strandline lab show {study} {row} --setting "3 players"'


def test_how_moves_are_used() -> None:
    kinds = np.zeros((again.VERBS, 3), np.int64)
    kinds[1] = 1000, 900, 50  # offered, made, nothing else offered
    kinds[2] = 950, 0, 0
    kinds[3] = 7, 7, 7
    found = values.uses(strandline.game("sand_castles"), again.Again(np.zeros((0, 11)), kinds))
    assert [(use.kind, use.offered, use.made, use.is_dead) for use in found] == [
        ("flip peeked", 950, 850, False),
        ("stop", 950, 0, True),
    ]


def test_decisions_are_valued() -> None:
    some = values.decisions(sample(RIVER, 6, 2), 12)
    assert len(some) == 12 and len({one.game for one in some}) == 3
    gain = values.gained(some)
    assert gain.low < gain.value < gain.high and abs(gain.value) < 0.5
    assert sum(map(len, values.by_kinds(some).values())) == 12
    assert values.valued((0, RIVER.new(2).play("roll 1")), 1) == values.valued((0, RIVER.new(2).play("roll 1")), 1)


def test_noise_is_not_taken_for_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all moves are worth the same, the best of noisy values gains nothing by the second search."""
    rng = np.random.default_rng(1)
    monkeypatch.setattr(values, "_value", lambda *_: rng.normal(0.5, 0.1))
    start = RIVER.new(2).play("roll 1")
    gain = values.gained([values.valued((row, start), row) for row in range(300)])
    assert gain.low < 0 < gain.high and gain.half < 0.02
    monkeypatch.setattr(values, "_value", lambda game, position, seat, seed: float(position == start.play("sail 2")))
    assert values.valued((0, start), 0).gain == pytest.approx(2 / 3)
