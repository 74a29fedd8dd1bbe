"""Random play and search of every game as WebAssembly and as native code, side by side: `python bench/kernels.py`.

Up the River also beside the C++ program of `river.py`. CPU time of one thread, the best of a few runs taken in turns.
All of them must play the same games and grow the same trees. Games can be named: `python bench/kernels.py undertow`.
"""

import sys
import time
from collections.abc import Callable

import river

import strandline
from strandline.bots.tree import Tree
from strandline.engine import simulation, speeds

SEED = 2026
SECONDS = 0.3
"""About how long one run takes."""
REPEATS = 5
MOST = 20_000
"""Simulations of one tree at most."""

Run = Callable[[int], tuple[float, bytes]]
"""Plays that many games or simulations. Returns the time they took, and what came of them."""


def main() -> None:
    """Measure the games and print a table in Markdown."""
    print("| game | | wasm, a second | native | wasm / native | with a deadline / without |\n|---|---|---|---|---|---|")
    for name in sys.argv[1:] or strandline.games():
        game = strandline.game(name)
        start = game.new()
        for what, ways in (("random games", players(start)), ("simulations of a search", searchers(start))):
            quick, stopped, native = rates(ways)
            shares = f"{quick / native:.0%} | {stopped / quick:.0%}"
            print(f"| {game.title} | {what} | {quick:,.0f} | {native:,.0f} | {shares} |", flush=True)
    program = river.cpp_program()
    if program and (len(sys.argv) == 1 or "up_the_river" in sys.argv):
        seconds = min(river.cpp(program, 1_000_000, 2)[0] for _ in range(REPEATS))
        print(f"\nUp the River in C++, by hand: {1_000_000 / seconds:,.0f} random games a second (time on the clock).")


def rates(ways: list[Run]) -> list[float]:
    """How many a second each way plays, all of them the same number."""
    number = 64
    while (slowest := max(way(number)[0] for way in ways)) < SECONDS / 4 and number < MOST:
        number = min(MOST, number * 4)
    number = min(MOST, max(1, int(number * SECONDS / slowest)))
    best = [float("inf")] * len(ways)
    for _ in range(REPEATS):
        results = [way(number) for way in ways]
        if len({found for _, found in results}) > 1:
            sys.exit("The speeds do not agree.")
        best = [min(old, seconds) for old, (seconds, _) in zip(best, results, strict=True)]
    return [number / seconds for seconds in best]


def players(start: strandline.Position) -> list[Run]:
    """Random games as wasm, as wasm that can be stopped, and as native code."""

    def at(speed: speeds.Maker) -> Run:
        player = simulation.Player(start.game, speed)

        def play(number: int) -> tuple[float, bytes]:
            began = time.thread_time()
            rows = [
                player.play(bytes(start), SEED, first, min(simulation.CHUNK, number - first))
                for first in range(0, number, simulation.CHUNK)
            ]
            return time.thread_time() - began, b"".join(rows)

        play(1)
        return play

    return [at(speeds.Wasm), at(speeds.stoppable), at(speeds.Native)]


def searchers(start: strandline.Position) -> list[Run]:
    """Searches as wasm, as wasm that can be stopped, and as native code, each in a new tree."""

    def at(speed: speeds.Maker) -> Run:
        def grow(number: int) -> tuple[float, bytes]:
            tree = Tree(start.game, number, speed)
            began = time.thread_time()
            tree.grow(bytes(start), SEED, 0, number)
            return time.thread_time() - began, bytes(tree.nodes)

        grow(1)
        return grow

    return [at(speeds.Wasm), at(speeds.stoppable), at(speeds.Native)]


if __name__ == "__main__":
    main()
