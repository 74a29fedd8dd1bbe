"""Random games of Up the River, side by side in one run: `python bench/river.py`.

Interpreted and compiled rules, a hand-written C++ program, and the same game in OpenSpiel's Python API. All of them
make the same draws, so they play the same games, and their totals are compared before any time is believed. Time is
that of the CPU, but for two cores.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import cpp
import numpy as np
from cpp import Totals
from rich.console import Console
from rich.table import Table

import strandline
from strandline.engine import draws, records, simulation, speeds

GAME = strandline.game("up_the_river")
SEED = 2026
GAMES = {"fast": 2_000_000, "slow": 400}
REPEATS = 3
OTHER_DRAWS = "C++, a cheaper generator"


@dataclass(frozen=True)
class Result:
    """One way to play: how many games in how many seconds, and what came of them."""

    name: str
    games: int
    seconds: float
    totals: Totals


def main() -> None:
    """Measure two and four seats and print ratios."""
    for players in (2, 4):
        results = measure(players)
        for group in GAMES.values():
            totals = [result.totals for result in results if result.games == group and result.name != OTHER_DRAWS]
            if any(other != totals[0] for other in totals):
                sys.exit(f"The programs did not play the same games: {totals}")
        show(players, results)
    one_position()


def measure(players: int) -> list[Result]:
    """Every way to play, with the best of a few runs each, taken in turns so that all see the same machine."""
    ways: dict[str, tuple[int, Callable[[int], tuple[float, Totals]]]] = {}
    program, cheaper = cpp.program(GAME.name), cpp.program(GAME.name, "-DCHEAP")
    if program and cheaper:
        ways["C++, by hand"] = GAMES["fast"], lambda games: cpp.play(program, games, players, SEED)
        ways[OTHER_DRAWS] = GAMES["fast"], lambda games: cpp.play(cheaper, games, players, SEED)
    else:
        print("C++ is left out: there is no compiler here.")
    ways["compiled, kernel alone"] = GAMES["fast"], lambda games: kernel(games, players)
    ways["compiled, one core"] = GAMES["fast"], lambda games: compiled(games, players, 1)
    if simulation.cores() > 1:
        ways["compiled, two cores"] = GAMES["fast"], lambda games: compiled(games, players, 2)
    ways["wasm, one core"] = GAMES["fast"], lambda games: webassembly(games, players)
    ways["interpreted"] = GAMES["slow"], lambda games: interpreted(games, players)
    try:
        import openspiel_river  # noqa: F401
    except ImportError:
        print("OpenSpiel is left out: install the extra 'openspiel' to compare with it.")
    else:
        ways["OpenSpiel's Python API"] = GAMES["slow"], lambda games: openspiel(games, players)
    best: dict[str, Result] = {}
    for _ in range(REPEATS):
        for name, (games, play) in ways.items():
            seconds, totals = play(games)
            if name not in best or seconds < best[name].seconds:
                best[name] = Result(name, games, seconds, totals)
    return list(best.values())


def totals_of(rows: simulation.Results) -> Totals:
    """The totals of a simulation's rows."""
    wins, scores = tuple(rows.winners.sum(0).tolist()), tuple(rows.scores.sum(0).tolist())
    return Totals(int(rows.steps.sum()), int(rows.decisions.sum()), wins, scores)


def compiled(games: int, players: int, threads: int) -> tuple[float, Totals]:
    """As everybody calls it."""
    clock = time.process_time if threads == 1 else time.perf_counter
    GAME.simulate(1, players)
    began = clock()
    rows = GAME.simulate(games, players, seed=SEED, threads=threads)
    return clock() - began, totals_of(rows)


def webassembly(games: int, players: int) -> tuple[float, Totals]:
    """As `game.simulate` plays where nothing is compiled."""
    start = GAME.new(players)
    next(simulation.chunks(GAME, 1, start, speed=speeds.Wasm))
    began = time.process_time()
    rows = b"".join(rows.data for _, rows in simulation.chunks(GAME, games, start, SEED, 1, speeds.Wasm))
    return time.process_time() - began, totals_of(simulation.Rows(rows, max(GAME.seats), players).array())


def kernel(games: int, players: int) -> tuple[float, Totals]:
    """The compiled driver alone, without the arrays that callers get."""
    return driven(GAME.compiled().simulate, games, players, lambda array: array)


def interpreted(games: int, players: int) -> tuple[float, Totals]:
    """The same driver as ordinary Python."""
    return driven(GAME.interpreted().simulate, games, players, records.view)


def driven(
    simulate: Callable[..., None], games: int, players: int, seen: Callable[..., object]
) -> tuple[float, Totals]:
    """Run the driver at either speed."""
    rows = np.zeros(games, simulation.row_layout(max(GAME.seats)).dtype)
    states, works = np.zeros(1, GAME.rules.STATE), np.zeros(1, GAME.rules.WORK)
    arguments = [seen(array) for array in (GAME.new(players).records(), states, works)]
    simulate(*arguments, SEED, 0, seen(rows[:1]))
    began = time.process_time()
    simulate(*arguments, SEED, 0, seen(rows))
    return time.process_time() - began, totals_of(simulation.Rows(rows.tobytes(), max(GAME.seats), players).array())


def openspiel(games: int, players: int) -> tuple[float, Totals]:
    """The same draws on OpenSpiel's states."""
    import pyspiel

    game = pyspiel.load_game("python_up_the_river", {"players": players})
    steps, decisions, wins, scores = 0, 0, [0] * players, [0] * players
    began = time.process_time()
    for number in range(games):
        key, k, state = draws.stream(SEED, number), 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
                decisions += 1
            state.apply_action(actions[draws.draw(key, k, len(actions))])
            k += 1
        steps += k
        result = [int(value) for value in state.returns()]
        for seat, value in enumerate(result):
            scores[seat] += value
            wins[seat] += value == max(result) > 0
    return time.process_time() - began, Totals(steps, decisions, tuple(wins), tuple(scores))


def show(players: int, results: list[Result]) -> None:
    """Print the table; every ratio is against the first row, or the last where C++ is missing."""
    table = Table(title=f"Up the River, {players} seats, random games")
    for title in ("", "games/s", "ns/step", "time for a step, against the first row"):
        table.add_column(title, justify="right" if title else "left")
    first = results[0].seconds / results[0].totals.steps
    for result in results:
        step = result.seconds / result.totals.steps
        table.add_row(
            result.name, f"{result.games / result.seconds:,.0f}", f"{step * 1e9:,.1f}", f"{step / first:,.2f} ×"
        )
    Console().print(table)


def one_position() -> None:
    """What one move costs by hand."""
    position, began, moves = GAME.new(), time.perf_counter(), 0
    while time.perf_counter() - began < 1:
        position = position.play(position.moves()[-1]) if position.turn is not None else GAME.new()
        moves += 1
    print(f"Position.play by notation, with moves(): {(time.perf_counter() - began) / moves * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
