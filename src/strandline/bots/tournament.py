"""Bots against each other: seats rotated, games on all cores, shares of the win with confidence intervals."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from strandline import progress
from strandline.bots.registry import Bot, bot
from strandline.engine import simulation
from strandline.engine.draws import stream
from strandline.engine.errors import BadOptions
from strandline.engine.position import Position
from strandline.intervals import interval


@dataclass(frozen=True)
class Result:
    """What came of one game: the share of the win of each bot, by its place in the list of bots."""

    shares: list[float]
    seats: list[int]
    """How many seats each bot had."""
    final: Position


@dataclass(frozen=True)
class Standings:
    """What came of a tournament."""

    start: Position
    bots: list[str]
    results: list[Result]
    seconds: float

    def games(self, number: int) -> int:
        """The games in which a bot took part."""
        return sum(result.seats[number] > 0 for result in self.results)

    def share(self, number: int) -> float:
        """The mean share of the win of a bot."""
        return sum(result.shares[number] for result in self.results) / self.games(number)

    def interval(self, number: int) -> tuple[float, float]:
        """The 95 % interval for that share."""
        return interval(self.share(number) * self.games(number), self.games(number))

    @property
    def nobody(self) -> int:
        """The games that nobody won."""
        return sum(not any(result.shares) for result in self.results)

    def as_json(self) -> dict[str, Any]:
        """One JSON object."""
        every = range(len(self.bots))
        return {
            "game": self.start.game.name,
            "players": self.start.players,
            "options": self.start.options,
            "bots": self.bots,
            "games": len(self.results),
            "share": [self.share(number) for number in every],
            "interval": [list(self.interval(number)) for number in every],
            "nobody": self.nobody,
            "seconds": round(self.seconds, 3),
        }


def play(start: Position, seats: Sequence[Bot], seed: int) -> Position:
    """Play a game to its end, with a bot at each seat. The dice and the bots have random numbers of their own."""
    dice, thoughts = (random.Random(stream(seed, number)[0]) for number in (0, 1))
    position = start
    while position.turn is not None:
        seat = position.turn
        if seat == "chance":
            move = dice.choices(position.moves(), position.odds())[0]
        else:
            move = seats[seat].choose(position, seat, thoughts.getrandbits(62))
        position = position.play(move)
    return position


def results(
    start: Position, names: Sequence[str], games: int, seed: int, threads: int | None = None
) -> Iterator[Result]:
    """The games one by one, in their order, and the same ones whatever the number of threads.

    In game `i` seat `k` is played by bot `i + k`, counted round and round.
    """
    players = [bot(name, start.game) for name in names]

    def one(number: int) -> Result:
        who = [(number + seat) % len(names) for seat in range(start.players)]
        final = play(start, [players[i] for i in who], stream(seed, number)[0])
        winners = final.winners()
        shares = [sum(1 / len(winners) for seat in winners if who[seat] == i) for i in range(len(names))]
        return Result(shares, [who.count(i) for i in range(len(names))], final)

    with ThreadPoolExecutor(threads or simulation.cores()) as pool:
        try:
            yield from pool.map(one, range(games))
        finally:
            pool.shutdown(cancel_futures=True)


def run(start: Position, names: Sequence[str], games: int, seed: int, threads: int | None = None) -> Standings:
    """Play the games, with a progress bar on standard error."""
    if games < len(names):
        raise BadOptions(f"--games must be {len(names)} or more, so that every bot gets to play; not {games}.")
    found: list[Result] = []
    with progress.of_games(start.game.title, games) as advance:
        began = time.perf_counter()
        for result in results(start, names, games, seed, threads):
            found.append(result)
            advance(1)
    return Standings(start, list(names), found, time.perf_counter() - began)


def print_json(standings: Standings) -> None:
    """Print one JSON object."""
    print(json.dumps(standings.as_json()))


def print_table(standings: Standings) -> None:
    """Print the result for people."""
    from rich.console import Console
    from rich.table import Table

    start, games = standings.start, len(standings.results)
    grid = Table(title=f"{start.game.title}: {games:,} games, {start.players} players, seats rotated")
    for title in ("bot", "share of the win", "95 % interval"):
        grid.add_column(title, justify="right")
    for number, name in enumerate(standings.bots):
        low, high = standings.interval(number)
        grid.add_row(name, f"{standings.share(number):.1%}", f"{low:.1%} to {high:.1%}")
    console = Console()
    console.print(grid)
    console.print(f"Nobody won: {standings.nobody / games:.1%}. {standings.seconds:.1f} s.")
