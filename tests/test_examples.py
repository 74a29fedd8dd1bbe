"""The examples run, at small size; what is learned in one is played in the others."""

import asyncio
import dataclasses
import functools
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import alphazero_step
import httpx
import numpy as np
import openspiel_exploitability
import openspiel_mcts_cfr
import pytest
import self_play_ppo
import torchrl_rollout
import train_up_the_river
from policy_bot import PolicyBot
from sb3_contrib import MaskablePPO
from torchrl.envs.libs.gym import GymEnv

import strandline
from server.helpers import Player, Running, get, make, token_of
from strandline.bots import bot, names
from strandline.engine import speeds
from strandline.env import space
from strandline.server import lobby
from strandline.server import thinkers as seats
from strandline.server.store import Store
from strandline.table import levels

EXAMPLES = Path(__file__).parents[1] / "examples"
RIVER = strandline.game("up_the_river")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy that has learned for a moment."""
    file = tmp_path_factory.mktemp("policy") / "policy.npz"
    train_up_the_river.main(["--steps", "2048", "--desks", "16", "--games", "64", "--out", str(file)])
    return file


@pytest.fixture
def installed(tmp_path: Path, policy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example package as an installer leaves it, found in a folder that is returned; its bot plays the policy."""
    project = tomllib.loads((EXAMPLES / "policy_bot" / "pyproject.toml").read_text())["project"]
    info = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("".join(points))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("STRANDLINE_POLICY", str(policy))
    yield tmp_path


@pytest.mark.parametrize(
    "script",
    [
        "train_up_the_river.py",
        "self_play_ppo.py",
        "torchrl_rollout.py",
        "openspiel_mcts_cfr.py",
        "alphazero_step.py",
        "openspiel_exploitability.py",
    ],
)
def test_scripts_say_what_they_do(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / script, "--help"], capture_output=True, text=True, check=True
    )
    assert done.stderr == "" and f"python examples/{script}" in done.stdout


def test_training_saves_a_policy(policy: Path) -> None:
    arrays = np.load(policy)
    seen = space(RIVER, 2)
    assert arrays["weights_0"].shape[0] == seen.size and arrays["biases_2"].shape == (seen.actions,)


@pytest.mark.slow
def test_training_beats_random(tmp_path: Path) -> None:
    low = train_up_the_river.main(["--target", "0.6", "--steps", "600000", "--out", str(tmp_path / "policy.npz")])
    assert low >= 0.6


