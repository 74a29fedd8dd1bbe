"""Reinforcement learning that never leaves the GPU: self-play PPO over `resident.Games`.

This file needs PyTorch, CuPy and NumPy, and nothing of Strandline but the folder that `strandline.env.cuda.write`
has made, in which it lies:

    python river/training.py river --steps 200_000_000 --seed 1 --out river.npz

One network plays all seats. Every step of a game is a decision of one seat, and is credited with what that seat got:
advantages are carried from one decision of a seat to its next, across the moves of the others.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import nn

CLIP, CARRIED, VALUE, MOST_GRADIENT = 0.2, 0.95, 0.5, 0.5
"""PPO's bound on a change of policy, GAE's lambda, the weight of the value's error, the largest gradient."""
RATE, ENTROPY = (1e-3, 1e-4), (0.02, 0.002)
"""At the beginning of the training and at its end; between them in proportion to the steps made."""
ILLEGAL = -1e9


class Source(Protocol):
    """Many games at once, as tensors that each step overwrites."""

    seen: Any
    masks: Any
    rewards: Any
    """By game and seat."""
    over: Any
    seats: Any
    """Who decides in each game."""

    def step(self, actions: Any) -> None:
        """Play an action in each game; those that are over begin anew."""


class OnGpu:
    """`resident.Games` as tensors over the same memory."""

    def __init__(self, folder: Path, number: int, seed: int, learner: int) -> None:
        """Begin that many games; `learner` as `resident` has it."""
        import cupy

        sys.path.insert(0, str(folder))
        self._games = importlib.import_module("resident").Games(folder, number, learner)
        sys.path.pop(0)
        self._cupy = cupy
        self._games.reset(seed)
        arrays = (getattr(self._games, name) for name in ("seen", "masks", "rewards", "over", "seats", "scale"))
        self.seen, self.masks, self.rewards, self.over, self.seats, self.scale = map(torch.from_dlpack, arrays)

    def step(self, actions: Any) -> None:
        """Play an action in each game; those that are over begin anew."""
        self._games.step(self._cupy.from_dlpack(actions))


class Network(nn.Module):  # type: ignore[misc]
    """A policy and a value over one body of `tanh` layers, small enough to be played with NumPy alone."""

    def __init__(self, scale: Any, actions: int, width: int, layers: int) -> None:
        """A network that has learned nothing; observations are multiplied by `scale`."""
        super().__init__()
        self.register_buffer("scale", scale.float())
        sizes = [len(scale)] + [width] * layers
        self.body = nn.ModuleList(nn.Linear(size, width) for size in sizes[:-1])
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer in self.body:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: Any, masks: Any) -> tuple[Any, Any]:
        """The logarithm of each action's probability, and what the seat expects to get."""
        inner = seen.float() * self.scale
        for layer in self.body:
            inner = torch.tanh(layer(inner))
        logits = self.policy(inner).masked_fill(masks == 0, ILLEGAL)
        return torch.log_softmax(logits, -1), self.value(inner).squeeze(-1)

    def save(self, file: Path, about: dict[str, Any]) -> None:
        """Write the weights as plain arrays."""
        layers = [*self.body, self.policy]
        arrays = {f"weights_{i}": _array(layer.weight).T for i, layer in enumerate(layers)}
        arrays |= {f"biases_{i}": _array(layer.bias) for i, layer in enumerate(layers)}
        arrays |= {"value_weights": _array(self.value.weight).T, "value_biases": _array(self.value.bias)}
        np.savez_compressed(
            file,
            game=about["game"],
            players=about["players"],
            scale=1 / _array(self.scale),
            allow_pickle=False,
            **arrays,
        )


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy().astype(np.float32)


@dataclass
class Decisions:
    """What was decided in some steps of many games, by step and game."""

    seen: Any
    masks: Any
    actions: Any
    logs: Any
    values: Any
    seats: Any
    over: Any
    rewards: Any
    last: Any
    """What whoever decides next expects."""
    next_seats: Any


def decide(network: Network, games: Source, steps: int) -> Decisions:
    """Let the network play that many steps in all games."""
    columns: list[list[Any]] = [[] for _ in range(8)]
    with torch.no_grad():
        for _ in range(steps):
            before = games.seen.clone(), games.masks.clone(), games.seats.long()
            chances, values = network(*before[:2])
            noise = -torch.empty_like(chances).exponential_().log()  # Gumbel's: the largest sum is drawn in proportion
            actions = (chances + noise).argmax(-1)
            games.step(actions)
            logs = chances.gather(-1, actions[:, None]).squeeze(-1)
            row = (before[0], before[1], actions, logs, values, before[2], games.over.clone(), games.rewards.clone())
            for column, item in zip(columns, row, strict=True):
                column.append(item)
        last = network(games.seen, games.masks)[1]
    rows: list[Any] = [torch.stack(column) for column in columns]
    return Decisions(*rows, last, games.seats.long())  # type: ignore[call-arg]


