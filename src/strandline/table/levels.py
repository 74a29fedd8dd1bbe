"""The bots that sit at tables: what they are called, how well they play, and what they are asked."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from strandline import bots
from strandline.bots import network
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.words import Words, message
from strandline.table.advice import Advice
from strandline.table.review import Progress, Reviewed

_ = Words(__file__)

RANDOM, SEARCH, PERFECT, CHAMPION = "random", "search", "5", "6"
DEFAULT = "2"
"""The level that a lobby offers first, and at which a bot plays for somebody who is away."""
DESCRIPTIONS = {
    RANDOM: message("Makes any legal move."),
    "1": message("Beginner: has just learned the rules."),
    "2": message("Easy: thinks a little and makes mistakes."),
    "3": message("Medium: thinks before most moves."),
    "4": message("Hard: plays well and rarely slips."),
    PERFECT: message("Expert: thinks for up to a second."),
    CHAMPION: message("Champion: has learned from millions of games with the usual options."),
    SEARCH: message("Level 5, searching even where perfect play is known."),
}
"""How our own bots play."""


@dataclass(frozen=True)
class Level:
    """How well a bot plays."""

    name: str
    text: str
    """How it plays, in English."""

    @property
    def description(self) -> str:
        """How it plays, in the reader's language."""
        return _(self.text)


@functools.cache
def levels() -> list[Level]:
    """The bots that there are, the champion of some games among them."""
    names = bots.names()
    names.insert(names.index(PERFECT) + 1, CHAMPION)
    return [Level(name, DESCRIPTIONS.get(name, message("Installed on this server."))) for name in names]


def known(game: Game, players: int) -> list[str]:
    """The names of the bots that can sit at a table of the game with this many seats."""
    return [level.name for level in levels() if level.name != CHAMPION or players in network.champions(game)]


def unknown(name: str, among: list[str]) -> BadOptions:
    """What to raise where somebody asks for a bot that cannot sit there."""
    return BadOptions(_("There is no bot {name}. There are: {names}.", name=repr(name), names=", ".join(among)))


class Failed(Exception):
    """A bot has given no legal move; the message says what it did instead."""


class Thinkers(Protocol):
    """Where bots think."""

    reviews: int
    """Reviews that are under way or wait."""

    async def choose(self, position: Position, seat: int, level: str, waited_for: Collection[str]) -> str:
        """A move for the seat, whose turn it is, or `Failed`. `waited_for`: as in `Room.waiting`."""

    async def advise(self, position: Position, seat: int, waited_for: Collection[str]) -> Advice:
        """A hint for the seat, whose turn it is, or `Failed`."""

    async def review(self, start: Position, moves: list[str], progress: Progress) -> Reviewed:
        """A review of a game; `progress` is told how much of it is done."""
