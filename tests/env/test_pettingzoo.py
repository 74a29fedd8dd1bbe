"""PettingZoo's own checks of every game, warnings being errors, and what they do not look at."""

import copy
import functools
import pickle
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import strandline
from env.sights import others, seen
from strandline import Game
from strandline.env.pettingzoo import env, parallel_env, raw_env

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its tests import a game of its own in an old way
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test


def settings(game: Game) -> list[dict[str, Any]]:
    """Every number of players, and options that are not the usual ones."""
    return [{"players": players} for players in game.seats] + [others(game)]


def maker(game: Game, setting: dict[str, Any]) -> Any:
    return functools.partial(env, game.name, **setting)


def play(agents: Any, rng: np.random.Generator, steps: int = 10**6) -> None:
    """Play legal actions."""
    for _ in range(steps):
        _, _, over, cut, info = agents.last()
        if over or cut:
            return
        agents.step(rng.choice(np.flatnonzero(info["action_mask"])))


def test_api(game: Game) -> None:
    for setting in settings(game):
        api_test(maker(game, setting)(), num_cycles=60)


def test_seed(game: Game) -> None:
    for setting in settings(game):
        seed_test(maker(game, setting), num_cycles=30)


def test_render(game: Game) -> None:
    render_test(maker(game, {}), {"svg": lambda picture: picture.startswith("<svg")})


def test_max_cycles(game: Game) -> None:
    for setting in settings(game):
        cycles = SimpleNamespace(
            parallel_env=functools.partial(parallel_env, game.name, **setting), env=maker(game, setting)
        )
        max_cycles_test(cycles)


def test_parallel(game: Game) -> None:
    for setting in settings(game):
        parallel_api_test(parallel_env(game.name, **setting), num_cycles=30)
        parallel_seed_test(functools.partial(parallel_env, game.name, **setting), num_cycles=30)


def test_a_game_to_its_end(game: Game) -> None:
    """Everybody sees what the seat may see, and what is legal; the rewards come with the end, to all."""
    rng = np.random.default_rng(1)
    for setting in settings(game):
        agents = raw_env(game, **setting)
        agents.reset(seed=2)
        total = dict.fromkeys(agents.agents, 0.0)
        for _ in range(5000):
            position = agents.position
            if position.turn is None:
                break
            assert agents.agent_selection == f"player_{position.turn}"
            mask = agents.infos[agents.agent_selection]["action_mask"]
            taken = agents._batch.taken(0)
            assert np.flatnonzero(mask).tolist() == sorted(agents.space.legal(position, taken))
            for seat, agent in enumerate(agents.agents):
                own = taken if seat == position.turn else ()
                assert (agents.observe(agent) == seen(position, seat, own)).all()
                assert seat == position.turn or not agents.infos[agent]["action_mask"].any()
            agents.step(rng.choice(np.flatnonzero(mask)))
            for agent, reward in agents.rewards.items():
                total[agent] += reward
        winners = agents.position.winners()
        if winners:
            assert [seat for seat in range(len(total)) if total[f"player_{seat}"] == max(total.values())] == winners
        assert all(agents.terminations.values())


def test_the_same_seed_is_the_same_game(game: Game) -> None:
    records = []
    for _ in range(2):
        agents = raw_env(game)
        agents.reset(seed=3)
        play(agents, np.random.default_rng(4), 40)
        records.append(agents.position)
        agents.reset()
        play(agents, np.random.default_rng(5), 40)
        records.append(agents.position)
    assert records[:2] == records[2:]


def test_copies_and_pickles_go_on_alike(game: Game) -> None:
    agents = env(game.name)
    agents.reset(seed=6)
    play(agents, np.random.default_rng(7), 10)
    others = [copy.deepcopy(agents), pickle.loads(pickle.dumps(agents))]
    for other in (agents, *others):
        play(other, np.random.default_rng(8), 20)
        assert other.unwrapped.position == agents.unwrapped.position


def test_an_illegal_action_loses(game: Game) -> None:
    for make in (env, raw_env):
        agents: Any = make(game.name, max(game.seats))
        agents.reset(seed=9)
        who = agents.agent_selection
        agents.step(int(agents.infos[who]["action_mask"].argmin()))
        assert agents.terminations[who]
        assert agents._cumulative_rewards[who] == -1 and sum(agents._cumulative_rewards.values()) == -1


def test_masks_in_observations(game: Game) -> None:
    agents = env(game.name, masks="observation")
    agents.reset(seed=10)
    observation, _, _, _, info = agents.last()
    assert observation in agents.observation_space(agents.agent_selection) and info == {}
    assert observation["action_mask"].sum() == len(agents.unwrapped.position.moves())


