"""The vector environment as Stable-Baselines3 wants it."""

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

import strandline
from strandline.env.gymnasium import vector
from strandline.env.sb3 import VecGames


def test_games_are_those_of_the_vector_environment() -> None:
    games = VecGames("up_the_river", 4, round_limit=5)
    envs = vector("up_the_river", 4, round_limit=5, scaled=True, autoreset_mode="SameStep")
    games.seed(7)
    seen, (expected, _) = games.reset(), envs.reset(seed=7)
    ended = 0
    for _ in range(40):
        assert (seen == expected).all() and seen.dtype == np.float32
        actions = games.action_masks().argmax(axis=1)
        assert all((a == b).all() for a, b in zip(games.env_method("action_masks"), games.masks, strict=True))
        seen, rewards, over, told = games.step(actions)
        expected, their_rewards, their_over, _, infos = envs.step(actions)
        assert (rewards == their_rewards).all() and (over == their_over).all()
        for i in np.flatnonzero(over):
            assert (told[i]["terminal_observation"] == infos["final_obs"][i]).all()
            assert told[i]["episode"]["r"] == rewards[i] and told[i]["episode"]["l"] > 0
        ended += int(over.sum())
    assert ended > 4
    games.close()


@pytest.mark.parametrize("opponents", ["random", 1])
def test_maskable_ppo_learns_through_it(opponents: Any) -> None:
    games = VecMonitor(VecGames("up_the_river", 8, opponents=opponents, seat=None))
    model = MaskablePPO("MlpPolicy", games, n_steps=16, batch_size=64, n_epochs=1, device="cpu", seed=1)
    model.learn(256)
    assert model.num_timesteps >= 256
    games.close()


def test_self_play_is_refused() -> None:
    with pytest.raises(strandline.BadOptions, match="learns for one seat"):
        VecGames("up_the_river", 2, opponents="self")


@pytest.mark.parametrize("setting", [{"masks": False}, {"autoreset_mode": "NextStep"}, {"copy": False}])
def test_what_it_must_have_cannot_be_set(setting: dict[str, Any]) -> None:
    with pytest.raises(strandline.BadOptions, match=r"leaves no choice of (masks|autoreset_mode|copy)"):
        VecGames("up_the_river", 2, **setting)


@pytest.mark.parametrize("seed", ["7", -1, 1.5])
def test_odd_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(strandline.BadOptions, match="A seed must be a whole number"):
        VecGames("up_the_river", 2).seed(seed)


def test_what_cannot_be_asked_is_said() -> None:
    games = VecGames("up_the_river", 2)
    assert games.reset().shape == (2, games.inner.space.size)
    assert games.has_attr("action_masks") and not games.has_attr("board")
    for wrong in (lambda: games.env_method("fly"), lambda: games.get_attr("board"), lambda: games.set_attr("a", 1)):
        with pytest.raises(AttributeError, match="The games have no"):
            wrong()
