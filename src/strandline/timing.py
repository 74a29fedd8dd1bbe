"""How fast random games are played, at every speed."""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import strandline
from strandline.engine import simulation, speeds
from strandline.engine.errors import NoKernels

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


def random_games(game: strandline.Game, speed: speeds.Maker, threads: int = 1, players: int | None = None) -> Speed:
    """Random games at one speed."""
    start = game.new(players)

    def play(games: int) -> int:
        chunks = simulation.chunks(game, games, start, threads=threads, speed=speed)
        return sum(sum(rows.column("steps")) for _, rows in chunks)

    play(1)  # what must be compiled or loaded is
    return measured(play)


def print_table(games: Sequence[strandline.Game]) -> None:
    """Measure the games and print the table as it grows."""
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    cores = simulation.cores()
    table = Table(title="Random games, default options, fewest players; time for a step")
    titles = (
        "game",
        "record",
        "inter-\npreted",
        "wasm",
        "native",
        f"games/s,\n{cores} {'core' if cores == 1 else 'cores'}",
        "with",
    )
    for title in titles:
        table.add_column(title, justify="left" if title == "game" else "right", no_wrap=True)
    console = Console()
    with Live(table, console=console):
        for game in games:
            native = random_games(game, speeds.Native) if speeds.has_compiler() else None
            wasm = None
            with contextlib.suppress(NoKernels):
                wasm = random_games(game, speeds.Wasm)
            used = simulation.Player(game).speed
            fastest = random_games(game, speeds.fastest, cores)
            table.add_row(
                game.name,
                f"{game.rules.STATE.itemsize} B",
                f"{random_games(game, speeds.Interpreted).nanoseconds / 1000:.0f} µs",
                f"{wasm.nanoseconds:.0f} ns" if wasm else "–",
                f"{native.nanoseconds:.0f} ns" if native else "–",
                f"{fastest.games_a_second:,.0f}",
                used,
            )
    if not console.is_terminal:
        console.line()
