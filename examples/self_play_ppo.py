"""Self-play PPO on a CPU: one network plays both seats of a game, and is judged by bots as it learns.

    python examples/self_play_ppo.py --out policy.npz

The loop is the one that runs on a GPU, `strandline.env.training`; here the vector environment feeds it. Every step is
that of the seat that decides. The network values a position for each seat, so that a decision is credited with what
its own seat got, whoever made the moves in between. `examples/policy_bot` plays what was saved.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from strandline.env import training
from strandline.env.gymnasium import vector

PLAYERS = 2
ROWS, BATCH, EPOCHS, ENTROPY = 32, 1024, 4, 0.01
RATE = 2e-3, 1e-4
"""At the beginning and at the end."""


class Games:
    """Many games at once, as the loop wants them: tensors over what the environment shows."""

    def __init__(self, game: str, desks: int, seed: int) -> None:
        """So many games, all of whose seats learn."""
        self.envs = vector(game, desks, PLAYERS, opponents="self", autoreset_mode="SameStep")
        seen, infos = self.envs.reset(seed=seed)
        self._show(seen, np.zeros(desks, bool), infos)

    def step(self, actions: Any) -> None:
        """Play an action in each game; those that are over begin anew."""
        seen, _, over, _, infos = self.envs.step(actions.numpy())
        self._show(seen, over, infos)

    def _show(self, *shown: Any) -> None:
        seen, over, infos = shown
        arrays = seen, infos["action_mask"], infos["rewards"].astype(np.float32), over, infos["seat"]
        self.seen, self.masks, self.rewards, self.over, self.seats = map(torch.from_numpy, arrays)


def share(network: training.Network, game: str, opponents: str, games: int, seed: int) -> float:
    """The share of the win against bots, each desk playing one game; a game that nobody wins counts half."""
    envs = vector(game, games, PLAYERS, opponents=opponents, seat=None, threads=2)
    seen, infos = envs.reset(seed=seed)
    got, playing = np.zeros(games), np.ones(games, bool)
    while playing.any():
        with torch.no_grad():
            likely, _ = network(torch.as_tensor(seen), torch.as_tensor(infos["action_mask"]))
        seen, rewards, over, _, infos = envs.step(likely.argmax(-1).numpy())
        got[playing & over] = rewards[playing & over]
        playing &= ~over
    envs.close()
    return float((got.mean() + 1) / 2)


def main(arguments: Sequence[str] | None = None) -> list[tuple[int, dict[str, float]]]:
    """Learn and judge. Returns the learning curve: steps, and the share of the win against each bot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="up_the_river", help="default up_the_river")
    parser.add_argument("--steps", type=int, default=400_000, help="decisions to learn from (default 400000)")
    parser.add_argument("--desks", type=int, default=256, help="games at a time (default 256)")
    parser.add_argument("--games", type=int, default=50, help="games to judge it by, against each bot (default 50)")
    parser.add_argument("--judge", default="random,1,2,3,4,5", help="bots to judge it by (default random,1,2,3,4,5)")
    parser.add_argument("--curve", type=int, default=2, help="points of the learning curve after the first (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same policy (default 1)")
    parser.add_argument("--out", type=Path, help="file for the weights (.npz)")
    args = parser.parse_args(arguments)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the network is small: threads would wait for each other
    games = Games(args.game, args.desks, args.seed)
    space = games.envs.space
    network = training.Network(torch.as_tensor(space.scale), space.actions, PLAYERS, width=128, layers=2)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE[0])
    curve: list[tuple[int, dict[str, float]]] = []
    steps, began = 0, time.perf_counter()
    while True:
        if steps >= args.steps * len(curve) / args.curve:
            judges = args.judge.split(",")
            curve.append((steps, {who: share(network, args.game, who, args.games, 10**9) for who in judges}))
            told = ", ".join(f"{got:.1%} against {who}" for who, got in curve[-1][1].items())
            print(f"{steps:>9,} steps, {time.perf_counter() - began:4.0f} s: {told}", flush=True)
        if steps >= args.steps:
            break
        for group in optimizer.param_groups:
            group["lr"] = RATE[0] + (RATE[1] - RATE[0]) * steps / args.steps
        found = training.decide(network, games, ROWS)
        training.learn(network, optimizer, found, training.advantages(found), BATCH, EPOCHS, ENTROPY)
        steps += args.desks * ROWS
    games.envs.close()
    if args.out:
        network.save(args.out, {"game": args.game, "players": PLAYERS})
    return curve


if __name__ == "__main__":
    main()
