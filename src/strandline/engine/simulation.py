"""Random games by the million: compiled, on all cores, and the same whatever their number."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from strandline.engine.errors import BadOptions

if TYPE_CHECKING:
    from strandline.engine.game import Game
    from strandline.engine.position import Position

CHUNK = 1 << 11
"""Games that one thread plays before it reports."""

Results = np.recarray[Any, np.dtype[np.void]]
"""A row for each game: `winners` and `scores` by seat, `steps`, `decisions` and `rounds`."""


def row_dtype(seats: int) -> np.dtype[np.void]:
    """The row that a driver fills in; `winners` as bits."""
    return np.dtype(
        [("scores", "i4", (seats,)), ("steps", "i4"), ("decisions", "i4"), ("rounds", "i4"), ("winners", "i4")],
        align=True,
    )


def results_dtype(players: int) -> np.dtype[np.void]:
    """The row that callers get."""
    return np.dtype(
        [
            ("winners", "?", (players,)),
            ("scores", "i4", (players,)),
            ("steps", "i4"),
            ("decisions", "i4"),
            ("rounds", "i4"),
        ]
    )


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    game: Game, games: int, start: Position, seed: int, threads: int | None, progress: Callable[[int], None] | None
) -> Results:
    """Play `games` random games from `start`."""
    results = np.recarray(_whole("games", games, 0), dtype=results_dtype(start.players))
    for first, chunk in chunks(game, games, start, seed, threads):
        results[first : first + len(chunk)] = chunk
        if progress:
            progress(len(chunk))
    return results


def chunks(
    game: Game, games: int, start: Position, seed: int = 0, threads: int | None = None
) -> Iterator[tuple[int, Results]]:
    """The same games in pieces, in their order: (number of the first game, rows). Few pieces are held at a time."""
    _whole("seed", seed, 0)
    threads = _whole("threads", cores() if threads is None else threads, 1)
    play = game.compiled().simulate
    start_record = start.records()

    def piece(first: int) -> tuple[int, Results]:
        rows = np.zeros(max(0, min(CHUNK, games - first)), dtype=row_dtype(max(game.seats)))
        states, works = np.zeros(1, game.rules.STATE), np.zeros(1, game.rules.WORK)
        play(start_record, states, works, seed, first, rows)
        return first, public(rows, start.players)

    piece(games)  # no games: one thread alone meets the compiler
    firsts = iter(range(0, games, CHUNK))
    with ThreadPoolExecutor(threads) as pool:
        running = deque(pool.submit(piece, first) for first in islice(firsts, 2 * threads))
        try:
            while running:
                finished = running.popleft().result()
                running.extend(pool.submit(piece, first) for first in islice(firsts, 1))
                yield finished
        finally:
            pool.shutdown(cancel_futures=True)


def public(rows: np.ndarray[Any, Any], players: int) -> Results:
    """The rows of a driver as callers get them."""
    results = np.recarray(len(rows), dtype=results_dtype(players))
    for seat in range(players):
        results["winners"][:, seat] = rows["winners"] & (1 << seat)
        results["scores"][:, seat] = rows["scores"][:, seat]
    for name in ("steps", "decisions", "rounds"):
        results[name] = rows[name]
    return results


def _whole(name: str, value: Any, low: int) -> int:
    if not isinstance(value, int) or not low <= value < 2**63:
        raise BadOptions(f"{name} must be a whole number from {low} on, not {value!r}.")
    return value
