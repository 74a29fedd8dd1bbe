"""How strong the levels are, and how fast the search is beside OpenSpiel's: prints the tables of `bench/bots.md`.

    python bench/bots.py --seconds 60 > bench/bots.md

Each pair of bots plays for this many seconds, at least two games; the intervals say what that is worth.
"""

import argparse
import math
import random
import shlex
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import chain

import pyspiel

import strandline
from strandline.bots import bot, exact, tournament
from strandline.bots.tree import Tree
from strandline.engine.position import Position

PAIRS = (("2", "1"), ("3", "2"), ("4", "3"), ("search", "4"), ("search", "random"))
SPEED_SIMULATIONS = 10_000
OPENSPIEL = {"backgammon": 300, "connect_four": 20_000}
"""OpenSpiel's games, and how many simulations are timed."""


def played(start: Position, names: tuple[str, ...], seconds: float) -> tournament.Standings:
    """As many games as fit into the time, in whole rotations of the seats."""
    began = time.perf_counter()
    found: list[tournament.Result] = []
    for result in tournament.results(start, names, 1000, seed=1):
        found.append(result)
        if len(found) % len(names) == 0 and time.perf_counter() - began > seconds:
            break
    return tournament.Standings(start, list(names), found, time.perf_counter() - began)


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


def beside_perfect(seconds: float) -> Iterator[str]:
    """What the search gives away to perfect play where a game is solved: a row for each level, and one for random play.

    The bot meets a perfect player, each in every seat in turn. Luck is left out: what a choice gives away is the lead
    that is expected after a perfect move less the one expected after the move made, and the sum over a game is what
    the bot expects to fall behind the perfect result.
    """
    yield "| game | bot | games | choices | perfect ones | share of the win given away in a game | standard error |"
    yield "|---|---|---|---|---|---|---|"
    for name in strandline.games():
        game = strandline.game(name)
        solver, start = exact.solver(game), game.new()
        if solver is None or not solver.solves(start):
            continue
        solver.prepare(start)
        for who in ("random", "1", "2", "3", "4", "search", "5"):
            lost, choices, perfect = given_away(solver, start, who, seconds)
            mean, error = statistics.mean(lost), statistics.stdev(lost) / math.sqrt(len(lost))
            yield (
                f"| {name} | {who} | {len(lost)} | {choices} | {perfect / choices:.1%} |"
                f" {100 * mean:.2f} % | {100 * error:.2f} % |"
            )


def given_away(solver: exact.Solver, start: Position, who: str, seconds: float) -> tuple[list[float], int, int]:
    """What each game cost the bot, how many choices it had, and how many of its moves were perfect."""
    pair = [bot(who, start.game), bot("5", start.game)]
    lost: list[float] = []
    choices = perfect = 0
    began, rng = time.perf_counter(), random.Random(1)
    while len(lost) < 2 * start.players or time.perf_counter() - began < seconds:
        own, position, total = len(lost) % start.players, start, 0.0
        while position.turn is not None:
            seat, moves = position.turn, position.moves()
            if seat == "chance":
                position = position.play(rng.choices(moves, position.odds())[0])
                continue
            move = pair[seat != own].choose(position, seat, rng.getrandbits(62))
            if seat == own and len(moves) > 1:
                leads = {text: exact.lead(shares, seat) for text, shares in solver.values(position).items()}
                loss = max(leads.values()) - leads[move]
                total += loss / 2  # a lead of one is half a win more for the one and half a win less for the other
                choices += 1
                perfect += loss < exact.SAME
            position = position.play(move)
        lost.append(total)
    return lost, choices, perfect


def pace(seconds: float) -> Iterator[str]:
    """How long level 5 thinks about a move, on two threads as at a table: in random games, where there is a choice."""
    yield "| game | moves | seconds a move, median | 95 % within | longest |\n|---|---|---|---|---|"
    for name in strandline.games():
        game = strandline.game(name)
        player, rng, position = bot("5", game, threads=2), random.Random(2), game.new()
        times: list[float] = []
        began = time.perf_counter()
        while len(times) < 5 or time.perf_counter() - began < seconds:
            if isinstance(position.turn, int) and len(position.codes()) > 1 and rng.random() < 0.2:
                before = time.perf_counter()
                player.choose(position, position.turn, rng.getrandbits(62))
                times.append(time.perf_counter() - before)
            tickets = position.moves()
            odds = position.odds() if position.turn == "chance" else None
            position = position.play(rng.choices(tickets, odds)[0]) if tickets else game.new()
        times = sorted(times[1:])  # before the first one modules are loaded, and Up the River is solved
        within = times[math.ceil(0.95 * len(times)) - 1]
        yield f"| {game.title} | {len(times)} | {statistics.median(times):.2f} | {within:.2f} | {times[-1]:.2f} |"


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
        Tree(position.game, 10).grow(bytes(position), 1, 0, 10)
        tree = Tree(position.game, SPEED_SIMULATIONS)
        began = time.perf_counter()
        tree.grow(bytes(position), 1, 0, SPEED_SIMULATIONS)
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
    parser.add_argument("--pace", action="store_true", help="only how long level 5 thinks about a move")
    args = parser.parse_args()
    if args.pace:
        for line in pace(args.seconds):
            print(line, flush=True)
        return
    print(f"# Bots: measured strength and speed\n\nMade by `python {shlex.join(sys.argv)}`.")
    print('Two-seat games, default options, seats rotated. "search" is level 5 without perfect play.\n')
    parts = (speed(), pace(args.seconds / 4), beside_perfect(args.seconds), strength(args.seconds))
    for line in chain.from_iterable(chain(part, [""]) for part in parts):
        print(line, flush=True)


if __name__ == "__main__":
    main()
