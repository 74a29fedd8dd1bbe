"""Random games, and what seats see in them."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from strandline import Game, Position
from strandline.engine import spaces
from strandline.env import space
from support import random_setting

LOOKS = "seagull"
"""Moves that tell a seat a secret."""


def seen(position: Position, seat: int) -> np.ndarray[Any, Any]:
    """What the seat sees, interpreted; ctypes' array refuses places beyond its end."""
    out = np.zeros(space(position.game, position.players).size, np.int8)
    view = np.ctypeslib.as_ctypes(out)
    position.game.interpreted(spaces).observe(position._record, seat, view)
    return out


def line(game: Game, rng: random.Random, steps: int = 400, **setting: Any) -> Iterator[Position]:
    """The positions of a random game, with secrets if there can be any."""
    position = game.new(**(setting or random_setting(game, rng)))
    for _ in range(steps):
        yield position
        moves = position.moves()
        if not moves:
            return
        looks = [move for move in moves if move.startswith(LOOKS)] if rng.random() < 0.5 else []
        position = position.play(rng.choice(looks or moves))
