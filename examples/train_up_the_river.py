"""Masked PPO learns Up the River from nothing, against players who move at random, until it clearly beats them.

    python examples/train_up_the_river.py --out policy.npz

The games are stepped by Strandline's vector environment, as a `VecEnv` of Stable-Baselines3. What was
learned is saved as a few arrays of NumPy, which `examples/policy_bot` plays from.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from strandline.env import space
from strandline.env.sb3 import VecGames
from strandline.intervals import interval

GAME, PLAYERS = "up_the_river", 2
HIDDEN = (64, 64)


def desks_of(number: int, seed: int) -> VecGames:
    """So many games. Any seat learns, the other moves at random."""
    games = VecGames(GAME, number, PLAYERS, opponents="random", seat=None)
    games.seed(seed)
    return games


def save(model: MaskablePPO, file: Path) -> None:
    """Save what it takes to play: the weights and biases of the network that chooses, from observation to actions."""
    found: dict[str, Any] = {"game": GAME, "players": PLAYERS, "scale": 1 / space(GAME, PLAYERS).scale}
    found["activation"] = "tanh"
    net = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    for number, layer in enumerate(layer for layer in net if isinstance(layer, torch.nn.Linear)):
        found[f"weights_{number}"] = layer.weight.detach().numpy().T
        found[f"biases_{number}"] = layer.bias.detach().numpy()
    np.savez(file, **found)


def evaluate(model: MaskablePPO, games: int, seed: int) -> tuple[float, int]:
    """The sum of the learner's shares of the win, and in how many games: each of many desks plays as many games."""
    desks = desks_of(min(games, 500), seed)
    seen, played, shares = desks.reset(), 0, 0.0
    left = np.full(desks.num_envs, -(-games // desks.num_envs))
    while left.any():
        actions, _ = model.predict(seen, action_masks=desks.masks, deterministic=True)
        seen, rewards, over, _ = desks.step(actions)
        counted = over & (left > 0)
        played += int(counted.sum())
        shares += float((rewards[counted] + 1).sum()) / 2  # a win 1, a shared one 1/2, and so is one of nobody
        left[counted] -= 1
    desks.close()
    return shares, played


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, judge, save. Returns the lower end of the interval for the share of the win."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("policy.npz"), help="default policy.npz")
    parser.add_argument("--steps", type=int, default=1_500_000, help="learn from at most so many (default 1500000)")
    parser.add_argument("--target", type=float, default=0.6, help="stop when it surely wins so much (default 0.6)")
    parser.add_argument("--desks", type=int, default=128, help="games at a time (default 128)")
    parser.add_argument("--games", type=int, default=4000, help="games to judge it by (default 4000)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same policy (default 1)")
    args = parser.parse_args(arguments)

    torch.set_num_threads(1)  # the network is small: threads would wait for each other
    model = MaskablePPO(
        "MlpPolicy",
        desks_of(args.desks, args.seed),
        n_steps=64,
        batch_size=min(1024, 64 * args.desks),
        n_epochs=6,
        learning_rate=1e-3,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.005,
        policy_kwargs={"net_arch": list(HIDDEN)},
        device="cpu",
        seed=args.seed,
    )
    began, learned, low = time.perf_counter(), 0, 0.0
    chunk = max(64 * args.desks, args.steps // 10)
    while learned < args.steps and low < args.target:
        model.learn(chunk, reset_num_timesteps=False)
        learned = model.num_timesteps
        shares, played = evaluate(model, args.games, 10**9 + args.seed)
        low, high = interval(shares, played)
        result = f"{shares / played:.1%} of the win against random ({low:.1%} to {high:.1%}, {played:,} games)"
        print(f"{learned:>9,} steps, {time.perf_counter() - began:5.0f} s: {result}", flush=True)
    save(model, args.out)
    print(f"Saved: {args.out}")
    return low


if __name__ == "__main__":
    main()
