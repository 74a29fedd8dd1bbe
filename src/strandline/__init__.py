"""Strandline: five seaside games for tables, screens, bots and laboratories."""

from strandline.engine.discovery import game, games
from strandline.engine.errors import BadBox, BadOptions, BadPosition, IllegalMove, UnknownGame
from strandline.engine.game import Game
from strandline.engine.position import Position

__version__ = "0.1.0"
__all__ = [
    "BadBox",
    "BadOptions",
    "BadPosition",
    "Game",
    "IllegalMove",
    "Position",
    "UnknownGame",
    "game",
    "games",
]
