"""A benchmark with ground truth: fixed tasks, seeds and numbers of games, for any bot. `strandline benchmark MODEL`.

A task is a game, a number of seats and who sits at the others. The score is the model's share of the win, with its 95 %
interval, the model's seat rotating. Where a game is solved, `regret` is what the model's moves gave away compared with
perfect play, in expected share of the win, a game; alone in Over the Next Dune, the score is the share of squads home.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from reprlib import repr as shown
from typing import Any

import strandline
from strandline.bots import Bot, bot, exact, names
from strandline.bots.levels import LEVELS
from strandline.bots.registry import NETWORK, InstalledBot, unknown
from strandline.bots.tournament import play
from strandline.bots.views import View
from strandline.engine import simulation
from strandline.engine.draws import stream
from strandline.engine.errors import BadOptions, IllegalMove
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.env.arguments import count
from strandline.env.spaces import has_space
from strandline.intervals import interval

VERSION = 1
"""Scores are comparable within a version; whatever changes a task, its seeds or its games raises it."""
SEED = 20_260
GAMES = 200
"""Of each task."""
OPPONENTS = ("random", *map(str, LEVELS))


@dataclass(frozen=True)
class Task:
    """A game, its seats, and who sits at those that the model does not have."""

    game: str
    seats: int
    opponents: str | None
    """None where the model plays alone."""

    @property
    def name(self) -> str:
        """As it is written on the command line and in tables."""
        return f"{self.game}-{self.seats}" + (f"-{self.opponents}" if self.opponents else "")


@dataclass(frozen=True)
class Score:
    """How a model did in a task."""

    task: str
    games: int
    share: float
    low: float
    high: float
    regret: float | None
    """Expected share of the win given away in a game; None where the game is not solved."""


def tasks() -> list[Task]:
    """All tasks: each game with an environment, its fewest and its most seats, against random play and each level."""
    found = []
    for game in filter(has_space, map(strandline.game, strandline.games())):
        for seats in dict.fromkeys((game.seats[0], game.seats[-1])):
            found += [Task(game.name, seats, who) for who in (OPPONENTS if seats > 1 else (None,))]
    return found


def chosen(texts: Sequence[str]) -> list[Task]:
    """The tasks of these names, or whose names begin so; all if there are none."""
    found = [task for task in tasks() if not texts or any((task.name + "-").startswith(text + "-") for text in texts)]
    for text in texts:
        if not any((task.name + "-").startswith(text + "-") for task in found):
            raise BadOptions(f"There is no task {text!r}. Tasks are named like {tasks()[-1].name}.")
    return found


def model(name: str, game: Game) -> Bot:
    """The bot of that name, or what MODULE:FUNCTION makes for the game."""
    module, colon, function = name.partition(":")
    if not colon:
        if name not in (*names(game), NETWORK):
            raise BadOptions(f"{unknown(name, names(game))} Or name MODULE:FUNCTION.")
        return bot(name, game)
    try:
        make = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadOptions(f"There is no model {name!r}: {error}. Name a bot ({', '.join(names())}).") from None
    if not callable(make):
        raise BadOptions(f"{name} is {shown(make)}, not a function from a game to a bot.")
    try:
        found: Bot = make(game)
    except TypeError as error:
        raise BadOptions(f"{name} makes no bot for {game.title}: {error}") from None
    if not callable(getattr(found, "choose", None)):
        raise BadOptions(f"{name} makes {shown(found)}, which is no bot: it has no choose(position, seat, seed).")
    return InstalledBot(found)


class Judged:
    """The model at its seat in one game: it is given its view, and what its moves give away is written down."""

    def __init__(self, player: Bot, solver: exact.Solver | None) -> None:
        """Around a model; without a solver nothing is judged."""
        self.player = player
        self.solver = solver
        self.regret = 0.0

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The model's move."""
        assert isinstance(position, Position)
        move = self.player.choose(position, seat, seed)
        if isinstance(self.player, InstalledBot):
            try:
                position.play(move)
            except IllegalMove as error:
                raise BadOptions(f"The model cannot go on in {position.game.title}: {error}") from None
        if self.solver is not None:
            leads = {text: exact.lead(shares, seat) for text, shares in self.solver.values(position).items()}
            self.regret += (max(leads.values()) - leads[move]) / 2
        return move


def score(task: Task, name: str, games: int = GAMES, threads: int | None = None) -> Score:
    """Let a model play a task."""
    game = strandline.game(task.game)
    start = game.new(task.seats)
    solver = exact.solver(game)
    solver = solver if solver is not None and solver.solves(start) else None
    if solver is not None:
        solver.prepare(start)
    player = model(name, game)
    other = bot(task.opponents, game) if task.opponents else None

    def one(number: int) -> tuple[float, float]:
        own, judged = number % task.seats, Judged(player, solver)
        seats = [judged if seat == own or other is None else other for seat in range(task.seats)]
        won = play(start, seats, stream(SEED, number)[0]).winners()
        return (own in won) / max(len(won), 1), judged.regret

    with ThreadPoolExecutor(threads or simulation.cores()) as pool:
        results = list(pool.map(one, range(games)))
    share, regret = (sum(column) for column in zip(*results, strict=True))
    low, high = interval(share, games)
    return Score(task.name, games, share / games, low, high, regret / games if solver else None)


def run(name: str, wanted: Sequence[str], games: int, threads: int | None) -> Iterator[Score]:
    """The scores of a model in the tasks, one after the other. What is wrong with the arguments is said at once."""
    count(games, "--games")
    if threads is not None:
        count(threads, "--threads")
    found = chosen(wanted)
    for game in dict.fromkeys(task.game for task in found):
        model(name, strandline.game(game))
    return (score(task, name, games, threads) for task in found)


def as_json(name: str, scores: Sequence[Score]) -> dict[str, Any]:
    """One JSON object."""
    return {"benchmark": VERSION, "model": name, "scores": [asdict(one) for one in scores]}


def row(one: Score) -> str:
    """A row of a Markdown table."""
    regret = "" if one.regret is None else f"{one.regret:.4f}"
    return f"| {one.task} | {one.games} | {one.share:.1%} | {one.low:.1%} to {one.high:.1%} | {regret} |"


HEAD = "| task | games | share of the win | 95 % interval | regret a game |\n|---|---|---|---|---|"
