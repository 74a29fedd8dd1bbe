"""Masked PPO learns Up the River from nothing, against players who move at random, until it clearly beats them.

    python examples/train_up_the_river.py --out policy.npz

The games are stepped by Strandline's vector environment, which a thin adapter hands to Stable-Baselines3. What was
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
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from strandline.env.gymnasium import vector
from strandline.intervals import interval

GAME, PLAYERS = "up_the_river", 2
HIDDEN = (64, 64)

Array = np.ndarray[Any, Any]


class Games(VecEnv):  # type: ignore[misc]
    """Many games at once as Stable-Baselines3 wants them: a game that is over begins anew in the same step."""

    def __init__(self, number: int, seed: int) -> None:
        """So many games. Any seat learns, the other moves at random."""
        self.inner = vector(GAME, number, PLAYERS, opponents="random", seat=None)
        self.scale = np.maximum(self.inner.space.high.astype(np.float32), 1.0)
        """What observations are divided by, so that no number is above 1."""
        size, actions = self.inner.space.size, self.inner.space.actions
        super().__init__(number, spaces.Box(-1.0, 1.0, (size,), np.float32), spaces.Discrete(actions))
        self._seed = seed
        self.masks = np.ones((number, actions), np.int8)

    def reset(self) -> Array:
        """Begin all games."""
        seen, infos = self.inner.reset(seed=self._seed)
        self.masks = infos["action_mask"]
        return np.asarray(seen / self.scale)

    def step_async(self, actions: Array) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play them."""
        seen, rewards, over, _, infos = self.inner.step(self._actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.any():
            for i in np.flatnonzero(over):
                told[i]["terminal_observation"] = seen[i] / self.scale
            seen, infos = self.inner.reset(options={"reset_mask": over})
        self.masks = infos["action_mask"]
        return seen / self.scale, rewards.astype(np.float32), over, told

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The masks are all that the learner asks for."""
        assert method_name == "action_masks"
        return list(self.masks)

    def has_attr(self, attr_name: str) -> bool:
        """There are masks."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Nothing is drawn."""
        return [None] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing can be set."""
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game has a wrapper."""
        return [False] * self.num_envs

    def close(self) -> None:
        """End the games."""
        self.inner.close()


def save(model: MaskablePPO, file: Path) -> None:
    """Save what it takes to play: the weights and biases of the network that chooses, from observation to actions."""
    found: dict[str, Any] = {"game": GAME, "players": PLAYERS, "scale": model.env.scale}
    net = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    for number, layer in enumerate(layer for layer in net if isinstance(layer, torch.nn.Linear)):
        found[f"weights_{number}"] = layer.weight.detach().numpy().T
        found[f"biases_{number}"] = layer.bias.detach().numpy()
    np.savez(file, **found)


def evaluate(model: MaskablePPO, games: int, seed: int) -> tuple[float, int]:
    """The sum of the learner's shares of the win, and in how many games: each of many desks plays as many games."""
    desks = Games(min(games, 500), seed)
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
        Games(args.desks, args.seed),
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
