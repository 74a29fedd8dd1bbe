"""OpenSpiel's algorithms on Strandline's games: MCTS against a random player, and CFR+ on a game small enough to solve.

    python examples/openspiel_mcts_cfr.py

Two rounds of Up the River for two are the small game: about 27,000 decisions and 100,000 ways to end. CFR+ runs in C++
over its tree, which is written out once; external sampling MCCFR runs on the game itself, and needs no tree.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr, mcts

import strandline.env.openspiel  # noqa: F401 - it registers the games
from strandline.intervals import interval

SMALL = "strandline_up_the_river(players=2,round_limit={rounds},sandbank_start=2,tide_start=8)"
"""The sandbank is out of the way and the high tide in reach, so that boats come home in two rounds."""


def play(game: Any, bots: Sequence[Any], rng: random.Random) -> list[float]:
    """A game between bots; what it gives to each."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return list(state.returns())


class RandomBot:
    """A bot to which all actions are alike."""

    def __init__(self, rng: random.Random) -> None:
        """It draws from `rng`."""
        self.rng = rng

    def step(self, state: Any) -> int:
        """Any legal action."""
        return int(self.rng.choice(state.legal_actions()))


def search(name: str, games: int, simulations: int, seed: int) -> tuple[float, int]:
    """MCTS against random, each in every seat in turn: MCTS's share of the win, in all, and the games."""
    game = pyspiel.load_game(name)
    rng, numbers = random.Random(seed), np.random.RandomState(seed)
    searching = mcts.MCTSBot(
        game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, numbers), solve=False, random_state=numbers
    )
    share = 0.0
    for number in range(games):
        own = number % 2
        pair = [searching, RandomBot(rng)] if own == 0 else [RandomBot(rng), searching]
        share += (play(game, pair, rng)[own] + 1) / 2
    return share, games


def tree(root: Any) -> Any:
    """The tree from a state on, written out for OpenSpiel to read as a game of its own, on which its C++ is quick."""
    game = root.get_game()
    seats = " ".join(f'"seat {seat}"' for seat in range(game.num_players()))
    lines = [f'EFG 2 R "{game}" {{ {seats} }}']
    known: list[dict[str, int]] = [{} for _ in range(game.num_players())]

    def number(state: Any) -> int:
        """The number of the seat's information state, from 1."""
        states: dict[str, int] = known[state.current_player()]
        return states.setdefault(str(state.information_state_string()), len(states) + 1)

    def visit(state: Any) -> None:
        if state.is_terminal():
            lines.append(f't "" {len(lines)} "" {{ {" ".join(map(str, state.returns()))} }}')
            return
        names = [f'"{state.action_to_string(action)}"' for action in state.legal_actions()]
        if state.is_chance_node():
            odds = [f"{name} {odds:.16f}" for name, (_, odds) in zip(names, state.chance_outcomes(), strict=True)]
            lines.append(f'c "" {len(lines)} "" {{ {" ".join(odds)} }} 0')
        else:
            lines.append(f'p "" {state.current_player() + 1} {number(state)} "" {{ {" ".join(names)} }} 0')
        for action in state.legal_actions():
            visit(state.child(action))

    visit(root)
    return pyspiel.load_efg_game("\n".join(lines) + "\n")


def solve(rounds: int, iterations: Sequence[int]) -> Iterator[tuple[int, float]]:
    """CFR+ on the small game: NashConv of the average policy after so many iterations."""
    game = tree(pyspiel.load_game(SMALL.format(rounds=rounds)).new_initial_state())
    solver = pyspiel.CFRPlusSolver(game)
    for iteration in range(1, max(iterations) + 1):
        solver.evaluate_and_update_policy()
        if iteration in iterations:
            yield iteration, pyspiel.nash_conv(game, solver.average_policy())


def sample(rounds: int, iterations: Sequence[int], seed: int) -> Iterator[tuple[int, float]]:
    """External sampling MCCFR on the small game as it is: the same numbers."""
    np.random.seed(seed)  # the solver draws from there
    game = pyspiel.load_game(SMALL.format(rounds=rounds))
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for iteration in range(1, max(iterations) + 1):
        solver.iteration()
        if iteration in iterations:
            yield iteration, exploitability.nash_conv(game, solver.average_policy())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="strandline_up_the_river", help="for MCTS; two seats (default Up the River)")
    parser.add_argument("--games", type=int, default=40, help="of MCTS against random (default 40)")
    parser.add_argument("--simulations", type=int, default=30, help="of MCTS for a move (default 30)")
    parser.add_argument("--rounds", type=int, default=2, help="of the small game (default 2)")
    parser.add_argument("--iterations", type=int, nargs="+", default=[1, 2, 5, 10, 30, 100], help="of CFR+")
    parser.add_argument("--samples", type=int, nargs="+", default=[1000, 5000], help="iterations of MCCFR")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)

    share, games = search(args.game, args.games, args.simulations, args.seed)
    low, high = interval(share, games)
    print(
        f"MCTS with {args.simulations} simulations: {share / games:.1%} of the win ({low:.1%} to {high:.1%})",
        flush=True,
    )
    for iteration, far in solve(args.rounds, args.iterations):
        print(f"CFR+, {iteration:>6,} iterations: NashConv {far:.6f}", flush=True)
    for iteration, far in sample(args.rounds, args.samples, args.seed):
        print(f"MCCFR, {iteration:>6,} iterations: NashConv {far:.6f}", flush=True)


if __name__ == "__main__":
    main()
