"""Steps a second of the vector environments, beside PettingZoo's tic-tac-toe and pgx's tic-tac-toe and backgammon.

`python bench/env.py` prints a table; it needs the extras `env` and `bench`. All play random legal actions on one core,
and CPU time counts. A step is a decision of a seat; with it come the next observation, its mask, its list of legal
actions and all that chance does. The first column counts the choice of actions too, for everybody; the second counts
the steps alone, where they can be told apart: in pgx both are compiled together.
"""

import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import argparse
import time
import warnings
from collections.abc import Iterator

import numpy as np

import strandline
from strandline.env.vector import VectorEnv, sample

GAMES = 4096
"""At once: they fit into the caches of a processor, for the most part."""


def vectors(seconds: float) -> Iterator[tuple[str, tuple[float, float]]]:
    """Every game with its fewest and its most players, in self-play and against random seats."""
    for name in reversed(strandline.games()):
        game = strandline.game(name)
        for players in (game.seats[0], game.seats[-1]):
            for opponents in ("self", "random"):
                envs = VectorEnv(game, GAMES, players, opponents=opponents, copy=False)
                seats = "1 seat" if players == 1 else f"{players} seats"
                yield f"{game.title}, {seats}, {opponents}", vector_speed(envs, seconds)


def vector_speed(envs: VectorEnv, seconds: float) -> tuple[float, float]:
    """Decisions a second of CPU time, with the choice of actions and without; beginning a new game is none."""
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    over = envs.step(sample(infos, rng))[2]  # the first meets the compiler
    steps, alone, began = 0, 0.0, time.process_time()
    while alone < seconds:
        actions = sample(infos, rng)
        before = time.process_time()
        _, _, now_over, _, infos = envs.step(actions)
        alone += time.process_time() - before
        steps += GAMES - int(over.sum())
        over = now_over
    return steps / (time.process_time() - began), steps / alone


def pettingzoo_speed(seconds: float) -> float:
    """PettingZoo's own tic-tac-toe, one game after the other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import tictactoe_v3
    env = tictactoe_v3.raw_env()
    rng = np.random.default_rng(1)
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        env.reset(seed=steps)
        while not any(env.terminations.values()):
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(legal[rng.integers(len(legal))]))
            steps += 1
    return steps / (time.process_time() - began)


def pgx_speed(name: str, seconds: float) -> float:
    """A game of pgx, all steps and random actions compiled together, games that are over beginning anew."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def one(carry, key):  # type: ignore[no-untyped-def]
        choose, play = jax.random.split(key)
        ranks = carry.legal_action_mask.cumsum(axis=-1)
        wanted = jnp.floor(jax.random.uniform(choose, (GAMES, 1)) * ranks[:, -1:])
        actions = (ranks > wanted).argmax(axis=-1)
        return jax.vmap(step)(carry, actions, jax.random.split(play, GAMES)), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, 10))[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    state = jax.block_until_ready(run(state, jax.random.PRNGKey(2)))
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        state = jax.block_until_ready(run(state, jax.random.PRNGKey(steps)))
        steps += 10 * GAMES
    return steps / (time.process_time() - began)


def main() -> None:
    """Measure everything, one thing after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds for each line")
    seconds = parser.parse_args().seconds
    print("| environment | steps a second, actions chosen | steps alone |\n|---|---|---|", flush=True)
    for name, (chosen, alone) in vectors(seconds):
        print(f"| {name} | {chosen:,.0f} | {alone:,.0f} |", flush=True)
    print(f"| PettingZoo's tic-tac-toe | {pettingzoo_speed(seconds):,.0f} | |", flush=True)
    for name in ("tic_tac_toe", "backgammon"):
        print(f"| pgx's {name} | {pgx_speed(name, seconds):,.0f} | |", flush=True)


if __name__ == "__main__":
    main()
