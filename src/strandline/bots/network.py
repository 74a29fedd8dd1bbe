"""The networks in a game's folder, each for N seats, the default options and the game's own box.

`champion.N.bin` guides the search of level 6, which has been seen to beat level 5. Where that has not been seen, the
file is called `network.N.bin`, and the bot `network` plays what it likes best at sight.

A file is the digest of the box, the actions and what the network sees, then the rows of weights as `bots.puct` reads
them, whole numbers of 16 bits, then the biases, of 32. Layers of fewer units than `WIDTH` are written as narrow as they
are. `env.quantize` makes it.
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

BOX, DIGEST = 8, 16
"""Bytes of the digest, and of its beginning, which tells the box."""


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
    """Where the network is, or would be, that plays the game with this many seats."""
    champion = _champion(game, players)
    return champion if champion.exists() else game.folder / f"network.{players}.bin"


def _champion(game: Game, players: int) -> Path:
    return game.folder / f"champion.{players}.bin"


def seats(game: Game) -> tuple[int, ...]:
    """The numbers of seats for which the game has a network that was trained for its box."""
    return tuple(number for number in game.seats if _is_for_box(game, number))


def has_any(game: Game) -> bool:
    """Whether the game has networks, for whichever box."""
    return any(file(game, number).exists() for number in game.seats)


def champions(game: Game) -> tuple[int, ...]:
    """The numbers of seats for which the game has a champion: the network makes level 6."""
    return tuple(number for number in seats(game) if _champion(game, number).exists())


def _is_for_box(game: Game, players: int) -> bool:
    try:
        with file(game, players).open("rb") as data:
            return data.read(BOX) == _box(game)
    except FileNotFoundError:
        return False


def _box(game: Game) -> bytes:
    return bytes.fromhex(game.box_digest)[:BOX]


def codes(game: Game, players: int) -> list[int]:
    """The codes of all actions, in order."""
    return sorted(map(int, _spaces(game).decisions(players)))


def features(game: Game, players: int) -> int:
    """How many numbers a network sees."""
    return sum(part.size for part in parts(game, players))


def parts(game: Game, players: int) -> tuple[spaces.Part, ...]:
    """The parts of what a network sees: the observation, or what the game shows its networks in its place."""
    own = _spaces(game)
    return tuple(getattr(own, "insight_parts", spaces.insight_parts)(players)) or tuple(own.parts(players))


def _spaces(game: Game):  # type: ignore[no-untyped-def]
    return binding.part(game.rules, spaces)


def digest(game: Game, players: int) -> bytes:
    """What tells whether a network was made for this box and these actions, and to see this."""
    seen = [(part.name, part.shape, part.low, part.high) for part in parts(game, players)]
    return _box(game) + hashlib.sha256(repr((codes(game, players), seen)).encode()).digest()[: DIGEST - BOX]


def fits(position: Position) -> bool:
    """Whether there is a network for games such as this one."""
    game = position.game
    usual = {name: option.default for name, option in game.options.items()}
    return position.players in seats(game) and position.options == usual


def is_champions(position: Position) -> bool:
    """Whether there is a champion for games such as this one."""
    return position.players in champions(position.game) and fits(position)


@functools.cache
def network(game: Game, players: int) -> Network:
    """The network that plays the game with this many seats."""
    data = file(game, players).read_bytes()
    if data[:DIGEST] != digest(game, players):
        raise ValueError(
            f"{file(game, players)} was made for another box, other actions, or to see something else: train it anew."
        )
    seen, actions = features(game, players), codes(game, players)
    weights, biases = _widened(data[DIGEST:], seen, len(actions) + players)
    return Network(seen, weights, biases, struct.pack(f"<{len(actions)}i", *actions))


def _widened(data: bytes, seen: int, said: int) -> tuple[bytes, bytes]:
    """The weights and biases of a file, with units that are always 0 added to its layers up to `WIDTH` of them."""
    width = next(width for width in range(WIDTH + 1) if 2 * width * (seen + width + said + 4) + 4 * said >= len(data))
    end, missing = 2 * width * (seen + width + said), WIDTH - width
    rows = [data[at : at + 2 * width] + bytes(2 * missing) for at in range(0, end, 2 * width)]
    rows[seen + width : seen + width] = missing * [bytes(2 * WIDTH)]
    layers = [data[end + at : end + at + 4 * width] + bytes(4 * missing) for at in (0, 4 * width)]
    return b"".join(rows), b"".join(layers) + data[end + 8 * width :]