def test_the_bot_plays_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy and PyTorch choose the same moves."""
    desks = train_up_the_river.desks_of(40, seed=3)
    model = MaskablePPO("MlpPolicy", desks, n_steps=8, policy_kwargs={"net_arch": [16, 16]}, device="cpu", seed=3)
    train_up_the_river.save(model, tmp_path / "policy.npz")
    monkeypatch.setenv("STRANDLINE_POLICY", str(tmp_path / "policy.npz"))
    player = PolicyBot(RIVER)
    seen = desks.reset()
    for _ in range(6):
        actions, _ = model.predict(seen, action_masks=desks.masks, deterministic=True)
        for i, action in enumerate(actions):
            position = desks.inner.position(i)
            assert isinstance(position.turn, int)
            assert player.choose(position.view(position.turn), position.turn) == player.space.texts[action]
        seen = desks.step(actions)[0]
    desks.close()


def test_the_bot_is_found_by_its_name(installed: Path) -> None:
    assert "policy" in names()
    position = RIVER.new().play("roll 3")
    assert bot("policy", RIVER).choose(position, 0) in position.moves()


def test_the_bot_says_what_it_cannot_do(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(strandline.BadOptions, match="plays up_the_river, not reef_route"):
        bot("policy", strandline.game("reef_route"))
    with pytest.raises(strandline.BadOptions, match="with 2 seats, not with 3"):
        bot("policy", RIVER).choose(RIVER.new(3).play("roll 3"), 0)
    monkeypatch.setenv("STRANDLINE_POLICY", str(installed / "missing.npz"))
    with pytest.raises(strandline.BadOptions, match=r"missing.npz cannot be read \(No such file"):
        bot("policy", RIVER)
    monkeypatch.setenv("STRANDLINE_POLICY", __file__)
    with pytest.raises(strandline.BadOptions, match=r"test_examples.py cannot be read \(it holds no arrays\)"):
        bot("policy", RIVER)


def test_the_bot_plays_in_tournaments(installed: Path) -> None:
    path = os.pathsep.join([str(installed), str(EXAMPLES / "policy_bot")])
    command = [sys.executable, "-m", "strandline", "tournament", "up_the_river", "--bots", "policy,random"]
    done = subprocess.run(
        [*command, "--games", "6", "--json"], env=os.environ | {"PYTHONPATH": path}, capture_output=True, check=True
    )
    result = json.loads(done.stdout)
    assert result["bots"] == ["policy", "random"] and result["games"] == 6


def test_the_bot_sits_at_a_table(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby offers it, a person plays against it, and its moves are those of the policy."""
    for module, name in ((levels, "levels"), (lobby, "games")):  # what this process has found so far
        monkeypatch.setattr(module, name, functools.cache(getattr(module, name).__wrapped__))
    store = Store(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    server = Running(store)
    try:
        offered = {level["name"]: level["description"] for level in get(server.host, "/api/games")["levels"]}
        assert offered["policy"] == "Installed on this server."
        made = make(server.host, "up_the_river", ["here", "bot:policy"])
        with Player(server.host, made["id"], token_of(made["page"])) as person:
            while person.until(lambda state: state["turn"] in (0, "over"))["turn"] == 0:
                assert person.move()["type"] == "state"
        record = httpx.get(f"http://{server.host}/api/tables/{made['id']}/record").json()
    finally:
        server.stop()
        store.close()
    check_moves(record)


def check_moves(record: dict[str, Any]) -> None:
    """The bot made moves in the record, all of them those that the policy makes."""
    player, position, made = PolicyBot(RIVER), RIVER.new(2), 0
    for by, move in zip(record["by"], record["moves"], strict=True):
        if by == 1 and len(position.moves()) > 1:
            assert move == player.choose(position, 1)
            made += 1
        position = position.play(move)
    assert made > 0


def test_a_table_is_told_what_the_bot_cannot_do(installed: Path) -> None:
    async def choose() -> str:
        thinkers = seats.Thinkers(1)
        try:
            return await thinkers.choose(strandline.game("reef_route").new(), 0, "policy")
        finally:
            thinkers.close()

    with pytest.raises(levels.Failed, match="plays up_the_river, not reef_route"):
        asyncio.run(choose())


def test_mcts_runs() -> None:
    share, games = openspiel_mcts_cfr.search("strandline_up_the_river", 4, 10, seed=1)
    assert games == 4 and 0 <= share <= 4


def test_cfr_comes_nearer_to_equilibrium() -> None:
    first, second = (far for _, far in openspiel_mcts_cfr.solve(2, [1, 2]))
    assert first > 2 * second > 0


def test_exploitability_of_bots() -> None:
    """The last decisions of a variant: a bot's choices are found again in the tree, and CFR+ leaves less to gain."""
    whole = openspiel_exploitability.VARIANTS["castles"]
    end = dataclasses.replace(whole, begun=whole.begun + 2)
    here = openspiel_exploitability.start(end)
    game = openspiel_mcts_cfr.tree(here)
    for state, place in openspiel_exploitability.pairs(here, game.new_initial_state()):
        assert state.current_player() == place.current_player()
        names = [
            (state.action_to_string(a), place.action_to_string(b))
            for a, b in openspiel_exploitability.same_actions(state, place)
        ]
        assert all(own == other for own, other in names)
    found = dict(openspiel_exploitability.rows(end, ["guided"], 20))
    assert list(found) == ["random", "guided", "CFR+, 20 iterations"]
    assert found["random"] > 1 and 0 <= found["CFR+, 20 iterations"] < 0.05


def test_mccfr_runs_on_the_game_itself() -> None:
    """One round: nothing that a seat decides matters yet, so any policy is an equilibrium."""
    ((iterations, far),) = openspiel_mcts_cfr.sample(1, [2], seed=1)
    assert iterations == 2 and far == pytest.approx(0.0)


def test_self_play_learns_a_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some steps, and the learning curve has a point for each judgement; what was learned is saved for the bot."""
    file = tmp_path / "policy.npz"
    curve = self_play_ppo.main(
        ["--steps", "8192", "--desks", "128", "--games", "40", "--judge", "random,guided", "--out", str(file)]
    )
    assert [steps for steps, _ in curve] == [0, 4096, 8192]
    assert all(0 <= share <= 1 for _, shares in curve for share in shares.values())
    monkeypatch.setenv("STRANDLINE_POLICY", str(file))
    position = RIVER.new().play("roll 3")
    assert PolicyBot(RIVER).choose(position, 0) in position.moves()


def test_torchrl_collects_a_rollout() -> None:
    found = torchrl_rollout.main(["--desks", "4", "--steps", "20"])
    assert found.batch_size == (4, 20)


def test_torchrl_makes_a_game_by_its_id() -> None:
    """It tries a `frameskip` first, which is refused as it expects."""
    env = GymEnv("strandline/UpTheRiver-v0", categorical_action_encoding=True, scaled=True)
    assert env.reset()["observation"].shape == (space(RIVER, 2).size,)


def test_alphazeros_step_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """By ordinary Python, so that nothing is compiled: it searches, learns, and searches as it has learned."""
    monkeypatch.setattr(speeds, "Native", speeds.Interpreted)
    sizes = {"steps": 1, "decisions": 20, "simulations": 2, "desks": 2, "games": 1}
    curve = alphazero_step.main([text for name, size in sizes.items() for text in (f"--{name}", str(size))])
    assert len(curve) == 2 and all(0 <= regret <= 3 for point in curve for regret in point)


@pytest.mark.slow
def test_alphazeros_step_learns() -> None:
    curve = alphazero_step.main(["--steps", "3"])
    assert curve[-1][1] < curve[0][1] / 2
