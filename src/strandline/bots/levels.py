"""Five levels that mean the same in every game, the number of a sixth, and the bot that plays at one of the five."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from strandline.bots.tree import Budget, Tree, Tried, best, setting, summed, think
from strandline.bots.views import View, guesses
from strandline.engine.game import Game
from strandline.engine.position import Position


@dataclass(frozen=True)
class Level:
    """How a level plays: how much it thinks about a move, and how often it does not think at all."""

    simulations: int
    """In all; 0 stands for the number in the game's hints, well within a second on two cores."""
    blunder_rate: float
    """The chance of a move without a thought; less in games whose hints say so."""


LEVELS = {
    1: Level(6, 0.60),
    2: Level(40, 0.36),
    3: Level(250, 0.18),
    4: Level(2_000, 0.07),
    5: Level(0, 0.0),
}
"""1 is a child who has just learned the rules: it looks at few things, and often just does what comes to mind.

Blunders set levels apart also in games in which the best move is soon found, such as Undertow.
"""
CHAMPION = 6
"""The level above, where a game has networks that play better than level 5."""
CHAMPION_SIMULATIONS = 8_000
"""About as long as level 5 thinks, or less."""


class SearchBot:
    """A bot that searches. Its choice is a pure function of what its seat sees and of the seed.

    With `reuse` it remembers what it has searched from one choice to the next of a game: stronger in the same time, but
    then a choice also depends on those before it. With `seconds` it stops when the time is up, and so depends on the
    machine.
    """

    def __init__(
        self, game: Game, level: int, *, threads: int = 1, reuse: bool = False, seconds: float | None = None
    ) -> None:
        """A bot of a level from 1 to 5."""
        self.game = game
        self.level = LEVELS[level]
        self.budget = Budget(self.level.simulations or setting(game, "SIMULATIONS"), seconds, threads)
        self.blunder_rate: float = self.level.blunder_rate * setting(game, "BLUNDER_RATE")
        self._kept: list[Tree] | None = [] if reuse else None

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The move that the bot makes; of a position it looks at the seat's view only."""
        starts = guesses(self.game, position, seat, seed)
        return self.at_once(starts, seed) or self.preferred(self.outlook(starts, seed), seat)

    def at_once(self, starts: Sequence[Position], seed: int) -> str | None:
        """The move that needs no thought: the only one, or one that slips out."""
        moves = starts[0].moves()
        rng = random.Random(seed)
        return rng.choice(moves) if len(moves) == 1 or rng.random() < self.blunder_rate else None

    def preferred(self, outlook: Sequence[Tried], seat: int) -> str:
        """The move that a search speaks for."""
        return str(self.game.notation.write(best(outlook, seat).code))

    def fewer(self, starts: Sequence[Position]) -> Sequence[Position]:
        """The starts that are searched, a tree for each: few simulations stay in one tree."""
        return starts[: max(1, self.budget.simulations // 100)]

    def outlook(self, starts: Sequence[Position], seed: int) -> list[Tried]:
        """What the search says about each move."""
        starts = self.fewer(starts)
        trees = self._trees(len(starts))
        think(trees, starts, seed, self.budget)
        return summed(tree.outlook() for tree in trees)

    def _trees(self, number: int) -> list[Tree]:
        """As many trees; those of the last move if they are kept."""
        share = -(-self.budget.simulations // number)
        if self._kept is None:
            return [Tree(self.game, share, self.budget.speed) for _ in range(number)]
        while len(self._kept) < number:
            self._kept.append(Tree(self.game, 4 * share, self.budget.speed))
        return self._kept[:number]
