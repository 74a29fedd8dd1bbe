"""AlphaZero's training step with Strandline's kernels: search, learn from the search, search with what was learned.

    python examples/alphazero_step.py

In each step a network plays Up the River against itself. It moves as its own search says, which is the champion's:
PUCT in compiled code, in whole numbers. Then it learns from all decisions: which moves the search tried most, and what
each seat got. Perfect play is known here, so the learning curve is one of regret.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

import strandline
from strandline.bots import bot, exact, network, puct
from strandline.bots.tournament import play
from strandline.bots.tree import MIND, POSITIONS, ROW, Tree
from strandline.engine import speeds
from strandline.engine.draws import stream
from strandline.env import quantize, space
from strandline.env.benchmark import Judged
from strandline.env.gymnasium import vector
from strandline.env.training import Network

GAME, PLAYERS = strandline.game("up_the_river"), 2
SPACE = space(GAME, PLAYERS)
BATCH, EPOCHS, RATE = 256, 4, 1e-3


class LearningTree(Tree):
    """A search tree that a network grows, one that goes on learning."""

    DRIVER = puct.guided_search

    def __init__(self, simulations: int) -> None:
        """A tree with room for that many simulations, without a network yet."""
        super().__init__(GAME, POSITIONS * simulations, speeds.Native)
        self.simulations = simulations
        rows = SPACE.size + puct.WIDTH + SPACE.actions + PLAYERS
        new = self._kernels.array
        self._rows, self._biases = new(ROW, rows), new("i4", 2 * puct.WIDTH + SPACE.actions + PLAYERS)
        self._codes = new("i4", SPACE.actions)
        self._codes.write(np.sort(SPACE.codes).astype("<i4").tobytes())
        self._network = (new("i1", SPACE.size), new(MIND, 1), self._rows, self._biases, self._codes)

    def follow(self, learner: Network) -> None:
        """Search as the network says from now on, in the whole numbers that the kernels reckon with."""
        file = io.BytesIO()
        learner.save(file, {"game": GAME.name, "players": PLAYERS})
        file.seek(0)
        data = quantize.quantized(GAME, PLAYERS, dict(np.load(file)))[network.DIGEST :]
        end = len(data) - 4 * (2 * puct.WIDTH + SPACE.actions + PLAYERS)
        self._rows.write(data[:end])
        self._biases.write(data[end:])

    def visits(self, position: strandline.Position, seed: int) -> Any:
        """How much of the search each action got."""
        self.make_room(self._room)
        self.grow(bytes(position), seed, 0, self.simulations)
        found = np.zeros(SPACE.actions, np.float32)
        for tried in self.outlook():
            found[SPACE.action(tried.code)] = tried.visits
        return found / found.sum()

    def _thoughts(self) -> Sequence[Any]:
        return self._network


class Player:
    """The network as a bot: the move it likes best, or the one that its search tried most."""

    def __init__(self, learner: Network, tree: LearningTree | None) -> None:
        """Without a tree, the network alone."""
        self.learner, self.tree = learner, tree

    def choose(self, position: Any, seat: int, seed: int = 0) -> str:
        """A legal move. Nothing is hidden in the game, so the position is the seat's view."""
        here = position if isinstance(position, strandline.Position) else GAME.position(position)
        if len(moves := here.moves()) == 1:
            return moves[0]
        actions = [SPACE.action(code) for code in here.codes()]
        if self.tree is not None:
            liking = self.tree.visits(here, seed)
        else:
            with torch.no_grad():
                seen = torch.as_tensor(SPACE.observe(here, seat))
                liking = self.learner(seen, torch.ones(SPACE.actions))[0].numpy()
        return SPACE.texts[max(actions, key=lambda action: liking[action])]


