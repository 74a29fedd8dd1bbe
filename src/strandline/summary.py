"""What came of many random games: counted while they are played, shown as tables or as JSON."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import strandline
from strandline import progress
from strandline.engine import simulation
from strandline.intervals import interval


@dataclass
class Totals:
    """The counts and sums of a simulation."""

    start: strandline.Position
    games: int
    seed: int
    seconds: float
    wins: list[int]
    """Games that each seat won, alone or with others."""
    shared: int
    nobody: int
    scores: list[int]
    lengths: dict[str, tuple[int, int, int]]
    """The sum, the least and the most of steps, decisions and rounds."""


def run(start: strandline.Position, games: int, seed: int, threads: int | None, device: str = "cpu") -> Totals:
    """Play the games, with a progress bar on standard error, and keep only their totals."""
    nothing = [0] * start.players
    totals = Totals(start, games, seed, 0.0, list(nothing), 0, 0, list(nothing), {})
    if games < 1:
        raise strandline.BadOptions(f"--games must be 1 or more, not {games}.")
    for _ in _chunks(start, 1, seed, threads, device):
        pass  # all is loaded before the clock starts
    with progress.of_games(start.game.title, games) as advance:
        began = time.perf_counter()
        for _, rows in _chunks(start, games, seed, threads, device):
            _add(totals, rows)
            advance(len(rows))
        totals.seconds = time.perf_counter() - began
    return totals


def _chunks(
    start: strandline.Position, games: int, seed: int, threads: int | None, device: str
) -> Iterator[tuple[int, simulation.Rows]]:
    """The games on this machine's cores or on its GPU."""
    if device == "cuda":
        from strandline.lab import cuda

        return cuda.chunks(start, games, seed)
    return simulation.chunks(start.game, games, start, seed, threads)


def _add(totals: Totals, rows: simulation.Rows) -> None:
    for winners, number in Counter(rows.column("winners")).items():
        totals.shared += number * (winners.bit_count() > 1)
        totals.nobody += number * (winners == 0)
        for seat in range(rows.players):
            totals.wins[seat] += number * (winners >> seat & 1)
    for seat in range(rows.players):
        totals.scores[seat] += sum(rows.column("scores", seat))
    for name in ("steps", "decisions", "rounds"):
        total, least, most = totals.lengths.get(name, (0, 2**62, 0))
        column = rows.column(name)
        totals.lengths[name] = total + sum(column), min(least, *column), max(most, *column)


def as_json(totals: Totals) -> dict[str, Any]:
    """The totals as one JSON object."""
    games = totals.games
    return {
        "game": totals.start.game.name,
        "players": totals.start.players,
        "options": totals.start.options,
        "games": games,
        "seed": totals.seed,
        "seconds": round(totals.seconds, 6),
        "steps": totals.lengths["steps"][0],
        "decisions": totals.lengths["decisions"][0],
        "mean_rounds": totals.lengths["rounds"][0] / games,
        "wins": totals.wins,
        "win_intervals": [list(interval(wins, games)) for wins in totals.wins],
        "shared": totals.shared,
        "nobody": totals.nobody,
        "mean_scores": [score / games for score in totals.scores],
    }


def print_json(totals: Totals) -> None:
    """Print the totals as one JSON object."""
    print(json.dumps(as_json(totals)))


def print_tables(totals: Totals) -> None:
    """Print the totals for people."""
    from rich.console import Console
    from rich.table import Table

    console, games = Console(), totals.games
    seats = Table(title=f"{totals.start.game.title}: {games:,} random games, {totals.start.players} players")
    for title in ("seat", "won", "95 % interval", "mean score"):
        seats.add_column(title, justify="right")
    for seat, wins in enumerate(totals.wins):
        low, high = interval(wins, games)
        row = f"{wins / games:.2%}", f"{low:.2%} to {high:.2%}", f"{totals.scores[seat] / games:.3f}"
        seats.add_row(str(seat), *row)
    console.print(seats)
    console.print(f"Shared wins: {totals.shared / games:.2%}. Nobody won: {totals.nobody / games:.2%}.")
    lengths = Table()
    for title in ("length", "mean", "least", "most"):
        lengths.add_column(title, justify="right")
    for name, (total, least, most) in totals.lengths.items():
        lengths.add_row(name, f"{total / games:.1f}", f"{least:,}", f"{most:,}")
    console.print(lengths)
    console.print(f"{totals.seconds:.2f} s, {games / totals.seconds:,.0f} games a second.")
