"""A table as one JSON object, whole: with its secret seed, so that it can be played on elsewhere.

It is what a browser keeps of a table, what it saves to a file, and what a server takes in. A file may also hold the
key of whoever saved it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, get_origin, get_type_hints

from strandline.engine import checks
from strandline.engine.errors import IllegalMove
from strandline.table.record import BadRecord
from strandline.table.table import Entry, Kind, Setup, Table

FORMAT = "strandline table 1"


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """What is settled when a table is made."""
    found: dict[str, Any] = _plain(dataclasses.asdict(setup))
    return found


def setup_from_json(value: dict[str, Any]) -> Setup:
    """The same, read back."""
    found: Setup = _built(Setup, value)
    return found


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """One thing that happened."""
    found: dict[str, Any] = _plain(dataclasses.asdict(entry))
    return found


def entry_from_json(value: dict[str, Any]) -> Entry:
    """The same, read back."""
    found: Entry = _built(Entry, value)
    return found


def _plain(value: Any) -> Any:
    """What JSON can hold."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return value.hex() if isinstance(value, bytes) else value


def _built(kind: Any, value: Any) -> Any:
    """A value of that type from what JSON holds of it."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: _built(hints[name], item) for name, item in value.items()})
    if get_origin(kind) is tuple:
        return tuple(value)
    return bytes.fromhex(value) if kind is bytes else Kind(value) if kind is Kind else value


def to_json(setup: Setup, entries: Sequence[Entry]) -> dict[str, Any]:
    """The whole table."""
    return {"format": FORMAT, "setup": setup_to_json(setup), "entries": [entry_to_json(entry) for entry in entries]}


def from_json(value: Any) -> tuple[Setup, list[Entry]]:
    """A table from a file, replayed once. `BadRecord` if it cannot be played on."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadRecord(f"This is not a table as a browser saves it: its format is not {FORMAT!r}.")
    try:
        fields = checks.fields({"key": None, **value}, ("format", "setup", "entries", "key"), "The file")
        setup = setup_from_json(fields["setup"])
        entries = [entry_from_json(entry) for entry in fields["entries"]]
        Table(setup).replay(entries)
    except (checks.Flaw, IllegalMove, TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise BadRecord(f"This table is damaged: {error}") from None
    return setup, entries
