"""Games between bots, as rows of a study: few compared with random play, and written down in the same way."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from strandline.bots import registry
from strandline.bots.views import View, guesses
from strandline.engine import binding, hints, metrics, records
from strandline.engine.draws import block, draw, stream, word
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.lab import drivers
from strandline.lab.rows import Rows, row_dtype

if TYPE_CHECKING:
    from strandline.lab.study import Setting


WITHOUT = "~"
"""Between a player's name and the kind of move that it never makes, as `2~crab`."""


class GuidedBot:
    """A bot that moves at sight, as the game's hints say."""

    def __init__(self, game: Game) -> None:
        """A bot for the game."""
        self.game = game
        self.guided = binding.interpreted(game.rules, hints).guided

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The move; of a position the bot looks at the seat's view only."""
        seen = guesses(self.game, position, seat, seed)[0]
        record, work = records.view(seen.records())[0], records.blank(binding.work(self.game.rules))
        number = self.game.rules.count(record, work)
        chosen = self.guided(record, work, number, word(block(stream(seed, 0), 0), 0))
        return str(self.game.notation.write(self.game.rules.nth(record, work, chosen)))


class WithoutBot:
    """A player who never makes a move of one kind, unless there is no other."""

    def __init__(self, player: registry.Bot, game: Game, word: str) -> None:
        """The player, and the first word of the moves that it never makes, or a kind that the game's metrics tell."""
        kinds = getattr(binding.part(game.rules, metrics), "KINDS", {})
        verbs = {verb.name.lower().partition("_")[0] for verb in getattr(game.rules, "Verb", ())}
        if verbs and word not in (known := verbs | set(kinds)):
            raise BadOptions(f"{game.title} has no moves of the kind {word!r}. There are: {', '.join(sorted(known))}.")
        self.player, self.game, self.word, self.is_kind = player, game, word, kinds.get(word)

    def choose(self, position: Position | View, seat: int, seed: int = 0) -> str:
        """The player's move, or else any other that is allowed to it."""
        move = self.player.choose(position, seat, seed)
        seen = guesses(self.game, position, seat, seed)[0]
        if not self._is_barred(seen, move):
            return move
        others = [other for other in seen.moves() if not self._is_barred(seen, other)]
        return random.Random(seed).choice(others or [move])

    def _is_barred(self, seen: Position, move: str) -> bool:
        if self.is_kind is None:
            return move.split()[0] == self.word
        return bool(self.is_kind(records.view(seen.records())[0], self.game.code(move)))


def bot(name: str, game: Game) -> registry.Bot:
    """The bot of that name: the tournament's, and "guided" where the game's hints say how to move."""
    player, without, word = name.partition(WITHOUT)
    if without:
        return WithoutBot(bot(player, game), game, word)
    if name in registry.names(game):
        return registry.bot(name, game)
    if name != "guided":
        raise registry.unknown(name, [*registry.names(game), *["guided"] * game.has_guide])
    if not game.has_guide:
        raise BadOptions(f"{game.title} has no hints on how to move, so that nobody can play it guided.")
    return GuidedBot(game)


@functools.cache
def _bots(game: Game, names: tuple[str, ...]) -> list[registry.Bot]:
    return [bot(name, game) for name in names]


def codes(setting: Setting, number: int) -> Iterator[int]:
    """The moves and outcomes of a game of the setting, one by one. The dice are those of random play."""
    game, rules, key = setting.game, setting.game.rules, stream(setting.seed, number)
    seats = [_bots(game, setting.bots)[(number + seat) % len(setting.bots)] for seat in range(setting.players)]
    thoughts = stream(key[1], 1)[0]
    s, scratch, k = records.view(setting.start.records())[0], game.work(), 0
    while choices := rules.count(s, scratch):
        seat = rules.to_move(s)
        if seat < 0:
            code = rules.nth(s, scratch, draw(key, k, choices))
        else:
            move = seats[seat].choose(Position(game, records.copy(s)), seat, stream(thoughts, k)[0])
            code = game.code(move)
        yield code
        rules.apply(s, scratch, code)
        k += 1


def play(setting: Setting, first: int, number: int) -> Rows:
    """Games `first` to `first + number - 1` of a setting, a row each.

    In game `i` seat `k` is played by bot `i + k`, counted round and round.
    """
    rows = np.zeros(number, row_dtype(setting.game))
    for i, row in enumerate(records.view(rows)):
        note(setting.start, codes(setting, first + i), row)
    return rows


def note(start: Position, played: Iterable[int], row: Any) -> None:
    """Write a game down in its row, from its moves and outcomes."""
    game, rules = start.game, start.game.rules
    lab = game.interpreted(drivers)
    s, scratch = records.view(start.records())[0], game.work()
    for code in played:
        before, choices = records.copy(s), rules.count(s, scratch)
        rules.apply(s, scratch, code)
        lab.note(before, s, code, choices, row)
    lab.conclude(s, row)
