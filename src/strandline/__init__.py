"""Strandline: seaside board games for tables, screens, bots and laboratories."""

import importlib

from strandline.engine.discovery import game, games
from strandline.engine.errors import BadBox, BadOptions, BadPosition, IllegalMove, UnknownGame
from strandline.engine.game import Game
from strandline.engine.position import Position

vars()["games"] = importlib.import_module("strandline.games")  # the package, which can be called

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
