"""Perfect play, where a game's folder has an exact solution: a module `exact` with what `Solver` says."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable
from typing import Protocol, cast

from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position

SAME = 1e-9
"""Moves whose values differ by less are equally good."""


class Solver(Protocol):
    """What a game's `exact.py` defines. A share is a seat's part of the win, from 0 to 1, expected in perfect play."""

    def solves(self, position: Position) -> bool:
        """Whether the other functions can be asked about the position."""

    def prepare(self, position: Position, progress: Callable[[float], None] | None = None) -> int:
        """Have the tables ready, solving what is not on disk yet. Returns the number of positions that they hold.

        `progress` is called now and then with the part that is done, from 0 to 1.
        """

    def values(self, position: Position) -> dict[str, tuple[float, ...]]:
        """Every seat's share after each legal move, or after each outcome of chance."""


def solver(game: Game) -> Solver | None:
    """The game's exact solution, if its folder has one."""
    name = f"{game.rules.__package__}.exact"
    return cast(Solver, importlib.import_module(name)) if importlib.util.find_spec(name) else None


def lead(shares: tuple[float, ...], seat: int) -> float:
    """What a perfect player maximises: one's own share less those of the others."""
    return 2 * shares[seat] - sum(shares)


def best_moves(found: Solver, position: Position, seat: int) -> list[str]:
    """The perfect moves of the seat whose turn it is, in the order of `position.moves()`."""
    leads = {move: lead(shares, seat) for move, shares in found.values(position).items()}
    return [move for move, value in leads.items() if value > max(leads.values()) - SAME]


def shares(found: Solver, position: Position) -> tuple[float, ...]:
    """Every seat's share in a position in which the game goes on."""
    values = found.values(position)
    if position.turn != "chance":
        assert position.turn is not None
        return values[best_moves(found, position, position.turn)[0]]
    return tuple(
        sum(odds * value[seat] for odds, value in zip(position.odds(), values.values(), strict=True))
        for seat in range(position.players)
    )


def print_solution(start: Position) -> None:
    """Solve the game, with a progress bar on standard error, and print what perfect players can expect."""
    found = solver(start.game)
    if found is None or not found.solves(start):
        raise BadOptions(f"{start.game.title} has no exact solution for {start.players} players and these options.")
    positions, seconds = _prepared(found, start)
    expected = shares(found, start)
    print(f"{start.game.title}, {start.players} players: {positions:,} positions, ready in {seconds:.1f} seconds.")
    for seat, share in enumerate(expected):
        print(f"Seat {seat}: expected share of the win {share:.10f}, lead {lead(expected, seat):+.10f}.")
    print(f"Nobody wins: {1 - sum(expected):.10f}.")
    if start.turn == "chance":
        for outcome in start.moves():
            _print_best(found, outcome, start.play(outcome))


def _prepared(found: Solver, start: Position) -> tuple[int, float]:
    """The number of positions, and the seconds that it took to have them."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    began = time.perf_counter()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(start.game.title, total=1.0)
        positions = found.prepare(start, lambda part: progress.update(bar, completed=part))
    return positions, time.perf_counter() - began


def _print_best(found: Solver, outcome: str, position: Position) -> None:
    """A line for an outcome of the first roll: the perfect moves after it and what comes of them."""
    if isinstance(position.turn, int):
        moves, seat = best_moves(found, position, position.turn), position.turn
        expected = found.values(position)[moves[0]]
        print(f"  {outcome}: {' or '.join(moves)}, lead of seat {seat} {lead(expected, seat):+.6f}")
    elif position.turn is not None:
        print(f"  {outcome}: no choice, lead of seat 0 {lead(shares(found, position), 0):+.6f}")
