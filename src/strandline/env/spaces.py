"""Actions by number and observations by part: what learning programs see of a game with so many players.

Both depend on the game, its box and the number of players alone, never on the position.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from strandline.engine import binding, records, spaces
from strandline.engine.discovery import game as find
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.spaces import Extent, Part
from strandline.engine.vocabulary import Value
from strandline.env.drivers import EMPTY, slot_of

SLOT = np.dtype([("code", "i4"), ("action", "i4")])


class Space:
    """The actions and the observation of a game with so many players."""

    def __init__(self, game: Game, players: int) -> None:
        """For `space`, which keeps what it has made."""
        self.game = game
        self.players = players
        own = _own(game)
        self.codes = np.array(list(own.decisions(players)), np.int32)
        """The code of each action's move."""
        self.parts: tuple[Part, ...] = tuple(own.parts(players))
        self.low = self._bounds("low")
        self.high = self._bounds("high")
        self.slots = _slots(self.codes)

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return len(self.codes)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.low)

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each action's move."""
        return tuple(self.game.notation.write(int(code)) for code in self.codes)

    @functools.cached_property
    def _numbers(self) -> dict[int, int]:
        return {int(code): action for action, code in enumerate(self.codes)}

    def action(self, code: int) -> int:
        """The action of a decision's code."""
        return self._numbers[code]

    def code(self, action: int) -> int:
        """The code of the action's move."""
        return int(self.codes[action])

    def extent(self, options: Mapping[str, Value]) -> Extent:
        """How far a game with these options can go."""
        found: Extent = _own(self.game).extent(self.players, options)
        return found

    def observe(self, position: Position, seat: int) -> np.ndarray[Any, np.dtype[np.int8]]:
        """What the seat sees of a position; one at a time, by interpreted rules."""
        seen = np.zeros(self.size, np.int8)
        self.game.interpreted(spaces).observe(records.view(position.records())[0], seat, seen)
        return seen

    def split(self, observation: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
        """An observation, or a batch of them, by its parts, each in its own shape."""
        ends = np.cumsum([part.size for part in self.parts])
        pieces = np.split(observation, ends[:-1], axis=-1)
        return {
            part.name: piece.reshape(*observation.shape[:-1], *part.shape)
            for part, piece in zip(self.parts, pieces, strict=True)
        }

    def _bounds(self, side: str) -> np.ndarray[Any, np.dtype[np.int8]]:
        return np.repeat(
            np.array([getattr(part, side) for part in self.parts], np.int8), [part.size for part in self.parts]
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return space, (self.game, self.players)

    def __repr__(self) -> str:
        return f"<Space of {self.game.title} for {self.players}: {self.actions} actions, {self.size} numbers seen>"


def space(game: str | Game, players: int | None = None) -> Space:
    """The space of a game, with the fewest players unless said otherwise."""
    found = find(game) if isinstance(game, str) else game
    number = found.seats[0] if players is None else players
    if number not in found.seats:
        found.new(number)  # says what is allowed
    return _space(found, number)


@functools.cache
def _space(game: Game, players: int) -> Space:
    return Space(game, players)


def actions(game: str | Game, players: int | None = None) -> list[str]:
    """The move text of every action, by its number."""
    return list(space(game, players).texts)


def observation(game: str | Game, players: int | None = None) -> tuple[Part, ...]:
    """The parts of an observation, in their order."""
    return space(game, players).parts


def _own(game: Game) -> ModuleType:
    own = binding.part(game.rules, spaces)
    if own is None:
        raise BadOptions(f"{game.title} has no spaces.py, so learning programs cannot play it.")
    return own


def _slots(codes: np.ndarray[Any, np.dtype[np.int32]]) -> np.ndarray[Any, np.dtype[np.void]]:
    """Codes with their actions, where `drivers.action_of` finds them at once: a quarter of the places is in use."""
    size = 1 << (4 * len(codes) - 1).bit_length()
    slots = np.full(size, EMPTY, np.int32).repeat(2).view(SLOT)
    for action, code in enumerate(codes):
        at = slot_of(int(code), size)
        while slots["code"][at] != EMPTY:
            at = (at + 1) % size
        slots[at] = code, action
    return slots
