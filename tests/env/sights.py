"""Random games, unusual options, and what seats see."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from strandline import Game, Position
from strandline.engine import spaces
from strandline.env import space
from support import random_setting

LOOKS = "seagull"
"""Moves that tell a seat a secret."""

OTHERS: dict[str, dict[str, Any]] = {
    "over_the_next_dune": {"players": 4, "turns": 4, "hopeless_ends": True, "patrols": "areas"},
    "reef_route": {"players": 3, "school": 2, "predators": "ssml", "setup": "players", "limit": 60},
    "sand_castles": {"players": 3, "max_rounds": 3},
    "undertow": {"players": 3, "surge": "each", "easy": True, "slow_start": True, "vacation": 3, "strength": True},
    "up_the_river": {"players": 4, "sandbank_start": 5, "tide_start": 6, "round_limit": 0},
}
"""Options, none of them as usual; a new game may have some here."""


def others(game: Game) -> dict[str, Any]:
    """Unusual options of the game."""
    return OTHERS.get(game.name, {})


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
