"""Self-play PPO in plain PyTorch: one network plays both seats of Up the River, and is judged by bots as it learns.

    python examples/self_play_ppo.py

Every step of the vector environment is that of the seat that decides. A game gives its rewards at its end, to all
seats, so each decision is credited with what its own seat got: no value is carried across the opponent's moves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from strandline.env.gymnasium import vector
from strandline.env.vector import VectorEnv

GAME, PLAYERS = "up_the_river", 2
CLIP, EPOCHS, BATCH, ENTROPY = 0.2, 4, 1024, 0.005


class Network(nn.Module):  # type: ignore[misc]
    """A policy and a value over one body."""

    def __init__(self, features: int, actions: int, width: int = 128) -> None:
        """A network that has learned nothing."""
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: Any, masks: Any) -> tuple[Any, Any]:
        """How likely each legal action is, and what the seat expects."""
        body = self.body(seen)
        logits = self.policy(body).masked_fill(masks == 0, -1e9)
        return Categorical(logits=logits), self.value(body).squeeze(-1)


class Collector:
    """Plays the games and gathers decisions whose game is over, with what their seat got."""

    def __init__(self, desks: int, seed: int) -> None:
        """So many games at once."""
        self.envs = vector(GAME, desks, PLAYERS, opponents="self", autoreset_mode="SameStep", scaled=True)
        self.seen, self.infos = self.envs.reset(seed=seed)
        self.open: list[list[Any]] = [[] for _ in range(desks)]

    def gather(self, network: Network, wanted: int) -> list[Any]:
        """At least so many finished decisions: observation, mask, action, log-probability, value, return."""
        found: list[Any] = []
        while len(found) < wanted:
            seen, masks = torch.as_tensor(self.seen), torch.as_tensor(self.infos["action_mask"])
            with torch.no_grad():
                chances, values = network(seen, masks)
                actions = chances.sample()
                logs = chances.log_prob(actions)
            seats = self.infos["seat"]
            rows = zip(
                self.seen, self.infos["action_mask"], actions.tolist(), logs.tolist(), values.tolist(), strict=True
            )
            for game, row, seat in zip(self.open, rows, seats.tolist(), strict=True):
                game.append((seat, row))
            self.seen, _, over, _, self.infos = self.envs.step(actions.numpy())
            for i in np.flatnonzero(over):
                found += [(*row, self.infos["rewards"][i, seat]) for seat, row in self.open[i]]
                self.open[i] = []
        return found


def learn(network: Network, optimizer: Any, found: list[Any]) -> None:
    """PPO's clipped steps over the decisions."""
    seen, masks, actions, logs, values, returns = (
        torch.as_tensor(np.array(column)) for column in zip(*found, strict=True)
    )
    gains = (returns - values).float()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(actions)).split(BATCH):
            chances, expected = network(seen[rows], masks[rows])
            ratio = torch.exp(chances.log_prob(actions[rows]) - logs[rows])
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy = -torch.min(ratio * gains[rows], clipped * gains[rows]).mean()
            value = (expected - returns[rows].float()).pow(2).mean()
            loss = policy + 0.5 * value - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def share(network: Network, opponents: str, games: int, seed: int) -> float:
    """The share of the win against bots, each desk playing one game; a game that nobody wins counts half."""
    envs: VectorEnv = vector(GAME, games, PLAYERS, opponents=opponents, seat=None, scaled=True, threads=2)
    seen, infos = envs.reset(seed=seed)
    got, playing = np.zeros(games), np.ones(games, bool)
    while playing.any():
        with torch.no_grad():
            chances, _ = network(torch.as_tensor(seen), torch.as_tensor(infos["action_mask"]))
        seen, rewards, over, _, infos = envs.step(chances.probs.argmax(-1).numpy())
        got[playing & over] = rewards[playing & over]
        playing &= ~over
    envs.close()
    return float((got.mean() + 1) / 2)


def main(arguments: Sequence[str] | None = None) -> list[tuple[int, dict[str, float]]]:
    """Learn and judge. Returns the learning curve: steps, and the share of the win against each bot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=600_000, help="decisions to learn from (default 600000)")
    parser.add_argument("--desks", type=int, default=512, help="games at a time (default 512)")
    parser.add_argument("--games", type=int, default=400, help="games to judge it by, against each bot (default 400)")
    parser.add_argument("--judge", default="random,1,3", help="bots to judge it by (default random,1,3)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same policy (default 1)")
    args = parser.parse_args(arguments)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the network is small: threads would wait for each other
    collector = Collector(args.desks, args.seed)
    network = Network(collector.envs.space.size, collector.envs.space.actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    curve: list[tuple[int, dict[str, float]]] = []
    steps, began, chunk = 0, time.perf_counter(), min(16_384, args.steps // 2)
    while True:
        if steps >= args.steps * len(curve) // 5 or steps >= args.steps:
            curve.append((steps, {who: share(network, who, args.games, 10**9) for who in args.judge.split(",")}))
            told = ", ".join(f"{got:.1%} against {who}" for who, got in curve[-1][1].items())
            print(f"{steps:>9,} steps, {time.perf_counter() - began:4.0f} s: {told}", flush=True)
        if steps >= args.steps:
            return curve
        found = collector.gather(network, chunk)
        learn(network, optimizer, found)
        steps += len(found)


if __name__ == "__main__":
    main()
