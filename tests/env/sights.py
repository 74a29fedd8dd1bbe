"""Random games, unusual options, and what seats see."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from strandline import Game, Position
from strandline.engine import spaces
from strandline.env import space
from support import random_setting

GAMES = Path(__file__).parents[1] / "games"
LOOKS = "seagull"
"""Moves that tell a seat a secret."""


def others(game: Game) -> dict[str, Any]:
    """Options, none of them as usual, where the tests of the game name some."""
    file = GAMES / game.name / "other_options.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def seen(position: Position, seat: int, taken: Sequence[int] = ()) -> np.ndarray[Any, Any]:
    """What the seat sees, interpreted; ctypes' array refuses places beyond its end."""
    one, rules = space(position.game, position.players), position.game.interpreted(spaces)
    out = np.zeros(one.size, one.dtype)
    view = np.ctypeslib.as_ctypes(out)
    rules.observe(position._record, seat, view)
    for action in taken:
        rules.observe_step(one.code(action), view)
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
