"""What pages are told is the same JSON, whichever library writes it."""

import json
from typing import Any

import pytest

from server.helpers import make_table
from strandline.table import wire
from strandline.table.perspective import seen_by, state


@pytest.mark.parametrize("library", ["quick", "plain"])
@pytest.mark.parametrize("value", [None, 2**70, "\ud800", {"words": "Ä ☂ \n", "numbers": [1, 2.5, -3]}, (1, [2])])
def test_what_is_written_is_read_again(value: Any, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what the quick library refuses: strangers choose the ids of their messages."""
    if library == "plain":
        monkeypatch.setattr(wire, "orjson", None)
    assert json.loads(wire.written(value)) == (list(value) if isinstance(value, tuple) else value)


def test_a_table_is_the_same_by_both(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table()
    value = state(table, seen_by(table, frozenset({0}), None), [0])
    quick = wire.written(value)
    monkeypatch.setattr(wire, "orjson", None)
    assert json.loads(quick) == json.loads(wire.written(value)) == json.loads(json.dumps(value))
