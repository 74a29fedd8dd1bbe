"""The benchmark's tasks are fixed, its numbers follow from seeds, and perfect play regrets nothing."""

import json
import sys
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest

import strandline
from strandline.cli import main
from strandline.env import benchmark
from strandline.env.benchmark import Task, chosen, score, tasks
from strandline.env.gymnasium import Env
from strandline.env.spaces import has_space

RIVER = "up_the_river-2-random"


class First:
    """A model that is given views alone and makes the first move."""

    def __init__(self, game: strandline.Game) -> None:
        self.game = game

    def choose(self, position: Any, seat: int, seed: int = 0) -> str:
        assert isinstance(position, dict)
        return self.game.position(position).moves()[0]


def test_tasks_are_those_of_every_game() -> None:
    found = {task.name for task in tasks()}
    assert {RIVER, "up_the_river-4-5", "over_the_next_dune-1", "sand_castles-4-1"} <= found
    assert {task.game for task in tasks()} == {name for name in strandline.games() if has_space(strandline.game(name))}
    assert [task.name for task in chosen(["up_the_river-2"])] == [
        f"up_the_river-2-{who}" for who in benchmark.OPPONENTS
    ]
    with pytest.raises(strandline.BadOptions, match="There is no task 'chess-2'"):
        chosen(["chess-2"])


def test_perfect_play_regrets_nothing_and_random_play_much() -> None:
    task = Task("up_the_river", 2, "random")
    perfect, anyhow = (score(task, name, 20, threads=2) for name in ("5", "random"))
    assert perfect.regret == pytest.approx(0, abs=1e-9) and perfect.share > anyhow.share
    assert anyhow.regret is not None and anyhow.regret > 0.2
    assert anyhow == score(task, "random", 20, threads=1)


def test_alone_the_share_is_that_of_squads_home() -> None:
    found = score(Task("over_the_next_dune", 1, None), "random", 3)
    assert found.regret is None and found.share <= found.high <= 1


def test_a_model_of_ones_own(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strandline.bots.levels.First", First, raising=False)
    assert main(["benchmark", "strandline.bots.levels:First", "--task", RIVER, "--games", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["benchmark"] == benchmark.VERSION
    assert [(one["task"], one["games"]) for one in told["scores"]] == [(RIVER, 4)]
    assert main(["benchmark", "nowhere:Nobody", "--task", RIVER]) == 2
    assert "There is no model 'nowhere:Nobody'" in capsys.readouterr().err
    assert main(["benchmark", "random", "--task", RIVER, "--games", "2"]) == 0
    assert f"| {RIVER} | 2 |" in capsys.readouterr().out


class Odd(First):
    """A model whose moves there are not."""

    move: Any = "fly"

    def choose(self, position: Any, seat: int, seed: int = 0) -> Any:
        return self.move


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("randum", "There is no bot 'randum'. Did you mean random? Or name MODULE:FUNCTION."),
        (":First", "There is no model ':First': Empty module name."),
        ("strandline:__version__", "strandline:__version__ is '"),
        ("builtins:str", "builtins:str makes '<Game "),
        (
            "strandline.bots.levels:Odd",
            "The model cannot go on in Up the River: 'fly' is not legal here. Legal: sail 1",
        ),
    ],
)
def test_what_is_no_model_is_refused(
    name: str, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strandline.bots.levels.Odd", Odd, raising=False)
    assert main(["benchmark", name, "--task", RIVER, "--games", "2"]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("number", ["--games", "--threads"])
def test_odd_numbers_are_refused(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "random", "--task", RIVER, number, "-1"]) == 2
    assert f"{number} must be a whole number from 1 on, not -1." in capsys.readouterr().err


def test_a_model_that_does_not_play_all_games_is_refused_before_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "6", "--task", "sand_castles-2-random", "--task", RIVER, "--games", "1"]) == 2
    told = capsys.readouterr()
    assert "There is no bot '6'." in told.err and not told.out


def test_what_is_missing_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The default installation has no NumPy."""
    monkeypatch.delattr("strandline.env.benchmark")
    monkeypatch.setitem(sys.modules, "strandline.env.benchmark", None)
    assert main(["benchmark", "random"]) == 2
    assert "benchmark needs the extra 'native'" in capsys.readouterr().err


def test_a_model_may_lie_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lone_model.py").write_text("from strandline.bots.registry import RandomBot as make\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", sys.path[:])
    assert main(["benchmark", "lone_model:make", "--task", RIVER, "--games", "2"]) == 0
    assert f"| {RIVER} | 2 |" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "players", "solved"), [("up_the_river", "2", True), ("sand_castles", "3", False)])
def test_a_dataset(
    name: str, players: str, solved: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Every action is legal, the last value is the reward, and spaces are those of the environment."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    assert main(["dataset", name, "--bot", "random", "--episodes", "3", "--players", players]) == 0
    assert f"strandline/{name}/{players}-seats-bot-random-v0: 3 episodes" in capsys.readouterr().out
    found = minari.load_dataset(f"strandline/{name}/{players}-seats-bot-random-v0")
    for episode in found.iterate_episodes():
        assert len(episode.observations) == len(episode.actions) + 1 and episode.terminations[-1]
        masks = episode.infos["action_mask"][:-1]
        assert masks[np.arange(len(masks)), episode.actions].all()
        assert ("exact_value" in episode.infos) == solved
        if solved:
            assert episode.infos["exact_value"][-1] == episode.rewards[-1]
            assert (np.abs(episode.infos["exact_value"]) <= 1).all()
    env = found.recover_environment()
    assert found.observation_space == env.observation_space and found.action_space == env.action_space
    assert isinstance(env.unwrapped, Env) and env.unwrapped.space.players == int(players)


def test_a_dataset_is_not_made_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Other options are another dataset."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    command = ["dataset", "up_the_river", "--bot", "random", "--episodes", "1"]
    assert main(command) == 0 and main(command) == 2
    assert "There is a dataset strandline/up_the_river/2-seats-bot-random-v0 already." in capsys.readouterr().err
    assert main([*command, "--option", "round_limit=5"]) == 0
    assert "strandline/up_the_river/2-seats-round_limit-5-bot-random-v0: 1 episode, " in capsys.readouterr().out
    assert main([*command, "--seed", "-1"]) == 2
    assert "A seed must be a whole number" in capsys.readouterr().err
