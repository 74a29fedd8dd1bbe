"""The words that every game's rules are written in. A `rules.py` imports from here and from its own `box.py` only.

The functions here are bound and compiled together with the rules, so they keep to the rules' subset of Python.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from strandline.engine.records import Field, Layout
from strandline.engine.words import message as message

CHANCE = -1
"""What `to_move` answers when chance decides."""
OVER = -2
"""What `to_move` answers when the game is over."""

Value = bool | int | str


@dataclass(frozen=True)
class Facts:
    """What a lobby says about a game."""

    title: str
    tagline: str
    """What it is about, in one line."""
    seats: Sequence[int]
    minutes: int
    """How long a game takes at a table, about."""
    cooperative: bool = False
    """Whether all seats win or lose as one."""
    chance: bool = True
    """Whether anything is ever rolled, drawn or dealt."""
    version: int = 1
    """The version of the rules: one more whenever old records would be replayed differently."""


@dataclass(frozen=True)
class Option:
    """One option of a game: its name, the values it may take, its default, and a line of help."""

    name: str
    values: Sequence[Value]
    default: Value
    help: str
    title: str = ""
    """What people call it, where they choose it."""
    labels: Mapping[Value, str] = field(default_factory=dict)
    """What people call its values, where these do not speak for themselves."""

    def allows(self, value: object) -> bool:
        """Whether `value` is one of `values`, type included: `True` is not 1."""
        kind = type(self.values[0])
        return type(value) is kind and value in self.values

    def encode(self, value: Value) -> int:
        """The number that stands for `value` in a record: whole numbers stand for themselves."""
        return int(value) if isinstance(value, int) else self.values.index(value)

    def decode(self, number: int) -> Value:
        """The value that `number` stands for in a record."""
        first = self.values[0]
        if isinstance(first, bool):
            return bool(number)
        return number if isinstance(first, int) else self.values[number]


class NumPyType(str):
    """The name of a NumPy type that compilers are given, and nobody else needs."""

    __slots__ = ()


class ConstantTable(tuple[Any, ...]):
    """A constant table of whole numbers, read as `TABLE[i][j]`: nested tuples interpreted, an array compiled."""


def table(rows: Iterable[Any]) -> ConstantTable:
    """A `ConstantTable` from nested sequences of whole numbers; all rows of a level have one length."""

    def frozen(level: Any) -> Any:
        return tuple(frozen(item) for item in level) if isinstance(level, (list, tuple, range)) else int(level)

    found = ConstantTable(frozen(row) for row in rows)
    _check_rows(found)
    return found


def _check_rows(level: Any) -> tuple[int, ...]:
    """The shape of a table. Refuses rows of different lengths, and numbers of more than 32 bits."""
    if isinstance(level, int):
        if not -(2**31) <= level < 2**31:
            raise OverflowError(f"{level} is too large for a table.")
        return ()
    shapes = {_check_rows(item) for item in level}
    if len(shapes) > 1:
        raise ValueError("All rows of a table have one length.")
    return (len(level), *(shapes.pop() if shapes else ()))


def state(options: Iterable[Option], *fields: Field) -> Layout:
    """The layout of a game's state: `players`, a field for each option, and the game's own fields."""
    return Layout(("players", "i1"), *((option.name, _kind(option)) for option in options), *fields)


def scratch(*fields: Field) -> Layout:
    """The layout of a game's scratch space. What it holds lasts from `count` to the calls of `nth` after it."""
    return Layout(*(fields or [("unused", "i1")]))


def _kind(option: Option) -> str:
    largest = max(option.encode(value) for value in option.values)
    return "i1" if largest < 2**7 else "i2" if largest < 2**15 else "i4"


def pack(verb: int, a: int = 0, b: int = 0, c: int = 0) -> int:
    """The code of a move: what is done, and up to three numbers from 0 to 255 that say with what."""
    return (verb << 24) | (a << 16) | (b << 8) | c


def verb(code: int) -> int:
    """What is done by the move."""
    return code >> 24


def first(code: int) -> int:
    """The first number of the move."""
    return (code >> 16) & 255


def second(code: int) -> int:
    """The second number of the move."""
    return (code >> 8) & 255


def third(code: int) -> int:
    """The third number of the move."""
    return code & 255
