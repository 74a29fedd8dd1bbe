"""How fast random games are played, at every speed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import strandline
from strandline.engine import records, simulation

SECONDS = 1.0
"""How long each measurement lasts, about."""


@dataclass(frozen=True)
class Speed:
    """Games and steps in a time."""

    games: int
    steps: int
    seconds: float

    @property
    def nanoseconds(self) -> float:
        """Time for a step."""
        return self.seconds / self.steps * 1e9

    @property
    def games_a_second(self) -> float:
        """Games in a second."""
        return self.games / self.seconds


def measured(play: Callable[[int], int], games: int = 1) -> Speed:
    """Time `play(games)`, which returns the steps, with as many games as take about `SECONDS`."""
    while True:
        began = time.perf_counter()
        steps = play(games)
        seconds = time.perf_counter() - began
        if seconds > SECONDS / 2:
            return Speed(games, steps, seconds)
        games = max(games + 1, min(games * 100, int(games * SECONDS / max(seconds, 1e-6))))


def compiled(game: strandline.Game, threads: int, players: int | None = None) -> Speed:
    """Random games in compiled code."""
    game.simulate(0, players)

    def play(games: int) -> int:
        return int(game.simulate(games, players, threads=threads).steps.sum())

    return measured(play, 1000)


def interpreted(game: strandline.Game, players: int | None = None) -> Speed:
    """The same random games as ordinary Python."""
    start, driver = records.view(game.new(players).records()), game.interpreted().simulate

    def play(games: int) -> int:
        rows = np.zeros(games, simulation.row_dtype(max(game.seats)))
        driver(start, (type(start))(), (records.twin(game.rules.WORK) * 1)(), 0, 0, records.view(rows))
        return int(rows["steps"].sum())

    return measured(play)


def print_table(games: Sequence[strandline.Game]) -> None:
    """Measure the games and print the table as it grows."""
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    cores = simulation.cores()
    table = Table(title="Random games, default options, fewest players")
    titles = ("game", "record", "interpreted", "compiled", "games/s, 1 core", f"games/s, {cores} cores", "ratio")
    for title in titles:
        table.add_column(title, justify="left" if title == "game" else "right")
    with Live(table, console=Console()):
        for game in games:
            slow, one, all_cores = interpreted(game), compiled(game, 1), compiled(game, cores)
            table.add_row(
                game.name,
                f"{game.rules.STATE.itemsize} B",
                f"{slow.nanoseconds / 1000:.1f} µs/step",
                f"{one.nanoseconds:.1f} ns/step",
                f"{one.games_a_second:,.0f}",
                f"{all_cores.games_a_second:,.0f}",
                f"{all_cores.games_a_second / one.games_a_second:.2f} ×",
            )
