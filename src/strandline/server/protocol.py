"""The messages between a page and its table, in both directions, as one JSON Schema.

What pages say are the classes of `table.messages`; what they are told are the models here. A site's worker speaks the
same. `python -m strandline.server.protocol > docs/messages.schema.json` writes the schema down.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema

from strandline.server.models import EventSeen, TableSeen
from strandline.table import messages
from strandline.table.emotes import EMOTES
from strandline.table.perspective import VERSION
from strandline.table.table import Refusal

Id = int | str | None
Board = str | list[str | tuple[int, int]]
"""A board: whole, or its pieces as texts and as `[from, to]` in the board before."""


class Answer(BaseModel):
    """What a page is told in answer to a message, whose id it repeats."""

    re: Id


class Step(EventSeen):
    """An event with the board after it."""

    svg: Board


class State(Answer, TableSeen):
    """The table as the caller may see it; without `re` it is news."""

    type: Literal["state"]
    version: Annotated[int, Field(ge=VERSION, le=VERSION)]
    steps: list[Step]
    svg: Board


class Pong(Answer):
    """Somebody is there."""

    type: Literal["pong"]


class Refused(Answer):
    """Why not: nothing has changed."""

    type: Literal["refused"]
    code: Refusal
    error: str
    rule: str | None
    number: int | None


class Hint(Answer):
    """What a bot would do."""

    type: Literal["hint"]
    number: int
    move: str
    sentence: str
    reason: str | None


class Way(BaseModel):
    """Several moves in one go: the shape to click, and the moves."""

    goal: str
    moves: list[str]


class Ways(Answer):
    """Where a piece can get to."""

    type: Literal["ways"]
    shape: str
    ways: list[Way]


class Why(Answer):
    """Why a shape cannot be clicked; no sentence if it can."""

    type: Literal["why"]
    shape: str
    sentence: str | None
    rule: str | None


class Invitation(Answer):
    """An invitation to be passed on."""

    type: Literal["invitation"]
    seat: int
    link: str


class Code(Answer):
    """A code to be typed at the lobby."""

    type: Literal["code"]
    code: str


class Sent(Answer):
    """An emote was passed on."""

    type: Literal["sent"]


class Noted(Answer):
    """It is known whether the caller looks."""

    type: Literal["noted"]


class Emote(BaseModel):
    """Somebody says something."""

    type: Literal["emote"]
    seat: int
    emote: Literal[EMOTES]  # type: ignore[valid-type]


class Seen(BaseModel):
    """The person at a seat looks at the table on another device, as it is after line `number`."""

    type: Literal["seen"]
    seat: int
    number: int


TOLD: dict[str, type[BaseModel]] = {
    kind.__name__.lower(): kind
    for kind in (State, Pong, Refused, Hint, Ways, Why, Invitation, Code, Sent, Noted, Emote, Seen)
}
"""What a page is told, by its type."""


def schema() -> dict[str, Any]:
    """The schema: `said` describes what pages say, `told` what they are told."""
    names, found = models_json_schema(
        [(kind, "serialization") for kind in TOLD.values()], ref_template="#/$defs/{model}"
    )
    told = {name: names[kind, "serialization"]["$ref"] for name, kind in TOLD.items()}
    said = {name: _said(name, kind) for name, kind in messages.KINDS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Strandline: messages between a page and its table, version {VERSION}",
        "$defs": {
            "said": {"oneOf": [{"$ref": f"#/$defs/said.{name}"} for name in said]},
            "told": {"oneOf": [{"$ref": ref} for ref in told.values()]},
            **{f"said.{name}": value for name, value in said.items()},
            **{name: _closed(value) for name, value in found["$defs"].items()},
        },
    }


def _said(name: str, kind: type[messages.Message]) -> dict[str, Any]:
    fields = {field: check.schema for field, check in messages.CHECKS[kind].items()}
    return {
        "description": kind.__doc__,
        "type": "object",
        "properties": {"type": {"const": name}, **fields},
        "required": ["type", *messages.REQUIRED[kind]],
        "additionalProperties": False,
    }


def _closed(value: dict[str, Any]) -> dict[str, Any]:
    """The same without titles that repeat names, and without room for other fields."""
    fields = {name: {k: v for k, v in what.items() if k != "title"} for name, what in value["properties"].items()}
    closed = {**value, "properties": fields, "additionalProperties": False}
    del closed["title"]
    return closed


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1, ensure_ascii=False))
