"""Gymnasium's own checks of every game, one seat at a time and thousands of games at once."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import strandline
from env.sights import others
from strandline import Game
from strandline.env.gymnasium import Env, identifier, vector
from strandline.env.vector import VectorEnv


def legal(rng: np.random.Generator, masks: Any) -> Any:
    """A legal action of each game."""
    return (masks * rng.uniform(0.1, 1, masks.shape)).argmax(axis=-1)


def test_ids() -> None:
    assert identifier("up_the_river") == "strandline/UpTheRiver-v0"
    for name in strandline.games():
        assert identifier(name) in gymnasium.registry


@pytest.mark.parametrize("other", [False, True], ids=["usual", "other"])
def test_gymnasiums_checks(game: Game, other: bool) -> None:
    env = gymnasium.make(identifier(game.name), **(others(game) | {"seat": None} if other else {}))
    check_env(env.unwrapped, skip_render_check=other)


@pytest.mark.parametrize("opponents", ["random", pytest.param("1", marks=pytest.mark.slow)])
def test_a_game_to_its_end(game: Game, opponents: str) -> None:
    env = Env(game.name, max(game.seats), opponents=opponents, seat=None)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=2)
    over = False
    while not over:
        assert info["seat"] == env.position.turn
        assert (info["action_mask"] == env.action_masks()).all()
        moves = [text for text, allowed in zip(env.space.texts, info["action_mask"], strict=True) if allowed]
        assert sorted(moves) == sorted(env.position.moves())
        _, reward, over, truncated, info = env.step(legal(rng, info["action_mask"]))
        assert not truncated and (over or reward == 0)
    assert env.position.turn is None and -1 <= reward <= 1


def test_an_illegal_action_loses(game: Game) -> None:
    env = Env(game)
    _, info = env.reset(seed=1)
    for action in (int(info["action_mask"].argmin()), -1, env.space.actions):
        env.reset(seed=1)
        _, reward, over, truncated, info = env.step(action)
        assert (reward, over, truncated) == (-1.0, True, False)
        assert info["action_mask"].all()


def test_copies_and_pickles_go_on_alike(game: Game) -> None:
    rng = np.random.default_rng(3)
    env = Env(game, seat=None)
    _, info = env.reset(seed=4)
    env.step(legal(rng, info["action_mask"]))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    action = legal(rng, env.action_masks())
    expected = env.step(action)
    assert all(data_equivalence(expected, other.step(action), exact=True) for other in others)


def test_one_game_is_a_vector_of_one(game: Game) -> None:
    rng = np.random.default_rng(5)
    env, envs = Env(game, seat=None), vector(game.name, 1, seat=None)
    seen, info = env.reset(seed=6)
    many, infos = envs.reset(seed=6)
    for _ in range(80):
        assert (seen == many[0]).all() and (info["action_mask"] == infos["action_mask"][0]).all()
        assert info["seat"] == infos["seat"][0]
        action = legal(rng, info["action_mask"])
        seen, reward, over, _, info = env.step(action)
        many, rewards, overs, _, infos = envs.step(np.array([action]))
        assert (reward, over) == (rewards[0], overs[0])
        if over:
            seen, info = env.reset()
            many, rewards, overs, _, infos = envs.step(np.array([0]))
            assert rewards[0] == 0 and not overs[0]


@pytest.mark.parametrize("opponents", ["random", "self"])
def test_a_vector(game: Game, opponents: str) -> None:
    """Made by Gymnasium, within its own wrappers: shapes, types, bounds, rewards, and an end for every game."""
    envs: Any = gymnasium.make_vec(identifier(game.name), num_envs=5, opponents=opponents, **others(game))
    assert isinstance(envs, VectorEnv) and envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    envs = DictInfoToList(RecordEpisodeStatistics(envs))
    rng = np.random.default_rng(7)
    seen, infos = envs.reset(seed=8)
    ended = np.zeros(5, int)
    for _ in range(300):
        assert seen in envs.observation_space
        actions = legal(rng, np.array([info["action_mask"] for info in infos]))
        assert actions in envs.action_space
        seats = [info["seat"] for info in infos]
        seen, rewards, over, truncated, infos = envs.step(actions)
        assert rewards.tolist() == [info["rewards"][seat] for info, seat in zip(infos, seats, strict=True)]
        assert rewards.dtype == np.float64 and over.dtype == truncated.dtype == bool
        assert not rewards[~over].any() and not truncated.any()
        ended += over
    assert ended.all() or game.name == "undertow"
    envs.close()


def test_seeds_of_a_vector(game: Game) -> None:
    envs = vector(game.name, 3, opponents="self")
    first, _ = envs.reset(seed=11)
    by_list, _ = envs.reset(seed=[11, 12, 13])
    assert (first == by_list).all()
    later, _ = envs.reset()
    again, _ = envs.reset(seed=11)
    assert (first == again).all()
    assert (later == envs.reset()[0]).all()
    with pytest.raises(strandline.BadOptions, match="a seed for each of the 3 games, not 2"):
        envs.reset(seed=[1, 2])


def test_arrays_are_the_callers_own_unless_asked_otherwise() -> None:
    for copied in (True, False):
        envs = vector("up_the_river", 2, copy=copied)
        seen, infos = envs.reset(seed=1)
        before = seen.copy()
        envs.step(infos["action_mask"].argmax(axis=1))
        assert (seen == before).all() == copied
        assert seen.flags.writeable == copied


def test_boards_of_a_vector() -> None:
    envs = vector("up_the_river", 2, render_mode="svg")
    envs.reset(seed=1)
    assert [picture[:4] for picture in envs.render() or ()] == ["<svg", "<svg"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"opponents": "nobody"}, "opponents must be 'random' or 'self', not \"nobody\""),
        ({"seat": 2}, "seat must be from 0 to 1, or None for any, not 2"),
        ({"threads": 0}, "threads must be a whole number from 1 on, not 0"),
        ({"render_mode": "human"}, "render_mode must be one of ansi, rgb_array, svg"),
        ({"players": 9}, "is for 2, 3 or 4 players, not 9"),
        ({"tides": 1}, "has no option 'tides'"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(strandline.BadOptions, match=sentence):
        vector("up_the_river", 2, **settings)


def test_bad_actions_are_refused() -> None:
    envs = vector("up_the_river", 2)
    envs.reset(seed=1)
    with pytest.raises(strandline.BadOptions, match="an action for each of the 2 games"):
        envs.step(np.zeros(3, int))
