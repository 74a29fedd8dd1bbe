"""What guests say to a table, as types: a text is read into one of these, or refused with what is wrong with it.

A message is named by its class, in lower case; each field says by its annotation what it may hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field
from dataclasses import fields as fields_of
from typing import Annotated, Any, NamedTuple, get_type_hints

from strandline.engine import checks
from strandline.table.table import Refused

PRINTED = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]*")
"""A line of text; some stores cannot keep all of what is not printed."""
LARGEST = 2**53


class Check(NamedTuple):
    """What a field may hold: as a function of a value and its place, and as a JSON Schema."""

    read: Callable[[Any, str], Any]
    schema: dict[str, Any]


def whole(low: int, high: int) -> Check:
    """Whole numbers from `low` to `high`."""
    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Check(lambda value, where: checks.whole(value, low, high, where), schema)


def line(longest: int) -> Check:
    """A line of text."""

    def check(value: Any, where: str) -> str:
        if not isinstance(value, str) or len(value) > longest or not PRINTED.fullmatch(value):
            raise checks.Flaw(f"{where} must be a line of at most {longest} letters, not {checks.shown(value)}.")
        return value

    return Check(check, {"type": "string", "maxLength": longest, "pattern": r"^[^\u0000-\u001f\u007f]*$"})


def _hex_digits(value: Any, where: str) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
        raise checks.Flaw(f"{where} must be 64 hexadecimal digits, not {checks.shown(value)}.")
    return value


HEX = Check(_hex_digits, {"type": "string", "pattern": "^[0-9a-f]{64}$"})
"""32 bytes, as hexadecimal digits."""
FLAG = Check(checks.flag, {"type": "boolean"})


def optional(check: Check) -> Check:
    """The same, or nothing at all."""
    schema = {"anyOf": [check.schema, {"type": "null"}]}
    return Check(lambda value, where: None if value is None else check.read(value, where), schema)


def several(check: Check, most: int) -> Check:
    """A list of up to that many."""
    schema = {"type": "array", "items": check.schema, "maxItems": most}
    return Check(lambda value, where: checks.each(value, 0, most, where, check.read), schema)


_NUMBER, _NAME = whole(-LARGEST, LARGEST), optional(line(64))
ID = Check(
    lambda value, where: (_NUMBER if isinstance(value, int) else _NAME).read(value, where),
    {"anyOf": [_NUMBER.schema, *_NAME.schema["anyOf"]]},
)
"""Whatever a page tells its messages apart by."""


Text = Annotated[str, line(64)]
Hex = Annotated[str, HEX]
Part = Annotated[str | None, optional(HEX)]
Flag = Annotated[bool, FLAG]
Number = Annotated[int, whole(0, 10**9)]
Seat = Annotated[int, whole(0, 15)]
Id = Annotated[int | str | None, ID]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Any message; `id` comes back in the answer."""

    id: Id = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello(Message):
    """Who the caller is; must come first."""

    token: Annotated[str | None, optional(line(64))] = None
    since: Number = 0
    pieces: Flag = False
    story: Flag = False
    language: Annotated[str, line(35)] = ""
    wide: Flag = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Move(Message):
    """A move in the position with that number."""

    move: Text
    number: Number
    link: Part = None
    epochs: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(Message):
    """The page commits to a hash chain."""

    anchor: Hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Message):
    """The page adds the next link of its chain, because somebody has joined."""

    link: Hex
    epochs: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Message):
    """A person taps to roll, flip or draw."""

    number: Number
    link: Part = None
    epochs: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Form(Message):
    """The window is wide now, or no longer: boards are arranged for it."""

    wide: Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Here(Message):
    """A person of a hot seat is at the screen."""

    seat: Seat
    number: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Message):
    """Take back."""

    number: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover(Message):
    """Let a bot play for somebody who is away."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(Message):
    """An answer to a vote."""

    vote: Number
    seat: Seat
    yes: Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Message):
    """Let a bot play for me."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Message):
    """Give me my seat back."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Message):
    """What I am called."""

    seat: Seat
    name: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite(Message):
    """Invite somebody to a free seat, or another device of mine to my own."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(Message):
    """Take an invitation back."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Message):
    """Disconnect a lost device: my own other ones, or with a vote somebody else's."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Code(Message):
    """A short code to be typed at the lobby, for the free seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Emote(Message):
    """A kind word, or a face, to everybody."""

    seat: Seat
    emote: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(Message):
    """The table is in front of me now, or no longer."""

    visible: Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Rematch(Message):
    """Once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint(Message):
    """What would a bot do?"""

    number: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways(Message):
    """Where can a piece get to by several moves?"""

    shape: Text
    number: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Message):
    """Why can a shape of the board not be clicked, after those that were chosen?"""

    shape: Text
    chosen: Annotated[list[str], several(line(64), 16)] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping(Message):
    """Is anybody there?"""


KINDS: dict[str, type[Message]] = {kind.__name__.lower(): kind for kind in Message.__subclasses__()}
CHECKS: dict[type[Message], dict[str, Check]] = {
    kind: {name: hint.__metadata__[0] for name, hint in get_type_hints(kind, include_extras=True).items()}
    for kind in KINDS.values()
}

REQUIRED: dict[type[Message], list[str]] = {
    kind: [item.name for item in fields_of(kind) if item.default is item.default_factory is MISSING]
    for kind in KINDS.values()
}
"""The fields that a message must have."""


def read(text: str) -> Message:
    """A message from its text; `Refused` if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("malformed", "A message is a JSON object.") from None
    try:
        return _read(checks.fields_of(value, "A message"))
    except checks.Flaw as flaw:
        raise Refused("malformed", str(flaw)) from None


def _read(value: dict[str, Any]) -> Message:
    name = checks.word(value.get("type"), KINDS, "type")
    said = {field: what for field, what in value.items() if field != "type"}
    kind = KINDS[name]
    needed = REQUIRED[kind]
    checks.fields({**dict.fromkeys(CHECKS[kind]), **said}, CHECKS[kind], f"The message {name}")
    checks.fields({field: None for field in needed if field in said}, needed, f"The message {name}")
    return kind(**{field: CHECKS[kind][field].read(what, field) for field, what in said.items()})


def id_in(text: Any) -> int | str | None:
    """The id of a message, for its answer, even if the rest of the message is bad."""
    try:
        value = json.loads(text)
        found: int | str | None = ID.read(value.get("id") if isinstance(value, dict) else None, "id")
        return found
    except (TypeError, ValueError, RecursionError):
        return None
