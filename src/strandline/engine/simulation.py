"""Random games by the million: on all cores, and the same whatever their number and the speed."""

from __future__ import annotations

import functools
import importlib.util
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from strandline.engine import drivers, speeds
from strandline.engine.errors import BadOptions
from strandline.engine.records import Layout

if TYPE_CHECKING:
    import numpy as np

    from strandline.engine.game import Game
    from strandline.engine.position import Position

    Results = np.recarray[Any, np.dtype[np.void]]
    """A row for each game: `winners` and `scores` by seat, `steps`, `decisions` and `rounds`."""

CHUNK = 1 << 12
"""Games that one thread plays before it reports."""
NAMES = ("winners", "scores", "steps", "decisions", "rounds")
"""What is known of each finished game; `winners` and `scores` by seat."""


@functools.cache
def row_layout(seats: int) -> Layout:
    """The row that a driver fills in; `winners` as bits."""
    return Layout(("scores", "i4", seats), ("steps", "i4"), ("decisions", "i4"), ("rounds", "i4"), ("winners", "i4"))


@dataclass(frozen=True)
class Rows:
    """Finished games, a row of whole numbers each, as the driver has written them.

    `rows.rounds` or `rows["rounds"]` is a list with an item a game, as it is an array where there is NumPy.
    """

    data: bytes | bytearray | memoryview
    seats: int
    """How many seats a row has room for."""
    players: int

    def __len__(self) -> int:
        return len(self.data) // row_layout(self.seats).itemsize

    def column(self, name: str, seat: int = 0) -> list[int]:
        """One number of every game."""
        layout = row_layout(self.seats)
        at = getattr(layout.structure, name).offset // 4 + seat
        return memoryview(self.data).cast("i")[at :: layout.itemsize // 4].tolist()

    def __getitem__(self, name: str) -> list[Any]:
        if name not in NAMES:
            raise KeyError(f"There is no column {name!r}. There are: {', '.join(NAMES)}.")
        if name == "scores":
            return list(zip(*(self.column(name, seat) for seat in range(self.players)), strict=True))
        if name == "winners":
            return [tuple(bool(bits & 1 << seat) for seat in range(self.players)) for bits in self.column(name)]
        return self.column(name)

    def __getattr__(self, name: str) -> list[Any]:
        if name not in NAMES:
            raise AttributeError(f"Rows have no {name!r}.")
        return self[name]

    def array(self) -> Results:
        """The rows for NumPy: `winners` and `scores` by seat, `steps`, `decisions` and `rounds`."""
        import numpy as np

        results = np.recarray(len(self), dtype=results_dtype(self.players))
        self.write(results)
        return results

    def write(self, results: np.ndarray[Any, np.dtype[Any]]) -> None:
        """Write the rows into as many of an array of `results_dtype`."""
        import numpy as np

        rows = np.frombuffer(self.data, row_layout(self.seats).dtype)
        for seat in range(self.players):
            results["winners"][:, seat] = rows["winners"] & (1 << seat)
            results["scores"][:, seat] = rows["scores"][:, seat]
        for name in ("steps", "decisions", "rounds"):
            results[name] = rows[name]


def results_dtype(players: int) -> np.dtype[np.void]:
    """The row that `Game.simulate` hands out."""
    import numpy as np

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


class Player:
    """Plays random games, one thread's worth."""

    def __init__(self, game: Game, speed: speeds.Maker = speeds.fastest) -> None:
        """A player with memory of its own."""
        self.seats = max(game.seats)
        self._kernels = speed(game, drivers.simulate)
        self.speed = self._kernels.speed
        layouts = game.rules.STATE, game.rules.STATE, game.rules.WORK
        self._start, self._state, self._work = (self._kernels.array(layout, 1) for layout in layouts)
        self._rows = self._kernels.array(row_layout(self.seats), CHUNK)

    def play(self, start: bytes, seed: int, first: int, games: int) -> bytes:
        """The rows of that many games, `CHUNK` at most, from the record `start`; `first` is the number of the first."""
        self._start.write(start)
        rows = self._rows.part(row_layout(self.seats), games)
        self._kernels.run("simulate", self._start, self._state, self._work, seed, first, rows)
        return bytes(rows)


def simulate(
    game: Game, games: int, start: Position, seed: int, threads: int | None, progress: Callable[[int], None] | None
) -> Results:
    """Play `games` random games from `start`. The rows come as an array of NumPy, and where there is none as `Rows`."""
    _whole("games", games, 0)
    pieces = _told(chunks(game, games, start, seed, threads), progress)
    if importlib.util.find_spec("numpy") is None:
        data = b"".join(rows.data for _, rows in pieces)
        return cast("Results", Rows(data, max(game.seats), start.players))
    import numpy as np

    results = np.recarray(games, dtype=results_dtype(start.players))
    for first, rows in pieces:
        rows.write(results[first : first + len(rows)])
    return results


def _told(pieces: Iterator[tuple[int, Rows]], progress: Callable[[int], None] | None) -> Iterator[tuple[int, Rows]]:
    for piece in pieces:
        yield piece
        if progress:
            progress(len(piece[1]))


def chunks(
    game: Game,
    games: int,
    start: Position,
    seed: int = 0,
    threads: int | None = None,
    speed: speeds.Maker = speeds.fastest,
) -> Iterator[tuple[int, Rows]]:
    """The same games in pieces, in their order: (number of the first game, rows). Few pieces are held at a time."""
    _whole("seed", seed, 0)
    threads = _whole("threads", cores() if threads is None else threads, 1)
    idle = [Player(game, speed) for _ in range(threads)]
    record = bytes(start)

    def piece(first: int) -> tuple[int, Rows]:
        player = idle.pop()
        try:
            return first, Rows(player.play(record, seed, first, min(CHUNK, games - first)), player.seats, start.players)
        finally:
            idle.append(player)

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


def _whole(name: str, value: Any, low: int) -> int:
    if not isinstance(value, int) or not low <= value < 2**63:
        raise BadOptions(f"{name} must be a whole number from {low} on, not {value!r}.")
    return value
