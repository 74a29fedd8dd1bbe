"""Perfect play in a browser, where a game is solved: in a Python of its own, because it takes seconds to begin."""

from __future__ import annotations

import json

from strandline.bots.registry import bot
from strandline.engine.position import Position
from strandline.table.levels import PERFECT


def question(position: Position, seat: int, seed: int) -> str:
    """What a bot is asked there."""
    return json.dumps({"position": position.to_json(), "seat": seat, "seed": seed})


def answer(text: str) -> str:
    """The move of the strongest level, as a server's bot chooses it."""
    asked = json.loads(text)
    position = Position.from_json(asked["position"])
    return bot(PERFECT, position.game).choose(position, asked["seat"], asked["seed"])
