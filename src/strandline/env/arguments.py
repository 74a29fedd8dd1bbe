"""What callers hand in: each function returns it as it is needed, or refuses it with a sentence."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any

import numpy as np

from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.vocabulary import Value

SEEDS = 2**63

Array = np.ndarray[Any, Any]


class UnknownOption(BadOptions, TypeError):
    """The game has no such option.

    It is refused in Python's words for an argument: so TorchRL's `GymEnv` finds out that it must leave out `frameskip`.
    """


def start(game: Game, players: int | None, options: Mapping[str, Value]) -> Position:
    """The position with which the game begins."""
    try:
        return game.new(players, **options)
    except BadOptions as error:
        for name in options:
            if name not in game.options:
                raise UnknownOption(f"unexpected keyword argument {name!r}: {error}") from None
        raise


def whole(value: Any) -> int | None:
    """The value as a whole number, NumPy's included; None if it is none."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def count(value: Any, what: str, otherwise: str = "") -> int:
    """How many there are of something."""
    found = whole(value)
    if found is None or found < 1:
        raise BadOptions(f"{what} must be a whole number from 1 on{otherwise}, not {shown(value)}.")
    return found


def checked_seed(value: Any) -> int:
    """A seed."""
    found = whole(value)
    if found is None or not 0 <= found < SEEDS:
        raise BadOptions(f"A seed must be a whole number from 0 to 2**63 - 1, not {shown(value)}.")
    return found


def seeds_from(first: Any, number: int) -> list[int]:
    """A seed and those that follow it, the last of all being followed by 0."""
    return [(checked_seed(first) + i) % SEEDS for i in range(number)]


def numbers(actions: Any, most: int) -> Array:
    """Actions in an array of any shape; `most` is how many there are to choose from."""
    try:
        given = np.asarray(actions)
    except ValueError:  # lists of different lengths
        given = np.asarray(None)
    if given.size and given.dtype.kind not in "iu":
        raise BadOptions(f"Actions must be whole numbers from 0 to {most - 1}, not {shown(actions)}.")
    return given


def single(action: Any, most: int) -> Array:
    """The action of the only game there is, as a batch takes it."""
    given = numbers(action, most)
    if given.size != 1:
        raise BadOptions(f"There must be one action, not {given.size}.")
    return given.reshape(1)
