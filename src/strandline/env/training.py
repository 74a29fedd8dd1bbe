"""Reinforcement learning by self-play: PPO over many games at once, on one core of the CPU or all of it on a GPU.

    python -m strandline.env.training up_the_river --players 2 --steps 20_000_000 --seed 1 --out river.npz

On a GPU this file needs PyTorch, CuPy and NumPy, and nothing of Strandline but the folder that
`strandline.env.cuda.write` has made, in which it lies:

    python river/training.py river --steps 200_000_000 --seed 1 --out river.npz

One network plays all seats. It sees what the seat that decides sees, and says which actions it likes and what each seat
can expect to get. A decision is credited with what its seat got, as far as that seat's expectations tell it from luck.
On the CPU the network can have a guided player for a teacher at first, who says what it would do in its place. Where
random play never wins and nobody teaches, there is nothing to learn from: there, hope (see `engine.spaces`) is rewarded
at first.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
import torch
from torch import nn
from torch.nn import functional

CLIP, CARRIED, VALUE, MOST_GRADIENT = 0.2, 0.97, 0.5, 0.5
"""PPO's bound on a change of policy, GAE's lambda, the weight of the value's error, the largest gradient."""
RATE, ENTROPY, LESS = 1e-3, 0.02, 0.1
"""The step of a gradient and what variety is worth, at the beginning; and what part of them is left at the end."""
HOPING = 0.6
"""The part of the training in which hope is rewarded as well, less and less, where nobody teaches."""
GUIDANCE = 1.0
"""How much a guided player's advice counts at first, beside PPO's loss."""
ILLEGAL = -1e9
ANY_SEAT, EVERY_SEAT = -1, -2
"""As the seat that learns: one that is drawn anew for each game, or all of them."""


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


class OnCpu:
    """Games of Strandline's own vector environment, copied into tensors."""

    def __init__(self, game: str, players: int | None, number: int, seed: int, learner: int) -> None:
        """Begin that many games; `learner` as `drivers` has it."""
        import strandline
        from strandline.env import drivers
        from strandline.env.batch import Batch

        self.batch = Batch(strandline.game(game).new(players), number, learner, mode=drivers.SAME_STEP)
        self.batch.reset(range(seed, seed + number))
        sight = self.batch.space.insight
        self.scale, self.hope = map(torch.from_numpy, (sight.scale, sight.hope))
        self._show()

    def _show(self) -> None:
        batch = self.batch
        arrays = (batch.insight(), batch.masks, batch.rewards.astype(np.float32), batch.over, batch.seats)
        self.seen, self.masks, self.rewards, self.over, self.seats = (torch.from_numpy(np.array(a)) for a in arrays)

    def step(self, actions: Any) -> None:
        """Play an action in each game; those that are over begin anew."""
        self.batch.step(actions.numpy())
        self._show()

    def advice(self) -> Any:
        """The action that a guided player would take in each game, negative where it has none."""
        return torch.from_numpy(self.batch.advice())


def allowed(masks: Any) -> Any:
    """The numbers of the actions that one of the masks allows: in Over the Next Dune, few of two thousand."""
    if masks.is_cuda:  # to wait for the answer would take longer than to leave none out
        return torch.arange(masks.shape[-1], device=masks.device)
    return masks.any(0).nonzero().squeeze(-1)


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

    def forward(self, seen: Any, masks: Any, among: Any = None) -> tuple[Any, Any]:
        """The logarithm of each action's probability, and what each seat can expect, the one that sees this first.

        With `among` the probabilities are those of the actions with these numbers; all others are illegal.
        """
        inner = seen.float() * self.scale
        for layer in self.body:
            inner = torch.relu(layer(inner))
        weight, bias = self.policy.weight, self.policy.bias
        if among is not None:
            weight, bias, masks = weight[among], bias[among], masks[:, among]
        logits = functional.linear(inner, weight, bias).masked_fill(masks == 0, ILLEGAL)
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
    advice: Any
    """What a guided player would have done; negative where nobody asked it, or where it would have done nothing."""
    last: Any
    """What each seat can expect after the last step."""


