"""Offline data: games between bots as a Minari dataset, seen by one seat. `strandline dataset GAME --bot 3`.

Each episode is a game of the Gymnasium environment in which the bot also plays the seat that learns, drawn anew for
each game. Infos hold the masks and, where the game is solved, the seat's exact value: its expected reward under perfect
play.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from minari import MinariDataset, create_dataset_from_buffers, list_local_datasets
from minari.data_collector.episode_buffer import EpisodeBuffer

from strandline.bots import bot, exact
from strandline.engine.draws import stream
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.vocabulary import Value
from strandline.env.arguments import checked_seed
from strandline.env.gymnasium import Env, identifier


def identity(game: Game, players: int, name: str, options: Mapping[str, Value]) -> str:
    """The id of a dataset, as `strandline/up_the_river/2-seats-bot-3-v0`, with options that are not the usual ones."""
    unusual = [f"{key}-{value}-" for key, value in options.items() if value != game.options[key].default]
    return f"strandline/{game.name}/{players}-seats-{''.join(unusual)}bot-{name}-v0"


def make(
    game: Game, name: str, episodes: int, players: int | None = None, seed: int = 0, **options: Value
) -> MinariDataset:
    """Play the games and keep them where Minari keeps its datasets."""
    if episodes < 1:
        raise BadOptions(f"--episodes must be 1 or more, not {episodes}.")
    checked_seed(seed)
    settings: dict[str, Any] = {"players": players, "opponents": name, "seat": None, **options}
    made: Any = gymnasium.make(identifier(game.name), **settings)
    env: Env = made.unwrapped
    known = identity(game, env.space.players, name, options)
    if known in list_local_datasets():
        raise BadOptions(f"There is a dataset {known} already. Remove it with minari.delete_dataset('{known}').")
    buffers = [episode(env, name, stream(seed, number)[0], number) for number in range(episodes)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Minari misses an author's address and a link to the code
        return create_dataset_from_buffers(
            known,
            buffers,
            env=made,
            algorithm_name=f"Strandline's bot {name}",
            description=f"{identifier(game.name)}, {env.space.players} seats, every seat played by the bot {name}.",
        )


def episode(env: Env, name: str, seed: int, number: int) -> EpisodeBuffer:
    """One game."""
    player = bot(name, env.space.game)
    observation, info = env.reset(seed=seed)
    seen, masks, values = [observation], [info["action_mask"]], [value(env)]
    actions: list[int] = []
    rewards: list[float] = []
    over = False
    while not over:
        seat = info["seat"]
        move = player.choose(env.position.view(seat), seat, stream(seed, len(actions))[1])
        for action in env.space.path(env.space.game.code(move)):
            observation, reward, over, _, info = env.step(action)
            actions.append(action)
            rewards.append(reward)
            seen.append(observation)
            masks.append(info["action_mask"])
            values.append(rewards[-1] if over else value(env))
    infos: dict[str, Any] = {"action_mask": np.array(masks), "seat": np.full(len(seen), info["seat"])}
    if None not in values:
        infos["exact_value"] = np.array(values)
    ends = [False] * (len(actions) - 1) + [True]
    return EpisodeBuffer(
        id=number,
        seed=seed,
        observations=seen,
        actions=actions,
        rewards=rewards,
        terminations=ends,
        truncations=[False] * len(actions),
        infos=infos,
    )


def value(env: Env) -> float | None:
    """The expected reward of the seat that decides, under perfect play; None where the game is not solved."""
    position = env.position
    solver = exact.solver(position.game)
    if solver is None or not solver.solves(position):
        return None
    assert isinstance(position.turn, int)
    return exact.lead(exact.shares(solver, position), position.turn)
