"""Studies in pieces: stopped, resumed, enlarged, and the same whoever plays them."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import strandline
from strandline.lab import conduct, plan, running, study
from strandline.lab.study import PIECE, Piece, Setting, Store

GAME = strandline.game("up_the_river")
FILES = ("report.html", "data.parquet", "data.csv", "study.json")


def setting(games: int = 3 * PIECE + 100, seed: int = 1, bots: tuple[str, ...] = ("random",)) -> Setting:
    return Setting(GAME.new(3), bots, games, seed, "3 players")


def test_pieces_cover_all_games() -> None:
    pieces = list(setting().pieces())
    assert [(piece.first, piece.number) for piece in pieces] == [
        (0, PIECE),
        (PIECE, PIECE),
        (2 * PIECE, PIECE),
        (3 * PIECE, 100),
    ]
    assert [piece.number for piece in setting(5, bots=("1", "random")).pieces()] == [1] * 5


def test_the_number_of_threads_does_not_matter(tmp_path: Path) -> None:
    one, two = (running.run([setting()], tmp_path / str(n), threads=n).rows(setting()) for n in (1, 2))
    assert one.tobytes() == two.tobytes()
    expected = GAME.simulate(setting().games, 3, seed=1)
    assert (one["steps"] == expected["steps"]).all()


def test_processes_play_the_bots_games(tmp_path: Path) -> None:
    bots = setting(3, bots=("1", "random", "random"))
    found = running.run([bots], tmp_path, threads=2).rows(bots)
    assert found.tobytes() == np.concatenate([piece.play() for piece in bots.pieces()]).tobytes()


def test_batches_for_a_device_are_cut_into_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "BATCH", 2 * PIECE)
    pieces = list(setting().pieces()) + list(setting(seed=2).pieces())
    batches = [[(piece.setting.seed, piece.first) for piece in batch] for batch in running._batches(pieces)]
    assert [len(batch) for batch in batches] == [2, 2, 2, 2]
    for piece, played in running.on_device(pieces[2:4], "cpu"):
        assert played.tobytes() == piece.play().tobytes()


def test_what_is_finished_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    first = setting(2 * PIECE)
    running.run([first], tmp_path, progress=told.append)
    assert sum(told) == first.games
    store = Store(tmp_path)
    assert store.missing([first]) == []
    assert [piece.first for piece in store.missing([setting()])] == [2 * PIECE, 3 * PIECE]  # more games, the rest only
    monkeypatch.setattr(Piece, "play", lambda self, device="cpu": pytest.fail("played again"))
    monkeypatch.setattr(running, "in_threads", lambda pieces, threads: pytest.fail("played again") if pieces else [])
    running.run([first], tmp_path)


def test_another_study_does_not_mix_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running.run([setting(50)], tmp_path)
    store = Store(tmp_path)
    others = [
        setting(50, seed=2),
        setting(50, bots=("random", "guided")),
        Setting(GAME.new(2), ("random",), 50, 1),
        Setting(GAME.new(3, tide_start=7), ("random",), 50, 1),
    ]
    assert len(store.missing(others)) == len(others)
    assert store.missing([setting(50)]) == []
    monkeypatch.setattr(study, "sources", lambda game, is_compiled: "changed")
    assert len(store.missing([setting(50)])) == 1


def test_half_written_pieces_are_forgotten(tmp_path: Path) -> None:
    running.run([setting(50)], tmp_path)
    part = next(tmp_path.glob("pieces/*/*.npy")).with_suffix(".part")
    part.write_bytes(b"half")
    assert Store(tmp_path).missing([setting(50)]) == [] and not part.exists()


def test_a_worker_that_fails_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Piece, device: str = "cpu") -> None:
        if self.number:
            raise RuntimeError("out of paper")

    monkeypatch.setattr(Piece, "play", broken)
    with pytest.raises(RuntimeError, match="out of paper"):
        running.run([setting(50)], tmp_path)


# Stopped and resumed


GAMES = 100_000
ARGUMENTS = ["lab", "up_the_river", "--players", "2", "--games", str(GAMES), "--skill", "none", "--seed", "5"]
STOPPED = """
import os, signal, sys
from strandline.cli import main
from strandline.lab.study import Store

signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored by what was started in the background
keep, how, left = Store.keep, int(sys.argv[1]), 3

def keep_and_stop(self, piece, played):
    global left
    keep(self, piece, played)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), how)

Store.keep = keep_and_stop
sys.exit(main(sys.argv[2:]))
"""
"""The command, stopped by a signal when three more pieces are finished."""


def stopped(folder: Path, how: int, *more: str) -> tuple[int, str]:
    before = len(list(folder.glob("pieces/*/*.npy")))
    command = [sys.executable, "-c", STOPPED, str(int(how)), *ARGUMENTS, "--threads", "1", "--out", str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert len(list(folder.glob("pieces/*/*.npy"))) == before + 3
    return done.returncode, done.stderr


def test_a_stopped_study_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    """Killed like by a power cut, interrupted by a person, and then resumed."""
    folder = tmp_path / "stopped"
    code, _ = stopped(folder, signal.SIGKILL)
    assert code == -signal.SIGKILL
    code, err = stopped(folder, signal.SIGINT)
    assert code == 130
    assert "games are kept in" in err and err.endswith("continue with the same command.\n") and "Traceback" not in err
    made = plan.plan(GAME, [2], games=GAMES, seed=5, skill=())
    for place in (folder, tmp_path / "whole"):
        conduct.conduct(made, place, data=["csv", "parquet"])
    for name in FILES:
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_a_killed_study_takes_its_processes_with_it(tmp_path: Path) -> None:
    """They would hold its output open, and nobody would come to the end of it."""
    code, _ = stopped(tmp_path / "bots", signal.SIGKILL, "--bots", "1", "--games", "50")
    assert code == -signal.SIGKILL


def test_the_command_in_the_report_makes_the_same_study() -> None:
    made = plan.plan(
        GAME, [2, 4], {"round_limit": 50}, ("tide_start", [6, 7]), ["1", "random"], 10, 3, ["2", "random"], 4
    )
    assert conduct.command(made) == (
        "strandline lab up_the_river --players 2,4 --bots 1,random --games 10 --seed 3 --option round_limit=50 "
        "--compare tide_start=6,7 --skill 2,random --skill-games 4"
    )
    assert conduct.command(plan.plan(GAME, [2], skill=())).endswith("--skill none")


def test_settings_of_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strandline.Game, "has_guide", property(lambda game: game.facts.cooperative))
    made = plan.plan(GAME, [2, 3], compare=("tide_start", [6, 7]), games=10)
    assert [one.label for one in made.settings] == [
        "2 players, tide_start 6",
        "2 players, tide_start 7",
        "3 players, tide_start 6",
        "3 players, tide_start 7",
    ]
    assert made.pairs() == [(0, 1), (2, 3)]
    assert [one.bots for one in made.beside] == [("random",)] * 4
    assert plan.plan(GAME, bots=["random"]).beside == ()
    two, three = ("2", "random"), ("2", "random", "random")
    assert [one.bots for (one,) in made.skill] == [two, two, three, three]
    assert [one.label for one in plan.plan(GAME, [3], compare=("tide_start", [6, 7])).settings] == [
        "tide_start 6",
        "tide_start 7",
    ]
    dune = plan.plan(strandline.game("over_the_next_dune"), [1])
    assert [one.bots for one in dune.skill[0]] == [("guided",), ("random",)] and dune.settings[0].bots == ("guided",)
    assert plan.plan(GAME, bots=["random"]).settings[0].games == plan.MANY
    assert plan.plan(GAME).settings[0].games == plan.FEW and len(plan.plan(GAME).settings) == 3