class SelfPlay:
    """Many games that go on from one training step to the next."""

    def __init__(self, desks: int, seed: int) -> None:
        """So many games at once."""
        self.envs = vector(GAME.name, desks, PLAYERS, opponents="self", autoreset_mode="SameStep")
        self.seen, self.infos = self.envs.reset(seed=seed)
        self.rng = np.random.default_rng(seed)
        self.open: list[list[Any]] = [[] for _ in range(desks)]

    def decisions(self, tree: LearningTree, wanted: int) -> list[Any]:
        """At least so many decisions of games that are over: observation, mask, visits, what each seat got in turn."""
        found: list[Any] = []
        while len(found) < wanted:
            masks, seats = self.infos["action_mask"], self.infos["seat"]
            actions = np.zeros(len(seats), np.int64)
            for i in range(len(seats)):
                if self.infos["legal_count"][i] == 1:
                    visits = masks[i].astype(np.float32)
                else:
                    visits = tree.visits(self.envs.position(i), int(self.rng.integers(2**62)))
                actions[i] = self.rng.choice(SPACE.actions, p=visits / visits.sum(dtype=float))
                self.open[i].append((self.seen[i], masks[i], visits, seats[i]))
            self.seen, _, over, _, self.infos = self.envs.step(actions)
            for i in np.flatnonzero(over).tolist():
                got = self.infos["rewards"][i]
                found += [(*row, np.roll(got, -seat)) for *row, seat in self.open[i]]
                self.open[i] = []
        return found


def learn(learner: Network, optimizer: Any, found: Sequence[Any]) -> float:
    """Come nearer to the visits and to the results. Returns the mean loss."""
    seen, masks, visits, got = (torch.as_tensor(np.array(column)) for column in zip(*found, strict=True))
    losses = []
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(seen)).split(BATCH):
            likely, values = learner(seen[rows], masks[rows])
            policy = -(visits[rows] * likely.clamp_min(-100)).sum(-1).mean()
            loss = policy + (values - got[rows].float()).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
    return sum(losses) / len(losses)


def regret(player: Player, games: int) -> float:
    """What the player's moves give away in a game, in expected share of the win, against a player at random."""
    start, solver = GAME.new(PLAYERS), exact.solver(GAME)
    assert solver is not None
    judged = Judged(player, solver)
    for number in range(games):
        seats = [judged, bot("random", GAME)] if number % 2 == 0 else [bot("random", GAME), judged]
        play(start, seats, stream(10**9, number)[0])
    return judged.regret / games


def main(arguments: Sequence[str] | None = None) -> list[tuple[float, float]]:
    """Run the training steps. Returns the regret before each and after the last: network alone, and with its search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10, help="training steps (default 10)")
    parser.add_argument("--decisions", type=int, default=8000, help="to learn from in each (default 8000)")
    parser.add_argument("--simulations", type=int, default=64, help="of the search for a decision (default 64)")
    parser.add_argument("--desks", type=int, default=64, help="games at a time (default 64)")
    parser.add_argument("--games", type=int, default=100, help="games to judge it by (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same network (default 1)")
    args = parser.parse_args(arguments)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the network is small: threads would wait for each other
    learner = Network(torch.as_tensor(SPACE.scale), SPACE.actions, PLAYERS, puct.WIDTH, 2)
    optimizer = torch.optim.Adam(learner.parameters(), lr=RATE)
    tree, games = LearningTree(args.simulations), SelfPlay(args.desks, args.seed)
    curve: list[tuple[float, float]] = []
    began, told = time.perf_counter(), "nothing learned yet"
    for step in range(args.steps + 1):
        tree.follow(learner)
        curve.append((regret(Player(learner, None), args.games), regret(Player(learner, tree), args.games)))
        print(
            f"step {step}, {time.perf_counter() - began:3.0f} s: regret {curve[-1][0]:.3f} a game alone,"
            f" {curve[-1][1]:.3f} with search; {told}",
            flush=True,
        )
        if step < args.steps:
            found = games.decisions(tree, args.decisions)
            told = f"loss {learn(learner, optimizer, found):.3f} over {len(found):,} decisions"
    games.envs.close()
    return curve


if __name__ == "__main__":
    main()
