"""The C++ programs beside this file: random games written by hand, on the same draws as everything else."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import strandline
from strandline.engine import simulation

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Totals:
    """What came of many games: what two ways to play them must agree on."""

    steps: int
    decisions: int
    wins: tuple[int, ...]
    scores: tuple[int, ...]


@functools.cache
def program(game: str, *flags: str) -> Path | None:
    """The program of a game, built now; None where there is no compiler, or nobody has written one."""
    source = HERE / f"{game}.cpp"
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not compiler or not source.exists():
        return None
    built = Path(tempfile.mkdtemp()) / game
    subprocess.run([compiler, "-std=c++17", "-O3", "-march=native", *flags, "-o", built, source], check=True)
    return built


def play(program: Path, games: int, players: int, seed: int, first: int = 0) -> tuple[float, Totals]:
    """Seconds of CPU, which the program counts itself, and what came of the games."""
    command = [str(program), *map(str, (games, players, seed, first))]
    seconds, *numbers = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    steps, decisions, *rest = map(int, numbers)
    return float(seconds), Totals(steps, decisions, tuple(rest[:players]), tuple(rest[players:]))


def totals(rows: simulation.Rows) -> Totals:
    """The totals of a simulation's rows."""
    wins = tuple(map(sum, zip(*rows.winners, strict=True)))
    scores = tuple(map(sum, zip(*rows.scores, strict=True)))
    return Totals(sum(rows.steps), sum(rows.decisions), wins, scores)


def check(game: strandline.Game, games: int, players: int, seed: int = 1) -> None:
    """Stop if the program of a game does not play the same games."""
    built = program(game.name)
    if built is None:
        sys.exit(f"There is no C++ compiler here, or no program of {game.title}.")
    rows = b"".join(rows.data for _, rows in simulation.chunks(game, games, game.new(players), seed))
    due, found = totals(simulation.Rows(rows, max(game.seats), players)), play(built, games, players, seed)[1]
    if found != due:
        sys.exit(f"{game.title}, {players} seats: C++ plays other games.\n{found}\n{due}")


if __name__ == "__main__":
    for name in sys.argv[1:] or strandline.games():
        for players in strandline.game(name).seats:
            check(strandline.game(name), 20_000, players)
            print(f"{name}, {players} seats: the same games", flush=True)
