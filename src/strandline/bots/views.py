"""What a bot is given: the position as its seat sees it. What it cannot see is drawn anew, from the view alone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from strandline.bots.tree import guide
from strandline.engine.game import Game
from strandline.engine.position import Position

CORES = 2
"""Trees are grown apart from each other and taken together: one for each core of a small machine."""
GUESSES = 8
"""Trees where something is hidden: one for each guess at it."""

View = Mapping[str, Any]


def guesses(game: Game, position: Position | View, seat: int | None, seed: int) -> list[Position]:
    """Positions to search from: several that the seat's view allows if it hides anything, else one for each core.

    A position is cut down to the view first, so that nothing after this point can see more.
    """
    if not game.has_secrets:
        found = position if isinstance(position, Position) else game.position(dict(position))
        found.check_seat(seat)
        return [found] * CORES
    view = position.view(seat) if isinstance(position, Position) else dict(position)
    rng = random.Random(seed)
    redrawn = [game.position(guide(game).redrawn(view, rng)) for _ in range(GUESSES)]
    return redrawn if len(set(redrawn)) > 1 else redrawn[:CORES]
