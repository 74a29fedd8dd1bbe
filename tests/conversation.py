"""All that pages and tables say to each other in tests is held against the schema of messages."""

import functools
from typing import Any

import jsonschema_rs
import orjson

from strandline.server import protocol
from strandline.table import messages

SCHEMA = protocol.schema()


@functools.cache
def _validator(name: str) -> Any:
    return jsonschema_rs.validator_for({**SCHEMA, "$ref": f"#/$defs/{name}"})


def _flaws(name: str, message: Any) -> list[str]:
    return [f"{error.instance_path}: {error.message[:300]}" for error in _validator(name).iter_errors(message)]


def check_told(text: str | bytes) -> dict[str, Any]:
    """What a page is told."""
    message: dict[str, Any] = orjson.loads(text)
    kind = protocol.TOLD.get(message.get("type", ""))
    assert kind is not None, f"No page knows such a message: {message}"
    flaws = _flaws(kind.__name__, message)
    assert not flaws, f"{message['type']}: {flaws}"
    return message


def fits(message: Any) -> bool:
    """Whether it is a message that a page may say."""
    kind = message.get("type") if isinstance(message, dict) else None
    return isinstance(kind, str) and kind in messages.KINDS and not _flaws(f"said.{kind}", message)


def check_said(text: str | bytes) -> dict[str, Any]:
    """What a page says by itself."""
    message: dict[str, Any] = orjson.loads(text)
    assert fits(message), message
    return message
