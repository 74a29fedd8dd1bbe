"""Random play and search of every game: WebAssembly beside native code, and random play beside C++ written by hand.

CPU time of one thread, the best of a few runs taken in turns: `python bench/kernels.py`, or with the names of games.
All of them must play the same games and grow the same trees.
"""

import sys
import time
from collections.abc import Callable, Hashable

import cpp

import strandline
from strandline.bots.tree import Tree
from strandline.engine import simulation, speeds

SEED = 2026
SECONDS = 0.3
"""About how long one run takes."""
REPEATS = 5
MOST_GAMES = 200_000
MOST = 20_000
"""Simulations of one tree at most."""

Run = Callable[[int], tuple[float, Hashable]]
"""Plays that many games or simulations. Returns the time they took, and what came of them."""


def main() -> None:
    """Measure the games and print a table in Markdown."""
    columns = (
        "game",
        "",
        "wasm, a second",
        "native",
        "C++",
        "wasm / native",
        "native / C++",
        "with a deadline / without",
    )
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for name in sys.argv[1:] or strandline.games():
        game = strandline.game(name)
        start = game.new()
        show(game, "random games", rates(players(start), MOST_GAMES))
        show(game, "simulations of a search", rates(searchers(start), MOST))


def show(game: strandline.Game, what: str, found: list[float]) -> None:
    """Print a row."""
    wasm, stopped, native, *by_hand = found
    rates = [f"{rate:,.0f}" for rate in (wasm, native, *by_hand)] + ["–"] * (not by_hand)
    shares = [f"{wasm / native:.0%}", f"{native / by_hand[0]:.0%}" if by_hand else "–", f"{stopped / wasm:.0%}"]
    print(f"| {' | '.join((game.title, what, *rates, *shares))} |", flush=True)


def rates(ways: list[Run], most: int) -> list[float]:
    """How many a second each way plays, all of them the same number."""
    number = 64
    while (slowest := max(way(number)[0] for way in ways)) < SECONDS / 4 and number < most:
        number = min(most, number * 4)
    number = min(most, max(1, int(number * SECONDS / slowest)))
    best = [float("inf")] * len(ways)
    for _ in range(REPEATS):
        results = [way(number) for way in ways]
        if len({found for _, found in results}) > 1:
            sys.exit("The speeds do not agree.")
        best = [min(old, seconds) for old, (seconds, _) in zip(best, results, strict=True)]
    return [number / seconds for seconds in best]


def players(start: strandline.Position) -> list[Run]:
    """Random games as wasm, as wasm that can be stopped, as native code, and as C++ if somebody has written that."""

    def at(speed: speeds.Maker) -> Run:
        player = simulation.Player(start.game, speed)

        def play(number: int) -> tuple[float, cpp.Totals]:
            began = time.thread_time()
            rows = [
                player.play(bytes(start), SEED, first, min(simulation.CHUNK, number - first))
                for first in range(0, number, simulation.CHUNK)
            ]
            seconds = time.thread_time() - began
            return seconds, cpp.totals(simulation.Rows(b"".join(rows), player.seats, start.players))

        play(1)
        return play

    program = cpp.program(start.game.name)
    by_hand = [lambda number: cpp.play(program, number, start.players, SEED)] if program else []
    return [at(speeds.Wasm), at(speeds.stoppable), at(speeds.Native), *by_hand]


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
