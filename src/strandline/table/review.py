"""A review of a finished game: the chances over time, the turning points, luck apart from skill."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from strandline.bots import Review, analysis
from strandline.bots import review as look_again
from strandline.engine.position import Position
from strandline.table.table import Table

Progress = Callable[[float], None]
"""Is told how much is done, from 0 to 1."""
SECONDS = 4.0
"""About how long a review may take."""
FEWEST, MOST = 60, 20_000
"""Simulations for each position."""
PILOT = 200
LEAST_CHANGE = 0.02
"""Whatever changed less is not a turning point."""


@dataclass(frozen=True)
class Reviewed:
    """A review and how many simulations it rests on, for each position."""

    review: Review
    simulations: float
    """Without end where the game is solved."""


def compute(start: Position, moves: list[str], progress: Progress = lambda done: None) -> Reviewed:
    """Review a game for about `SECONDS`. It takes a thread for that long."""
    if analysis.solution(start) is not None:
        return Reviewed(look_again(start, moves, progress=progress), math.inf)
    simulations = _affordable(start, moves)
    return Reviewed(look_again(start, moves, simulations=simulations, progress=progress), simulations)


def _affordable(start: Position, moves: list[str]) -> int:
    """How many simulations a position gets, from a trial in the middle of the game."""
    middle = start
    for move in moves[: len(moves) // 2]:
        middle = middle.play(move)
    analysis.chances(middle, PILOT)  # what it needs is loaded now
    began = time.perf_counter()
    analysis.chances(middle, PILOT)
    each = SECONDS / (len(moves) + 1)
    return max(FEWEST, min(MOST, int(PILOT * each / max(time.perf_counter() - began, 1e-6))))


def way(table: Table) -> list[int]:
    """The numbers of the positions that were not taken back, from the start to the end."""
    return list(reversed(list(table.record.path())))


def moves(table: Table) -> list[str]:
    """The moves and outcomes that were not taken back."""
    return [table.record.lines[number - 1].text for number in way(table)[1:]]


def shown(table: Table, reviewed: Reviewed) -> dict[str, Any]:
    """What the reader of the moment is shown. The game is over, so nothing is secret any more."""
    numbers, review = way(table), reviewed.review
    return {
        "positions": [
            {"number": number, "chances": chances} for number, chances in zip(numbers, review.chances, strict=True)
        ],
        "turning_points": [
            {
                "number": numbers[event.number + 1],
                "by": "chance" if event.who is None else event.who,
                "sentence": table.record.events(numbers[event.number + 1], ())[0].sentence,
                "before": review.chances[event.number],
                "after": review.chances[event.number + 1],
            }
            for event in review.turning_points
            if max(map(abs, event.change)) >= LEAST_CHANGE
        ],
        "seats": [
            {
                "seat": seat,
                "luck": review.luck[seat],
                "luck_error": _error(reviewed, seat, None),
                "cost": review.cost[seat],
                "cost_error": _error(reviewed, seat, seat),
            }
            for seat in range(table.players)
        ],
    }


def _error(reviewed: Reviewed, seat: int, who: int | None) -> float:
    """The standard error of all that `who` changed for the seat: what lies between two such changes cancels out."""
    events = [event.who == who for event in reviewed.review.events]
    edges = zip([False, *events], [*events, False], reviewed.review.chances, strict=True)
    chances = [chances[seat] for before, after, chances in edges if before != after]
    return float((sum(max(0.0, chance * (1 - chance)) for chance in chances) / reviewed.simulations) ** 0.5)
