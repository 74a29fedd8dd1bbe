"""One game of a study is one row of whole numbers, whoever played it and wherever. `play` fills rows in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from strandline.engine import binding, metrics
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.metrics import Metric
from strandline.engine.position import Position
from strandline.lab import drivers

DEVICES = ("cpu", "cuda")
POLICIES = {"random": 0, "guided": drivers.GUIDED}
"""Players whose games are played by one compiled driver."""

Rows = np.ndarray[Any, np.dtype[np.void]]


def metrics_of(game: Game) -> tuple[Metric, ...]:
    """What is counted in the game."""
    return tuple(getattr(binding.part(game.rules, metrics), "METRICS", ()))


def row_dtype(game: Game) -> np.dtype[np.void]:
    """The row of a game: what came of it, how it went, and what was counted."""
    seats = max(game.seats)
    return np.dtype(
        [
            ("winners", "i4"),  # as bits
            ("scores", "i4", (seats,)),
            ("steps", "i4"),  # moves and outcomes
            ("decisions", "i4"),
            ("rounds", "i4"),
            ("choices", "i4"),  # the sum over all decisions
            ("most", "i4"),  # choices
            ("menu", "i4", (drivers.MENUS,)),  # decisions by their number of choices
            ("lead_changes", "i4"),
            ("known", "i4"),  # rounds after which no winner was ever behind again
            ("leader", "i4"),  # while it is played: 1 + the seat that has led last
            ("behind", "i4", (seats,)),  # while it is played: the last round after which each seat did not lead
            ("tally", "i4", (max(1, len(metrics_of(game))),)),
        ],
        align=True,
    )


def play(start: Position, policies: Sequence[int], seed: int, first: int, number: int, device: str = "cpu") -> Rows:
    """Games `first` to `first + number - 1` of the seed, from `start`, a row each: the same rows on every device."""
    if device == "cuda":
        from strandline.lab import cuda

        return cuda.play(start, policies, seed, first, number)
    if device != "cpu":
        raise BadOptions(f"--device must be {' or '.join(DEVICES)}, not {device}.")
    game = start.game
    rows = np.zeros(number, row_dtype(game))
    states, works = np.zeros(2, game.rules.STATE), np.zeros(1, binding.work(game.rules))
    game.compiled(drivers).play(start.records(), states, works, seed, first, np.array(policies, np.int32), rows)
    return rows