def advantages(found: Decisions, is_shared: bool) -> Any:
    """How much better each decision came out than its seat had expected (GAE), from one decision of a seat to its next.

    What the others expect behind the last step is guessed by what the seat to decide does: the same where all win
    together (`is_shared`), else the opposite, shared among them.
    """
    steps, number, seats = found.rewards.shape
    games = torch.arange(number, device=found.values.device)
    others = found.last if is_shared else -found.last / max(seats - 1, 1)
    expected = others[:, None].repeat(1, seats)
    expected[games, found.next_seats] = found.last
    carried, got = torch.zeros_like(expected), torch.zeros_like(expected)
    gains = torch.zeros_like(found.values)
    for step in reversed(range(steps)):
        over = found.over[step][:, None]
        expected, carried = (torch.where(over, 0.0, item) for item in (expected, carried))
        got = torch.where(over, found.rewards[step], got)
        who = found.seats[step]
        error = got[games, who] + expected[games, who] - found.values[step]
        gains[step] = error + CARRIED * carried[games, who]
        carried[games, who] = gains[step]
        expected[games, who] = found.values[step]
        got[games, who] = 0.0
    return gains


def learn(
    network: Network, optimizer: Any, found: Decisions, gains: Any, batch: int, epochs: int, entropy: float
) -> None:
    """PPO's clipped steps over the decisions."""
    flat = [item.flatten(0, 1) for item in (found.seen, found.masks, found.actions, found.logs, gains)]
    aims = (gains + found.values).flatten()
    for _ in range(epochs):
        for rows in torch.randperm(len(aims), device=aims.device).split(batch):
            seen, masks, actions, logs, gain = (item[rows] for item in flat)
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            chances, values = network(seen, masks)
            ratio = torch.exp(chances.gather(-1, actions[:, None]).squeeze(-1) - logs)
            policy = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            spread = -(chances.exp() * chances.clamp_min(-100)).sum(-1).mean()
            loss = policy + VALUE * (values - aims[rows]).pow(2).mean() - entropy * spread
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), MOST_GRADIENT)
            optimizer.step()


def judged(network: Network, games: Source) -> float:
    """What one seat gets on average when the network plays it and the others move at random, one game a desk."""
    playing = torch.ones_like(games.over, dtype=torch.bool)
    got = torch.zeros(len(playing), device=playing.device)
    with torch.no_grad():
        while bool(playing.any()):
            seats = games.seats.long()
            games.step(network(games.seen, games.masks)[0].argmax(-1))
            ended = playing & games.over.bool()
            got = torch.where(ended, games.rewards.gather(-1, seats[:, None]).squeeze(-1), got)
            playing &= ~ended
    return float(got.mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, print a line of the learning curve now and then, save the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what strandline.env.cuda.write has made")
    parser.add_argument("--steps", type=int, default=100_000_000, help="decisions to learn from (default 100 million)")
    parser.add_argument("--games", type=int, default=16_384, help="games at a time (default 16384)")
    parser.add_argument("--rows", type=int, default=32, help="steps of all games between two updates (default 32)")
    parser.add_argument("--batch", type=int, default=65_536, help="decisions in a gradient (default 65536)")
    parser.add_argument("--epochs", type=int, default=2, help="how often each decision is learned from (default 2)")
    parser.add_argument("--width", type=int, default=128, help="units of a layer (default 128)")
    parser.add_argument("--layers", type=int, default=2, help="layers (default 2)")
    parser.add_argument("--curve", type=int, default=10, help="lines of the learning curve (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="of games and network (default 1)")
    parser.add_argument("--out", type=Path, help="file for the weights (.npz)")
    args = parser.parse_args(arguments)
    about = json.loads((args.folder / "about.json").read_text(encoding="utf-8"))
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    every, any_seat = -2, -1
    games = OnGpu(args.folder, args.games, args.seed, every)
    network = Network(games.scale, about["actions"], args.width, args.layers).to(games.scale.device)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE[0], eps=1e-5)
    made, spent, lines = 0, 0.0, 0
    print(f"{about['game']}, {about['players']} seats: {sum(p.numel() for p in network.parameters()):,} weights")
    print("| steps | seconds | training steps/s | mean reward against random play |\n|---|---|---|---|")
    while True:
        if made >= args.steps * lines / args.curve:
            lines += 1
            # The same games every time, none of which was learned from.
            reward = judged(network, OnGpu(args.folder, 4096, 10**9, any_seat))
            print(f"| {made:,} | {spent:.1f} | {made / max(spent, 1e-9):,.0f} | {reward:+.3f} |", flush=True)
        if made >= args.steps:
            break
        torch.cuda.synchronize()
        began, done = time.perf_counter(), made / args.steps
        for group in optimizer.param_groups:
            group["lr"] = RATE[0] + (RATE[1] - RATE[0]) * done
        found = decide(network, games, args.rows)
        gains = advantages(found, about["cooperative"])
        learn(network, optimizer, found, gains, args.batch, args.epochs, ENTROPY[0] + (ENTROPY[1] - ENTROPY[0]) * done)
        torch.cuda.synchronize()
        spent += time.perf_counter() - began
        made += args.games * args.rows
    if args.out:
        network.save(args.out, about)


if __name__ == "__main__":
    main()
