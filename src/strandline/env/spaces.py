"""Actions by number and observations by part: what learning programs see of a game with a given number of players.

Both depend on the game, its box and the number of players alone, never on the position.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from reprlib import repr as shown
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


class Sight:
    """What is seen of a game, as numbers: their parts, bounds and meanings."""

    def __init__(self, parts: Iterable[Part], hopes: Mapping[str, Sequence[float]]) -> None:
        """`hopes` as `engine.spaces` has them."""
        self.parts: tuple[Part, ...] = tuple(parts)
        low, high = min(part.low for part in self.parts), max(part.high for part in self.parts)
        self.dtype = np.result_type(np.min_scalar_type(min(low, -1)), np.min_scalar_type(-high - 1))
        """Of whole numbers: `int8`, unless a part goes beyond it."""
        self.low = self._bounds("low")
        self.high = self._bounds("high")
        self.scale = (1 / np.maximum(np.abs(self.low.astype(np.float32)), self.high)).astype(np.float32)
        """What scaled observations are multiplied with, so that they lie between -1 and 1."""
        self.hope = np.concatenate([hopes.get(part.name, np.zeros(part.size)) for part in self.parts]).astype("f4")
        """What each number promises of a win; all 0 in games that can be won by chance."""

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.low)

    def _bounds(self, side: str) -> np.ndarray[Any, Any]:
        values = np.array([getattr(part, side) for part in self.parts], self.dtype)
        return np.repeat(values, [part.size for part in self.parts])


class Space(Sight):
    """The actions and the observation of a game with a given number of players."""

    def __init__(self, game: Game, players: int) -> None:
        """For `space`, which keeps what it has made."""
        self.game = game
        self.players = players
        own = _own(game)
        self.codes = np.array(list(own.decisions(players)), np.int32)
        """The code of each action's move, or of its step of a move."""
        hopes = game.interpreted(spaces).hopes(players)
        super().__init__(own.parts(players), hopes)
        insights = game.interpreted(spaces).insight_parts(players)
        self.insight = Sight(insights, hopes) if insights else self
        """What the game's networks see, which may be something else."""
        self.slots = _slots(self.codes)

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return len(self.codes)

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each action's move, or of its step of a move."""
        own, rules = _own(self.game), self.game.interpreted(spaces)
        return tuple(
            self.game.notation.write(code) if rules.is_move(code) else own.text(code) for code in self.codes.tolist()
        )

    @functools.cached_property
    def _numbers(self) -> dict[int, int]:
        return {int(code): action for action, code in enumerate(self.codes)}

    def action(self, code: int) -> int:
        """The action of a code: of a move that is one action, or of a step."""
        return self._numbers[code]

    def code(self, action: int) -> int:
        """The code of the action's move, or of its step of a move."""
        return int(self.codes[action])

    def path(self, code: int) -> tuple[int, ...]:
        """The actions that make up a move, in their order; nearly all moves are one action."""
        rules = self.game.interpreted(spaces)
        return tuple(self._numbers[rules.step_of(code, i)] for i in range(rules.steps(code)))

    def legal(self, position: Position, taken: Sequence[int] = ()) -> dict[int, int | None]:
        """The legal actions after those already taken of a move, each with the code of the move that it completes."""
        self._must_fit(position)
        found: dict[int, int | None] = {}
        for code in position.codes():
            path = self.path(code)
            if path[: len(taken)] == tuple(taken):
                found.setdefault(path[len(taken)], None)
                if len(path) == len(taken) + 1:
                    found[path[-1]] = code
        return found

    def _must_fit(self, position: Position, seat: int = 0) -> None:
        if (position.game.name, position.players) != (self.game.name, self.players):
            other = f"{position.game.title} for {position.players}"
            raise BadOptions(f"This is the space of {self.game.title} for {self.players}, and the position of {other}.")
        if seat not in range(self.players):
            raise BadOptions(f"seat must be from 0 to {self.players - 1}, not {shown(seat)}.")

    def extent(self, options: Mapping[str, Value]) -> Extent:
        """How far a game with these options can go."""
        found: Extent = _own(self.game).extent(self.players, options)
        return found

    def observe(self, position: Position, seat: int, taken: Sequence[int] = ()) -> np.ndarray[Any, Any]:
        """What the seat sees of a position, and of the actions it has taken of a move; by interpreted rules."""
        self._must_fit(position, seat)
        seen = np.zeros(self.size, self.dtype)
        rules = self.game.interpreted(spaces)
        rules.observe(records.view(position.records())[0], seat, seen)
        for action in taken:
            rules.observe_step(self.code(action), seen)
        return seen

    def look_into(self, position: Position, seat: int) -> np.ndarray[Any, Any]:
        """What the game's networks see of a position in the seat's place; by interpreted rules."""
        self._must_fit(position, seat)
        seen = np.zeros(self.insight.size, self.insight.dtype)
        work = binding.work(self.game.rules).structure()
        self.game.interpreted(spaces).insight(records.view(position.records())[0], work, seat, seen)
        return seen

    def scaled(self, observation: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """An observation, or a batch of them, as numbers from -1 to 1."""
        return np.asarray(np.multiply(observation, self.scale, dtype=np.float32))

    def split(self, observation: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
        """An observation, or a batch of them, by its parts, each in its own shape."""
        ends = np.cumsum([part.size for part in self.parts])
        pieces = np.split(observation, ends[:-1], axis=-1)
        return {
            part.name: piece.reshape(*observation.shape[:-1], *part.shape)
            for part, piece in zip(self.parts, pieces, strict=True)
        }

    def box(self, scaled: bool) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The bounds of observations, whole numbers or scaled."""
        return (self.scaled(self.low), self.scaled(self.high)) if scaled else (self.low, self.high)

    def __reduce__(self) -> tuple[Any, ...]:
        return space, (self.game, self.players)

    def __repr__(self) -> str:
        return f"<Space of {self.game.title} for {self.players}: {self.actions} actions, {self.size} features>"


def space(game: str | Game, players: int | None = None) -> Space:
    """The space of a game, with the fewest players unless said otherwise."""
    found = game if isinstance(game, Game) else find(game)
    number = found.seats[0] if players is None else players
    if type(number) is not int or number not in found.seats:
        found.new(number)  # says what is allowed
    return _space(found, number)


@functools.cache
def _space(game: Game, players: int) -> Space:
    return Space(game, players)


def actions(game: str | Game, players: int | None = None) -> list[str]:
    """The text of every action's move, or of its step of a move, by number."""
    return list(space(game, players).texts)


def observation(game: str | Game, players: int | None = None) -> tuple[Part, ...]:
    """The parts of an observation, in their order."""
    return space(game, players).parts


def has_space(game: Game) -> bool:
    """Whether learning programs can play the game: it has a `spaces.py`."""
    return binding.part(game.rules, spaces) is not None


def _own(game: Game) -> ModuleType:
    own = binding.part(game.rules, spaces)
    if own is None:
        raise BadOptions(f"{game.title} has no spaces.py, so learning programs cannot play it.")
    return own


def _slots(codes: np.ndarray[Any, np.dtype[np.int32]]) -> np.ndarray[Any, np.dtype[np.void]]:
    """Codes with their actions, where `drivers.show` finds them at once: a quarter of the places is in use."""
    size = 1 << (4 * len(codes) - 1).bit_length()
    slots = np.full(size, EMPTY, np.int32).repeat(2).view(SLOT)
    for action, code in enumerate(codes):
        at = slot_of(int(code), size)
        while slots["code"][at] != EMPTY:
            at = (at + 1) % size
        slots[at] = code, action
    return slots
