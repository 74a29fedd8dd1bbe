"""Ratings, the sequential test, and games of people."""

import json
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

import strandline
from strandline import cli
from strandline.lab import ladder, replay, stats
from strandline.lab.people import sample_of
from strandline.lab.sample import USUAL
from strandline.lab.study import Setting
from strandline.table.record import Header, Line, Record

RIVER = strandline.game("up_the_river")


def test_ratings_are_found_again() -> None:
    true = [0.0, 150.0, 400.0]
    rng = np.random.default_rng(1)
    scores = {
        (a, b): (rng.random(40_000) < ladder.expected(true[a] - true[b])).astype(float)
        for a, b in ((0, 1), (0, 2), (1, 2))
    }
    assert ladder.rated(scores, 3) == pytest.approx(true, abs=12)


def test_who_has_lost_every_game_is_rated_too() -> None:
    assert 400 < ladder.rated({(0, 1): np.zeros(30)}, 2)[1] < 1000


def test_a_ladder() -> None:
    found = ladder.climb(RIVER.new(), ["random", "3"], 150, seed=3, threads=1)
    weak, strong = found.rungs
    assert weak.elo == stats.Estimate(0, 0, 0)
    assert 0 < strong.elo.low < strong.elo.value < strong.elo.high
    assert found.edge == pytest.approx(ladder.expected(strong.elo.value / 2))
    told = list(ladder.lines(found))
    assert told[1].split()[:2] == ["random", "0"] and "chess 67.0%" in told[-1]


def pairs(rng: np.random.Generator, share: float) -> Iterator[float]:
    while True:
        yield (int(rng.random() < share) + int(rng.random() < share)) / 2


def test_the_sequential_test_keeps_its_errors() -> None:
    """Of equal players few are called better, and of players better by as much as it looks for few are missed."""
    for share, wrong in ((0.5, True), (ladder.expected(ladder.BETTER), False)):
        rng = np.random.default_rng(2)
        verdicts = [ladder.sprt(pairs(rng, share), 100_000).better for _ in range(300)]
        assert verdicts.count(None) == 0
        assert verdicts.count(wrong) / 300 < 0.09


def test_the_sequential_test_gives_up() -> None:
    middle = ladder.expected(ladder.BETTER / 2)
    found = ladder.sprt(repeat(middle), 200)
    assert found.better is None and found.games == 200


def test_who_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", "better", "up_the_river", "2", "random", "--threads", "1"]) == 0
    assert capsys.readouterr().out.startswith("2 is better than random: it takes ")


# Games of people


def test_games_of_people_are_rows_like_others() -> None:
    setting = Setting(RIVER.new(3), ("random",), 5, 4, "3 players")
    games = [replay.moves(setting, number) for number in range(5)]
    found = sample_of(setting, games, USUAL)
    assert found.rows.tobytes() == next(setting.pieces()).play().tobytes()


def record(game: strandline.Game, seed: int, most: int = 100_000) -> dict[str, object]:
    """A record as a table writes it, of a game played at random, or of its first moves."""
    setting = Setting(game.new(2), ("random",), seed + 1, 5)
    played = Record(Header("t", game.name, setting.start.options, ("here", "here"), "0" * 64))
    for text in replay.moves(setting, seed)[:most]:
        turn = played.position.turn
        assert turn is not None
        played.append(Line(turn, text))
    return played.to_json(range(2), ["A", "B"], [bytes(32)])


def test_records_are_studied(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = []
    for number in range(3):
        files.append(tmp_path / f"{number}.json")
        kept = {"format": "strandline study 1", "agreed": [0, 1], "record": record(RIVER, number)}
        files[-1].write_text(json.dumps(kept if number else record(RIVER, number)))
    files.append(tmp_path / "3.json")
    files[-1].write_text(json.dumps(record(RIVER, 3, 5)))
    out = tmp_path / "out"
    assert cli.main(["lab", "people", "up_the_river", *map(str, files), "--out", str(out), "--agreed"]) == 0
    told = capsys.readouterr().out
    assert "people instead of simulated" in told
    page = (out / "report.html").read_text()
    assert "people, 2 players: 3" in page and "too few games" in page
    assert cli.main(["lab", "people", "undertow", str(files[1]), "--out", str(out)]) == 2
    assert "is a record of up_the_river" in capsys.readouterr().err
    assert cli.main(["lab", "people", "up_the_river", str(files[3]), "--out", str(out), "--agreed"]) == 2
    assert "None of the records is of a finished game" in capsys.readouterr().err


def test_only_those_are_studied_who_have_agreed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    for agreed, wrong in (([0], "all its players agree"), (["A"], "is not a record: agreed[0]")):
        file.write_text(json.dumps({"format": "strandline study 1", "agreed": agreed, "record": record(RIVER, 0)}))
        assert cli.main(["lab", "people", "up_the_river", str(file), "--out", str(tmp_path)]) == 2
        assert wrong in capsys.readouterr().err
    file.write_text(json.dumps(record(RIVER, 0)))
    assert cli.main(["lab", "people", "up_the_river", str(file), "--out", str(tmp_path)]) == 2
    assert "'Save for a study'" in capsys.readouterr().err
