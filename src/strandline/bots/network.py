"""The networks of the champion: `champion.N.bin` in a game's folder, for N seats, the default options and its own box.

A file is the digest of the game's actions and observations, then the rows of weights as `bots.puct` reads them, whole
numbers of 16 bits, then the biases, of 32. `env.quantize` makes it.
"""

from __future__ import annotations

import functools
import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path

from strandline.bots.puct import WIDTH
from strandline.engine import binding, spaces
from strandline.engine.game import Game
from strandline.engine.position import Position

DIGEST = 16


@dataclass(frozen=True)
class Network:
    """What a search is given of a network, all but `features` as bytes."""

    features: int
    weights: bytes
    biases: bytes
    codes: bytes
    """The codes of all actions, in order."""

    @property
    def rows(self) -> int:
        """How many rows of weights there are."""
        return len(self.weights) // (2 * WIDTH)


def file(game: Game, players: int) -> Path:
    """Where the network is that plays the game with this many seats."""
    return game.folder / f"champion.{players}.bin"


def seats(game: Game) -> tuple[int, ...]:
    """The numbers of seats for which the game has a network."""
    return tuple(number for number in game.seats if file(game, number).exists())


def codes(game: Game, players: int) -> list[int]:
    """The codes of all actions, in order."""
    return sorted(map(int, _spaces(game).decisions(players)))


def features(game: Game, players: int) -> int:
    """How many numbers an observation has."""
    return sum(part.size for part in _spaces(game).parts(players))


def _spaces(game: Game):  # type: ignore[no-untyped-def]
    return binding.part(game.rules, spaces)


def digest(game: Game, players: int) -> bytes:
    """What tells whether a network was made for these actions and observations."""
    parts = [(part.name, part.shape, part.low, part.high) for part in _spaces(game).parts(players)]
    return hashlib.sha256(repr((codes(game, players), parts)).encode()).digest()[:DIGEST]


def fits(position: Position) -> bool:
    """Whether there is a network for games such as this one."""
    game = position.game
    usual = {name: option.default for name, option in game.options.items()}
    return file(game, position.players).exists() and position.options == usual and game.has_own_box


@functools.cache
def network(game: Game, players: int) -> Network:
    """The network that plays the game with this many seats."""
    data = file(game, players).read_bytes()
    if data[:DIGEST] != digest(game, players):
        raise ValueError(f"{file(game, players)} was made for other actions or observations: train it anew.")
    seen, actions = features(game, players), codes(game, players)
    rows = seen + WIDTH + len(actions) + players
    end = DIGEST + 2 * WIDTH * rows
    return Network(seen, data[DIGEST:end], data[end:], struct.pack(f"<{len(actions)}i", *actions))