def decide(
    network: Network, games: Source, steps: int, hope: Any = None, advice: Callable[[], Any] | None = None
) -> Decisions:
    """Let the network play that many steps in all games. With `hope`, the worth of what is seen, gains of it count.

    `advice` says what a guided player would do in each game, as a negative number where it would do nothing.
    """
    columns: list[list[Any]] = [[] for _ in range(9)]
    with torch.no_grad():
        for _ in range(steps):
            before, among = (games.seen.clone(), games.masks.clone(), games.seats.long()), allowed(games.masks)
            chances, values = network(*before[:2], among)
            values = by_number(values, before[2])
            noise = -torch.empty_like(chances).exponential_().log()  # Gumbel's: the largest sum is drawn in proportion
            places = (chances + noise).argmax(-1)
            actions = among[places]
            advised = advice() if advice else torch.full_like(actions, -1)
            games.step(actions)
            rewards = games.rewards.clone()
            if hope is not None:
                gained = (games.seen.float() - before[0].float()) @ hope
                rewards += torch.where(games.over, 0.0, gained)[:, None]
            logs = chances.gather(-1, places[:, None]).squeeze(-1)
            row = (before[0], before[1], actions, logs, values, before[2], games.over.clone(), rewards, advised)
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
    network: Network,
    optimizer: Any,
    found: Decisions,
    gains: Any,
    batch: int,
    epochs: int,
    entropy: float,
    guidance: float = 0.0,
) -> None:
    """PPO's clipped steps over the decisions; with `guidance`, steps towards the advice as well, as much as it says."""
    own = gains.gather(-1, found.seats[..., None]).squeeze(-1)
    aimed = in_turn(gains + found.values, found.seats)
    columns = (found.seen, found.masks, found.actions, found.logs, own, aimed, found.advice)
    flat = [item.flatten(0, 1) for item in columns]
    for _ in range(epochs):
        for rows in torch.randperm(len(flat[0]), device=gains.device).split(batch):
            seen, masks, actions, logs, gain, aims, advice = (item[rows] for item in flat)
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            among = allowed(masks)
            chances, values = network(seen, masks, among)
            taken = chances.gather(-1, torch.searchsorted(among, actions)[:, None]).squeeze(-1)
            ratio = torch.exp(taken - logs)
            policy = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            spread = -(chances.exp() * chances.clamp_min(-100)).sum(-1).mean()
            loss = policy + VALUE * (values - aims).pow(2).mean() - entropy * spread
            if guidance:
                advised = advice >= 0
                wanted = torch.searchsorted(among, advice[advised])
                loss += guidance * functional.nll_loss(chances[advised], wanted, reduction="sum") / len(rows)
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
            seats, among = games.seats.long(), allowed(games.masks)
            games.step(among[network(games.seen, games.masks, among)[0].argmax(-1)])
            ended = playing & games.over.bool()
            got = torch.where(ended, games.rewards.gather(-1, seats[:, None]).squeeze(-1), got)
            playing &= ~ended
    return float(got.mean())


@dataclass(frozen=True)
class Machine:
    """Where games are played, and how many are good for it."""

    begin: Callable[[int, int, int], OnCpu | OnGpu]
    """Begin so many games with that seed, for a learner."""
    about: dict[str, Any]
    """The game's name, its `players` and the number of its `actions`."""
    steps: int
    games: int
    batch: int
    judging: int
    """Games against random play for a line of the learning curve."""


def gpu(folder: Path) -> Machine:
    """The GPU of this machine, with a folder that `strandline.env.cuda.write` has made."""
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    torch.set_float32_matmul_precision("high")
    return Machine(lambda *what: OnGpu(folder, *what), about, 100_000_000, 16_384, 65_536, 4096)


def cpu(game: str, players: int | None, guided: bool) -> Machine:
    """One core of this machine: with more, sums would depend on how many there are."""
    from strandline.env import space

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    here = space(game, players)
    if guided and not here.game.has_guide:
        raise ValueError(f"{here.game.title} has no hints on how to move, so nobody can teach: leave --guided out.")
    about = {"game": here.game.name, "players": here.players, "actions": here.actions}
    return Machine(lambda *what: OnCpu(here.game.name, here.players, *what), about, 10_000_000, 256, 1024, 512)


