"""Who plays the seats that do not learn: players at random or guided, inside compiled code, or bots of any level."""

from __future__ import annotations

from strandline.bots import Bot, bot
from strandline.bots.registry import InstalledBot
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position

RANDOM = "random"
GUIDED = "guided"
SELF = "self"


def opponent(name: str | int, game: Game) -> Bot | None:
    """The bot of that name or level; None for those who are compiled into the step."""
    if name == GUIDED and not game.has_guide:
        raise BadOptions(f"{game.title} has no hints on how to move, so opponents cannot be 'guided'.")
    return None if name in (RANDOM, GUIDED, SELF) else bot(name, game)


def choice(player: Bot, position: Position, seat: int, seed: int) -> int:
    """The code of the move that a bot makes."""
    move = player.choose(position, seat, seed)
    if isinstance(player, InstalledBot):
        position.play(move)  # refuses what is not legal
    return position.game.code(move)
