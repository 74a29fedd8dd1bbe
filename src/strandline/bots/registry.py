"""Bots by name: the levels, "random", and whatever is installed under the entry point group `strandline.bots`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from strandline.bots import exact, network
from strandline.bots.levels import CHAMPION, CHAMPION_SIMULATIONS, LEVELS, SearchBot
from strandline.bots.tree import Budget, GuidedTree, best, summed, think
from strandline.bots.views import View, guesses
from strandline.engine import discovery
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position

GROUP = "strandline.bots"
NETWORK = "network"


class Bot(Protocol):
    """All that a bot must be able to do."""

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The text of a legal move for the seat, from its view of the position; the same for the same seed."""


Maker = Callable[[Game], Bot]
"""What an entry point of the group names: it makes the bot for a game."""


class RandomBot:
    """A bot that does not care which move it makes."""

    def __init__(self, game: Game) -> None:
        """A bot for the game."""
        self.game = game

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """Any legal move, each with the same chance."""
        moves = guesses(self.game, position, seat, seed)[0].moves()
        return random.Random(seed).choice(moves)


class PerfectBot:
    """Level 5 where the game is solved: a perfect move, any of the best. Positions without a solution are searched."""

    def __init__(self, solver: exact.Solver, otherwise: SearchBot) -> None:
        """A bot that asks the solver, or else the other bot."""
        self.solver = solver
        self.otherwise = otherwise

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """A perfect move."""
        seen = guesses(self.otherwise.game, position, seat, seed)[0]
        if not self.solver.solves(seen):
            return self.otherwise.choose(position, seat, seed)
        return random.Random(seed).choice(exact.best_moves(self.solver, seen, seat))


class ChampionBot:
    """Level 6: a search that a network guides. Games for which there is no network are left to another bot."""

    def __init__(self, game: Game, otherwise: Bot, *, threads: int = 1, seconds: float | None = None) -> None:
        """A bot that asks the game's networks, or else the other bot."""
        self.game = game
        self.otherwise = otherwise
        self.budget = Budget(CHAMPION_SIMULATIONS, seconds, threads)

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The move that the search speaks for; of a position it looks at the seat's view only."""
        starts = guesses(self.game, position, seat, seed)
        if not network.is_champions(starts[0]):
            return self.otherwise.choose(position, seat, seed)
        if len(moves := starts[0].moves()) == 1:
            return moves[0]
        starts = list(dict.fromkeys(starts))  # a network sees the same in the same position: one tree is enough
        share = -(-self.budget.simulations // len(starts))
        trees = [GuidedTree(self.game, share, self.budget.speed, players=starts[0].players) for _ in starts]
        think(trees, starts, seed, self.budget)
        return str(self.game.notation.write(best(summed(tree.outlook() for tree in trees), seat).code))


class NetworkBot:
    """A network alone: it makes the move that it likes best at sight, and looks no further."""

    def __init__(self, game: Game) -> None:
        """A bot for a game that has networks."""
        self.game = game

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The move that the network likes best; of a position it looks at the seat's view only."""
        start = guesses(self.game, position, seat, seed)[0]  # it sees the same in all of them
        if not network.fits(start):
            numbers = " or ".join(map(str, network.seats(self.game)))
            raise BadOptions(f"The networks of {self.game.title} play with {numbers} seats and the default options.")
        tree = GuidedTree(self.game, 1, players=start.players)
        tree.grow(bytes(start), seed, 0, 1)
        root = tree.root()
        edges = (tree.edges[i] for i in range(root.first, root.first + root.size))
        return str(self.game.notation.write(max(edges, key=lambda edge: edge.liked).code))


class InstalledBot:
    """A bot of another package. Whoever asks it, it is shown the seat's view and never the position itself."""

    def __init__(self, bot: Bot) -> None:
        """The bot behind its blindfold."""
        self._bot = bot

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """What the bot answers when it sees what the seat sees."""
        return self._bot.choose(position.view(seat) if isinstance(position, Position) else position, seat, seed)


def names(game: Game | None = None) -> list[str]:
    """The names of all bots: levels, "search" (level 5 without perfect play), "random", and those installed.

    Level 6 is among them where a `game` is named that has a champion, and "network" where it has networks.
    """
    champion = [str(CHAMPION)] if game is not None and network.champions(game) else []
    alone = [NETWORK] if game is not None and network.seats(game) else []
    return [*map(str, LEVELS), *champion, "search", "random", *alone, *sorted(_installed())]


def unknown(name: str, known: Sequence[str]) -> BadOptions:
    """What to raise where somebody asks for a bot that is not among those that are known there."""
    close = get_close_matches(name, known)
    hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(known)}."
    return BadOptions(f"There is no bot {name!r}. {hint}")


def bot(name: str | int, game: Game, *, threads: int = 1, reuse: bool = False, seconds: float | None = None) -> Bot:
    """The bot of that name or level for a game.

    Levels may search on several `threads`, which changes the time and not the choice; `reuse` and `seconds` are
    those of `SearchBot`.
    """
    text = str(name)
    if text == "search" or (text.isdecimal() and int(text) in LEVELS):
        level = 5 if text == "search" else int(text)
        searching = SearchBot(game, level, threads=threads, reuse=reuse, seconds=seconds)
        solver = exact.solver(game) if text == "5" else None
        return PerfectBot(solver, searching) if solver else searching
    if text == "random":
        return RandomBot(game)
    if text == str(CHAMPION) and text in names(game):
        return ChampionBot(game, bot(5, game, threads=threads, seconds=seconds), threads=threads, seconds=seconds)
    if text == NETWORK:
        if not network.seats(game):
            others = ", ".join(other.title for other in map(discovery.game, discovery.names()) if network.seats(other))
            box = " for this box" if network.has_any(game) else ""
            raise BadOptions(f"{game.title} has no network{box}. There are some of: {others or 'no game'}.")
        return NetworkBot(game)
    installed = _installed()
    if text not in installed:
        raise unknown(text, names(game))
    maker: Maker = installed[text].load()
    return InstalledBot(maker(game))


def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}