@dataclass
class Training:
    """A network that learns, and how far it is."""

    machine: Machine
    games: OnCpu | OnGpu
    network: Network
    args: argparse.Namespace
    made: int = 0
    """Decisions that it has learned from."""

    def run(self) -> None:
        """Train to the end, or until somebody interrupts it; print a line of the learning curve now and then."""
        about = self.machine.about
        weights = sum(p.numel() for p in self.network.parameters())
        print(f"{about['game']}, {about['players']} seats: {weights:,} weights")
        print("| steps | seconds | training steps/s | mean reward against random play |\n|---|---|---|---|")
        optimizer = torch.optim.Adam(self.network.parameters(), lr=self.args.rate, eps=1e-5)
        spent, lines = 0.0, 0
        while True:
            if self.made >= self.args.steps * lines / self.args.curve:
                lines += 1
                self.report(spent)
            if self.made >= self.args.steps:
                break
            began = self.now()
            self.update(optimizer)
            spent += self.now() - began

    def now(self) -> float:
        """The time when all that was begun is done."""
        if self.games.seen.is_cuda:
            torch.cuda.synchronize()
        return time.perf_counter()

    def report(self, spent: float) -> None:
        """A line of the learning curve; the weights so far are written."""
        # The same games every time, none of which was learned from.
        reward = judged(self.network, self.machine.begin(self.machine.judging, 10**9, ANY_SEAT))
        print(f"| {self.made:,} | {spent:.1f} | {self.made / max(spent, 1e-9):,.0f} | {reward:+.3f} |", flush=True)
        self.save()

    def update(self, optimizer: Any) -> None:
        """Play some steps in all games and learn from them."""
        args, done = self.args, self.made / self.args.steps
        left = 1 - (1 - LESS) * done
        for group in optimizer.param_groups:
            group["lr"] = args.rate * left
        hopes = not args.guided and done < HOPING and self.games.hope.any()
        hope = self.games.hope * (1 - done / HOPING) if hopes else None
        guidance = GUIDANCE * (1 - done / args.guided) if done < args.guided else 0.0
        advice = self.games.advice if guidance and isinstance(self.games, OnCpu) else None
        found = decide(self.network, self.games, args.rows, hope, advice)
        learn(self.network, optimizer, found, advantages(found), args.batch, args.epochs, args.entropy * left, guidance)
        self.made += args.games * args.rows

    def save(self) -> None:
        """Write the weights where they are wanted."""
        if self.args.out:
            self.network.save(self.args.out, self.machine.about)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, print a line of the learning curve now and then, save the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game, or for a GPU the folder that strandline.env.cuda.write has made")
    parser.add_argument("--players", type=int, help="how many play; a folder says so itself (default: the fewest)")
    parser.add_argument("--steps", type=int, help="decisions to learn from (default 10 million, on a GPU 100 million)")
    parser.add_argument("--games", type=int, help="games at a time (default 256, on a GPU 16384)")
    parser.add_argument("--rows", type=int, default=32, help="steps of all games between two updates (default 32)")
    parser.add_argument("--batch", type=int, help="decisions in a gradient (default 1024, on a GPU 65536)")
    parser.add_argument("--epochs", type=int, default=2, help="how often each decision is learned from (default 2)")
    parser.add_argument(
        "--guided",
        type=float,
        default=0.0,
        metavar="PART",
        help="the part of the training in which a guided player teaches, less and less: from 0, the default, to 1",
    )
    parser.add_argument("--rate", type=float, default=RATE, help=f"step of a gradient at first (default {RATE:g})")
    parser.add_argument(
        "--entropy",
        type=float,
        default=ENTROPY,
        help=f"what variety is worth at first (default {ENTROPY:g}); 0 where one odd step in a game loses it",
    )
    parser.add_argument("--width", type=int, default=128, help="units of a layer (default 128)")
    parser.add_argument("--layers", type=int, default=2, help="layers (default 2)")
    parser.add_argument("--curve", type=int, default=10, help="lines of the learning curve (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="of games and network (default 1)")
    parser.add_argument("--out", type=Path, help="file for the weights (.npz)")
    args = parser.parse_args(arguments)
    machine = chosen(parser, args)
    for name in ("steps", "games", "batch"):
        if getattr(args, name) is None:
            setattr(args, name, getattr(machine, name))
    torch.manual_seed(args.seed)
    games, about = machine.begin(args.games, args.seed, EVERY_SEAT), machine.about
    network = Network(games.scale, about["actions"], about["players"], args.width, args.layers)
    network.to(games.scale.device)
    training = Training(machine, games, network, args)
    try:
        training.run()
    except KeyboardInterrupt:
        training.save()
        print(f"Stopped after {training.made:,} steps.")


def chosen(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Machine:
    """The machine for the game or the folder that is named. What cannot be is refused."""
    folder = Path(args.game)
    on_gpu = (folder / "about.json").exists()
    if not 0 <= args.guided <= 1:
        parser.error(f"--guided must be from 0 to 1, not {args.guided:g}.")
    if args.rate <= 0:
        parser.error(f"--rate must be more than 0, not {args.rate:g}.")
    if args.entropy < 0:
        parser.error(f"--entropy must be 0 or more, not {args.entropy:g}.")
    if on_gpu and args.guided:
        parser.error("Guided players teach on the CPU alone: leave --guided out, or name the game.")
    try:
        return gpu(folder) if on_gpu else cpu(args.game, args.players, args.guided > 0)
    except (KeyError, ValueError) as error:  # UnknownGame and BadOptions, where Strandline is
        parser.error(str(error.args[0]))


if __name__ == "__main__":
    main()
