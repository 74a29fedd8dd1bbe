"""How strong the levels are, and how fast the search is beside OpenSpiel's: prints the tables of `bench/bots.md`.

    python bench/bots.py --seconds 60 > bench/bots.md

Each pair of bots plays for so many seconds, at least two games; the intervals say what that is worth.
"""

import argparse
import random
import shlex
import sys
import time
from collections.abc import Iterator

import pyspiel

import strandline
from strandline.bots import tournament
from strandline.bots.tree import Tree
from strandline.engine.position import Position

PAIRS = (("2", "1"), ("3", "2"), ("4", "3"), ("search", "4"), ("search", "random"))
SPEED_SIMULATIONS = 10_000
OPENSPIEL = {"backgammon": 300, "connect_four": 20_000}
"""OpenSpiel's games, and how many simulations are timed."""


def played(start: Position, names: tuple[str, ...], seconds: float) -> tournament.Table:
    """As many games as fit into the time, in whole rotations of the seats."""
    began = time.perf_counter()
    found: list[tournament.Result] = []
    for result in tournament.results(start, names, 1000, seed=1):
        found.append(result)
        if len(found) % len(names) == 0 and time.perf_counter() - began > seconds:
            break
    return tournament.Table(start, list(names), found, time.perf_counter() - began)


def strength(seconds: float) -> Iterator[str]:
    """A row for each game and pair."""
    yield "| game | bots | games | first bot's share | 95 % interval | of games with a winner |"
    yield "|---|---|---|---|---|---|"
    for name in strandline.games():
        start = strandline.game(name).new()
        if start.players == 1:
            yield from alone(name, seconds)
            continue
        for pair in PAIRS:
            table = played(start, pair, seconds)
            low, high = table.interval(0)
            decided = len(table.results) - table.nobody
            of_decided = table.share(0) * len(table.results) / max(decided, 1)
            yield (
                f"| {name} | {pair[0]} against {pair[1]} | {len(table.results)} | {table.share(0):.1%} |"
                f" {low:.1%} to {high:.1%} | {of_decided:.1%} |"
            )


def alone(name: str, seconds: float) -> Iterator[str]:
    """A game for one seat: how often each bot wins it, at full length and short."""
    for turns in (10, 6):
        for who in ("random", "1", "2", "3", "4", "search"):
            table = played(strandline.game(name).new(1, turns=turns), (who,), seconds)
            low, high = table.interval(0)
            yield (
                f"| {name}, {turns} turns | {who} alone | {len(table.results)} | {table.share(0):.1%} |"
                f" {low:.1%} to {high:.1%} | |"
            )


def speed() -> Iterator[str]:
    """Simulations a second on one core, from the first decision of a game."""
    yield "| game | simulations a second, one core |\n|---|---|"
    for name in strandline.games():
        rng, position = random.Random(1), strandline.game(name).new()
        while position.turn == "chance":
            position = position.play(rng.choice(position.moves()))
        Tree(position.game, 10).grow(position.records(), 1, 0, 10)
        tree = Tree(position.game, SPEED_SIMULATIONS)
        began = time.perf_counter()
        tree.grow(position.records(), 1, 0, SPEED_SIMULATIONS)
        yield f"| {name} | {SPEED_SIMULATIONS / (time.perf_counter() - began):,.0f} |"
    for name, simulations in OPENSPIEL.items():
        yield f"| OpenSpiel's C++ MCTS, {name} | {openspiel(name, simulations):,.0f} |"


def openspiel(name: str, simulations: int) -> float:
    """OpenSpiel's own search with random rollouts, on its own game."""
    game = pyspiel.load_game(name)
    state, rng = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
    began = time.perf_counter()
    bot.mcts_search(state)
    return simulations / (time.perf_counter() - began)


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each pair (default 60)")
    args = parser.parse_args()
    print(f"# Bots: measured strength and speed\n\nMade by `python {shlex.join(sys.argv)}`.")
    print('Two-seat games, default options, seats rotated. "search" is level 5 without perfect play.\n')
    for line in (*speed(), ""):
        print(line, flush=True)
    for line in strength(args.seconds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
