"""Gymnasium's own checks of every game, one seat at a time and thousands of games at once."""

import copy
import functools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import strandline
from env.sights import others
from strandline import Game
from strandline.env.gymnasium import Env, identifier, vector
from strandline.env.spaces import has_space, space
from strandline.env.vector import VectorEnv, sample


def legal(rng: np.random.Generator, masks: Any) -> Any:
    """A legal action of each game."""
    return (masks * rng.uniform(0.1, 1, masks.shape)).argmax(axis=-1)


def test_ids() -> None:
    assert identifier("up_the_river") == "strandline/UpTheRiver-v0"
    for name in strandline.games():
        assert (identifier(name) in gymnasium.registry) == has_space(strandline.game(name))


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
        legal_here = env.space.legal(env.position, env._batch.taken(0))
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(legal_here)
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
        assert info["action_mask"].tolist() == [1] + [0] * (env.space.actions - 1)


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


def test_there_is_no_game_before_the_reset_and_after_the_end(game: Game) -> None:
    env = Env(game)
    with pytest.raises(ResetNeeded, match="call reset before the next step"):
        env.step(0)
    env.reset(seed=1)
    env.step(-1)
    with pytest.raises(ResetNeeded, match="call reset before the next step"):
        env.step(0)


def test_scaled_observations(game: Game) -> None:
    whole, scaled = (vector(game.name, 4, opponents="self", scaled=choice) for choice in (False, True))
    rng = np.random.default_rng(1)
    (seen, infos), (floats, _) = (envs.reset(seed=1) for envs in (whole, scaled))
    for _ in range(40):
        assert floats.dtype == np.float32 and floats in scaled.observation_space
        assert np.allclose(floats / whole.space.scale, seen)
        actions = sample(infos, rng)
        seen, _, _, _, infos = whole.step(actions)
        floats = scaled.step(actions)[0]
    env = Env(game, scaled=True)
    assert env.reset(seed=1)[0] in env.observation_space


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
def test_autoreset_as_gymnasiums_own_vectors_do(mode: AutoresetMode) -> None:
    """Beside `SyncVectorEnv` over the same single games."""
    single = [functools.partial(Env, "up_the_river", round_limit=4) for _ in range(3)]
    theirs: Any = SyncVectorEnv(single, autoreset_mode=mode)
    ours: Any = vector("up_the_river", 3, autoreset_mode=mode, round_limit=4)
    assert ours.metadata["autoreset_mode"] is mode
    rng = np.random.default_rng(1)
    seen, infos = ours.reset(seed=5)
    assert (seen == theirs.reset(seed=5)[0]).all()
    ended = 0
    for _ in range(60):
        actions = sample(infos, rng)
        seen, rewards, over, _, infos = ours.step(actions)
        others, their_rewards, their_over, _, their_infos = theirs.step(actions)
        assert (seen == others).all() and (rewards == their_rewards).all() and (over == their_over).all()
        if over.any() and mode is AutoresetMode.SAME_STEP:
            assert (infos["_final_obs"] == their_infos["_final_obs"]).all()
            for i in np.flatnonzero(over):
                assert (infos["final_obs"][i] == their_infos["final_obs"][i]).all()
        elif over.any():
            _, infos = ours.reset(options={"reset_mask": over})
            theirs.reset(options={"reset_mask": over})
        ended += int(over.sum())
    assert ended > 5


def test_masks_can_be_left_out() -> None:
    envs = vector("over_the_next_dune", 2, masks=False)
    _, infos = envs.reset(seed=1)
    assert "action_mask" not in infos and infos["legal_actions"].shape[0] == 2


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
        ({"opponents": "nobody"}, "There is no bot 'nobody'. "),
        (
            {"autoreset_mode": "never"},
            "must be one of 'NextStep', 'SameStep', 'Disabled', not 'never'",
        ),
        ({"seat": 2}, "seat must be from 0 to 1, or None for any, not 2"),
        ({"threads": 0}, "threads must be a whole number from 1 on, not 0"),
        ({"render_mode": "human"}, "render_mode must be one of ansi, rgb_array, svg, not 'human'"),
        ({"players": 9}, "is for 2, 3 or 4 players, not 9"),
        ({"tides": 1}, "unexpected keyword argument 'tides': Up the River has no option 'tides'"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(strandline.BadOptions, match=sentence):
        vector("up_the_river", 2, **settings)


@pytest.mark.parametrize("name", [3, None, "up_the_rive"])
def test_what_is_no_game_is_refused(name: Any) -> None:
    for make in (Env, lambda name: vector(name, 2), space):
        with pytest.raises(strandline.UnknownGame, match="There is no game"):
            make(name)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    envs = VectorEnv("up_the_river", np.int64(2), threads=np.int8(1), seat=np.int64(1))  # type: ignore[arg-type]
    assert envs.reset(seed=1)[1]["seat"].tolist() == [1, 1]


@pytest.mark.parametrize("options", [{"reset_masks": np.ones(2, bool)}, 3])
def test_odd_options_of_a_reset_are_refused(options: Any) -> None:
    """A slip in `reset_mask` would begin all games anew."""
    with pytest.raises(strandline.BadOptions, match=r"A reset has one option, {'reset_mask': …}, not"):
        vector("up_the_river", 2).reset(options=options)


@pytest.mark.parametrize("action", [None, 1.0, np.nan, "1", True, 2**70, [[1], [2, 3]], {}])
def test_odd_actions_of_one_game_are_refused(action: Any) -> None:
    env = Env("up_the_river")
    env.reset(seed=1)
    with pytest.raises(strandline.BadOptions, match="Actions must be whole numbers from 0 to 11, not"):
        env.step(action)


def test_bad_actions_are_refused() -> None:
    envs = vector("up_the_river", 2)
    envs.reset(seed=1)
    with pytest.raises(strandline.BadOptions, match="an action for each of the 2 games"):
        envs.step(np.zeros(3, int))
    env = Env("up_the_river")
    env.reset(seed=1)
    with pytest.raises(strandline.BadOptions, match="There must be one action, not 2"):
        env.step([0, 1])


def test_guided_players_need_hints_on_how_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strandline.Game, "has_guide", False)
    with pytest.raises(strandline.BadOptions, match="has no hints on how to move"):
        vector("reef_route", 2, opponents="guided")


def test_seeds_of_numpy_are_seeds() -> None:
    envs = vector("up_the_river", 2)
    first, _ = envs.reset(seed=3)
    assert (envs.reset(seed=np.int64(3))[0] == first).all()  # type: ignore[arg-type]
    assert (envs.reset(seed=np.array([3, 4]))[0] == first).all()  # type: ignore[arg-type]
    assert (envs.reset(seed=np.array(3))[0] == first).all()  # type: ignore[arg-type]
    with pytest.raises(strandline.BadOptions, match=r"A seed must be a whole number .* not '3'"):
        envs.reset(seed="3")  # type: ignore[arg-type]


def test_every_seed_is_one_for_many_games() -> None:
    envs = vector("up_the_river", 2)
    last, _ = envs.reset(seed=2**63 - 1)
    assert (envs.reset(seed=[2**63 - 1, 0])[0] == last).all()