def test_pictures_of_sand_castles_show_no_secrets() -> None:
    """A tile that one seat has looked at is not in the picture for everybody."""
    agents = raw_env("sand_castles", 3, render_mode="svg")
    agents.reset(seed=11)
    agents.step(agents.space.texts.index("look"))
    assert agents.render() == agents.position.svg(None) != agents.position.svg(0)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"render_mode": "loud"}, "render_mode must be one of human, ansi, rgb_array, svg, not 'loud'"),
        ({"masks": "hat"}, "masks must be 'info' or 'observation', not 'hat'"),
        ({"masks": "hat", "max_cycles": 5}, "masks must be 'info' or 'observation', not 'hat'"),
        ({"max_cycles": 0}, "max_cycles must be a whole number from 1 on, or None, not 0"),
    ],
)
def test_bad_settings_are_refused(setting: dict[str, Any], sentence: str) -> None:
    with pytest.raises(strandline.BadOptions, match=sentence):
        env("up_the_river", **setting)


def test_seats_that_do_not_decide_have_a_mask_to_choose_from(game: Game) -> None:
    """Action 0 alone, so that a masked distribution exists for every seat in every cycle."""
    rng = np.random.default_rng(12)
    for masks in ("info", "observation"):
        agents = parallel_env(game, max(game.seats), max_cycles=40, masks=masks)
        observed, infos = agents.reset(seed=13)
        while agents.agents:
            found = {
                agent: (infos if masks == "info" else observed)[agent]["action_mask"]
                for agent in agents.possible_agents
            }
            for seat, (agent, mask) in enumerate(found.items()):
                assert mask.any()
                assert seat == agents.position.turn or np.flatnonzero(mask).tolist() == [0]
                assert observed[agent] in agents.observation_space(agent)
            actions = {agent: rng.choice(np.flatnonzero(mask)) for agent, mask in found.items()}
            observed, rewards, _, _, infos = agents.step(actions)
            assert -1 not in rewards.values() or not agents.agents


def test_masks_in_observations_also_in_cycles() -> None:
    agents = env("up_the_river", masks="observation", max_cycles=5)
    agents.reset(seed=1)
    observation, *_ = agents.last()
    assert observation in agents.observation_space(agents.agent_selection) and observation["action_mask"].any()


def test_scaled_observations() -> None:
    for agents in (env("undertow", scaled=True), env("undertow", scaled=True, max_cycles=5)):
        agents.reset(seed=1)
        observation, *_ = agents.last()
        assert observation.dtype == np.float32 and observation in agents.observation_space(agents.agent_selection)


@pytest.mark.parametrize("action", [None, 0.5, np.nan, "1", True, 2**70, [[1], [2, 3]], {}])
def test_odd_actions_are_refused_everywhere(action: Any) -> None:
    """Agent by agent, in cycles, also by a seat that does not decide, and all at once."""
    for make in (env, raw_env, functools.partial(env, max_cycles=5)):
        agents: Any = make("up_the_river")
        agents.reset(seed=1)
        with pytest.raises(strandline.BadOptions, match="Actions must be whole numbers from 0 to 11, not"):
            agents.step(action)
    agents.step(0)
    with pytest.raises(strandline.BadOptions, match="Actions must be whole numbers from 0 to 11, not"):
        agents.step(action)
    at_once = parallel_env("up_the_river")
    at_once.reset(seed=1)
    with pytest.raises(strandline.BadOptions, match="Actions must be whole numbers from 0 to 11, not"):
        at_once.step({"player_0": action, "player_1": 0})


@pytest.mark.parametrize("action", [-1, 12])
def test_numbers_beyond_the_actions_are_illegal(action: int) -> None:
    agents = env("up_the_river")
    agents.reset(seed=1)
    agents.step(action)
    assert agents.terminations["player_0"] and agents.last()[1] == -1


def test_odd_actions_are_refused() -> None:
    agents = parallel_env("up_the_river")
    agents.reset(seed=1)
    for odd in (None, 3, [0, 0]):
        with pytest.raises(strandline.BadOptions, match="Actions must be a dictionary with one for each agent, not"):
            agents.step(odd)  # type: ignore[arg-type]
    with pytest.raises(strandline.BadOptions, match="There must be one action, not 2"):
        agents.step({agent: [0, 1] for agent in agents.agents})
    with pytest.raises(strandline.BadOptions, match="There is no action of player_0, who decides"):
        agents.step({"player_1": 0})


def test_there_is_no_game_before_the_reset_and_after_the_end() -> None:
    agents = parallel_env("up_the_river", max_cycles=1)
    for actions in ({"player_0": 0, "player_1": 0}, {}):
        with pytest.raises(ResetNeeded, match="call reset before the next step"):
            agents.step(actions)
    agents.reset(seed=1)
    agents.step({"player_0": 0, "player_1": 0})
    for actions in ({"player_0": 0, "player_1": 0}, {}):
        with pytest.raises(ResetNeeded, match="call reset before the next step"):
            agents.step(actions)
    turns = raw_env("up_the_river")
    with pytest.raises(ResetNeeded, match="call reset before the next step"):
        turns.step(0)
    turns.reset(seed=1)
    for action in (-1, None, None):  # lost; then each agent takes note
        turns.step(action)
    with pytest.raises(ResetNeeded, match="call reset before the next step"):
        turns.step(None)
