"""Bots that play every game at five levels, some at six, and what they think of a position or of a finished game.

    bot = strandline.bots.bot(3, game)          # a level from 1 to 5 or 6, "random", or an installed bot
    move = bot.choose(position.view(seat), seat, seed)

A bot is anything with this `choose`: it is given what its seat sees (a position is cut down to that first) and answers
with the text of a legal move, the same one for the same seed. Other packages add bots with an entry point in the group
`strandline.bots` that names a function from a game to a bot.
"""

from strandline.bots.analysis import Estimate, Event, Review, analyse, review
from strandline.bots.registry import Bot, bot, names

__all__ = ["Bot", "Estimate", "Event", "Review", "analyse", "bot", "names", "review"]
