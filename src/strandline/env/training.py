"""Reinforcement learning that never leaves the GPU: self-play PPO over `resident.Games`.

This file needs PyTorch, CuPy and NumPy, and nothing of Strandline but the folder that `strandline.env.cuda.write`
has made, in which it lies:

    python river/training.py river --steps 200_000_000 --seed 1 --out river.npz

One network plays all seats. It sees what the seat that decides sees, and says which actions it likes and what each seat
can expect to get. A decision is credited with what its seat got, as far as that seat's expectations tell it from luck.
Where random play never wins, there is nothing to learn from: there, hope (see `engine.spaces`) is rewarded at first.
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
from typing import IO, Any, Protocol

import numpy as np
import torch
from torch import nn

CLIP, CARRIED, VALUE, MOST_GRADIENT = 0.2, 0.97, 0.5, 0.5
"""PPO's bound on a change of policy, GAE's lambda, the weight of the value's error, the largest gradient."""
RATE, ENTROPY = (1e-3, 1e-4), (0.02, 0.002)
"""At the beginning of the training and at its end; between them in proportion to the steps made."""
HOPING = 0.6
"""The part of the training in which hope is rewarded as well, less and less."""
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
        arrays = (getattr(self._games, name) for name in ("seen", "masks", "rewards", "over", "seats"))
        self.seen, self.masks, self.rewards, self.over, self.seats = map(torch.from_dlpack, arrays)
        self.scale, self.hope = map(torch.from_dlpack, (self._games.scale, self._games.hope))

    def step(self, actions: Any) -> None:
        """Play an action in each game; those that are over begin anew."""
        self._games.step(self._cupy.from_dlpack(actions))


class Network(nn.Module):  # type: ignore[misc]
    """A policy and a value for each seat over one body of ReLU layers, small enough to be played with NumPy alone."""

    def __init__(self, scale: Any, actions: int, seats: int, width: int, layers: int) -> None:
        """A network that has learned nothing; observations are multiplied by `scale`."""
        super().__init__()
        self.register_buffer("scale", scale.float())
        sizes = [len(scale)] + [width] * layers
        self.body = nn.ModuleList(nn.Linear(size, width) for size in sizes[:-1])
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, seats)
        for layer in self.body:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        nn.init.orthogonal_(self.value.weight, 0.1)

    def forward(self, seen: Any, masks: Any) -> tuple[Any, Any]:
        """The logarithm of each action's probability, and what each seat can expect, the one that sees this first."""
        inner = seen.float() * self.scale
        for layer in self.body:
            inner = torch.relu(layer(inner))
        logits = self.policy(inner).masked_fill(masks == 0, ILLEGAL)
        return torch.log_softmax(logits, -1), self.value(inner)

    def save(self, file: Path | IO[bytes], about: dict[str, Any]) -> None:
        """Write the weights as plain arrays."""
        layers = [*self.body, self.policy]
        arrays = {f"weights_{i}": _array(layer.weight).T for i, layer in enumerate(layers)}
        arrays |= {f"biases_{i}": _array(layer.bias) for i, layer in enumerate(layers)}
        arrays |= {"value_weights": _array(self.value.weight).T, "value_biases": _array(self.value.bias)}
        np.savez_compressed(
            file,
            game=about["game"],
            players=about["players"],
            activation="relu",
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
    """What each seat could expect, by its number; so are `rewards` and `last`."""
    seats: Any
    over: Any
    rewards: Any
    last: Any
    """What each seat can expect after the last step."""


def decide(network: Network, games: Source, steps: int, hope: Any = None) -> Decisions:
    """Let the network play that many steps in all games. With `hope`, the worth of what is seen, gains of it count."""
    columns: list[list[Any]] = [[] for _ in range(8)]
    with torch.no_grad():
        for _ in range(steps):
            before = games.seen.clone(), games.masks.clone(), games.seats.long()
            chances, values = network(*before[:2])
            values = by_number(values, before[2])
            noise = -torch.empty_like(chances).exponential_().log()  # Gumbel's: the largest sum is drawn in proportion
            actions = (chances + noise).argmax(-1)
            games.step(actions)
            rewards = games.rewards.clone()
            if hope is not None:
                gained = (games.seen.float() - before[0].float()) @ hope
                rewards += torch.where(games.over, 0.0, gained)[:, None]
            logs = chances.gather(-1, actions[:, None]).squeeze(-1)
            row = (before[0], before[1], actions, logs, values, before[2], games.over.clone(), rewards)
            for column, item in zip(columns, row, strict=True):
                column.append(item)
        last = by_number(network(games.seen, games.masks)[1], games.seats.long())
    rows: list[Any] = [torch.stack(column) for column in columns]
    return Decisions(*rows, last)  # type: ignore[call-arg]


def by_number(values: Any, seats: Any) -> Any:
    """Values of all seats, the one that decides first, in the order of the seats' numbers."""
    number = values.shape[-1]
    return values.gather(-1, (torch.arange(number, device=values.device) - seats[..., None]) % number)


def in_turn(values: Any, seats: Any) -> Any:
    """Values in the order of the seats' numbers as a network has them: the seat that decides first."""
    number = values.shape[-1]
    return values.gather(-1, (torch.arange(number, device=values.device) + seats[..., None]) % number)


def advantages(found: Decisions) -> Any:
    """How much better each step came out for each seat than it could expect (GAE)."""
    gains = torch.zeros_like(found.values)
    expected, carried = found.last, torch.zeros_like(found.last)
    for step in reversed(range(len(gains))):
        over = found.over[step][:, None]
        error = found.rewards[step] + torch.where(over, 0.0, expected) - found.values[step]
        carried = gains[step] = error + CARRIED * torch.where(over, 0.0, carried)
        expected = found.values[step]
    return gains


def learn(
    network: Network, optimizer: Any, found: Decisions, gains: Any, batch: int, epochs: int, entropy: float
) -> None:
    """PPO's clipped steps over the decisions."""
    own = gains.gather(-1, found.seats[..., None]).squeeze(-1)
    aimed = in_turn(gains + found.values, found.seats)
    flat = [item.flatten(0, 1) for item in (found.seen, found.masks, found.actions, found.logs, own, aimed)]
    for _ in range(epochs):
        for rows in torch.randperm(len(flat[0]), device=gains.device).split(batch):
            seen, masks, actions, logs, gain, aims = (item[rows] for item in flat)
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            chances, values = network(seen, masks)
            ratio = torch.exp(chances.gather(-1, actions[:, None]).squeeze(-1) - logs)
            policy = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            spread = -(chances.exp() * chances.clamp_min(-100)).sum(-1).mean()
            loss = policy + VALUE * (values - aims).pow(2).mean() - entropy * spread
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
    network = Network(games.scale, about["actions"], about["players"], args.width, args.layers)
    network.to(games.scale.device)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE[0], eps=1e-5)
    hopeless = bool(games.hope.any())  # a game that random play never wins
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
        hope = games.hope * (1 - done / HOPING) if hopeless and done < HOPING else None
        found = decide(network, games, args.rows, hope)
        gains = advantages(found)
        learn(network, optimizer, found, gains, args.batch, args.epochs, ENTROPY[0] + (ENTROPY[1] - ENTROPY[0]) * done)
        torch.cuda.synchronize()
        spent += time.perf_counter() - began
        made += args.games * args.rows
    if args.out:
        network.save(args.out, about)


if __name__ == "__main__":
    main()
