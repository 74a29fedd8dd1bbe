"""The schema of messages says exactly what a table understands, and is written down as it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation import SCHEMA, check_told, fits
from strandline.table import messages
from strandline.table.table import Refused

DOCS = Path(__file__).parents[2] / "docs"
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
ODD: st.SearchStrategy[Any] = st.sampled_from([None, True, -1, 10**9 + 1, 2**53 + 1, "a\nb", "x" * 65, [], ["x"], {}])


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What a field may hold."""
    match schema:
        case {"const": value}:
            return st.just(value)
        case {"anyOf": several}:
            return st.one_of([values(one) for one in several])
        case {"type": "array"}:
            return st.lists(values(schema["items"]), max_size=schema["maxItems"])
        case {"type": "integer"}:
            return st.integers(schema["minimum"], schema["maximum"])
        case {"pattern": "^[0-9a-f]{64}$"}:
            return st.binary(min_size=32, max_size=32).map(bytes.hex)
        case {"type": "string"}:
            return TEXTS
    return {"boolean": st.booleans(), "null": st.none()}[schema["type"]]


@st.composite
def said(draw: st.DrawFn) -> dict[str, Any]:
    """A message, right or nearly right."""
    schema = SCHEMA["$defs"][f"said.{draw(st.sampled_from(sorted(messages.KINDS)))}"]
    fields = {name: values(what) for name, what in schema["properties"].items()}
    left_out = {name for name in fields if name not in schema["required"] and draw(st.booleans())}
    message = {name: draw(value) for name, value in fields.items() if name not in left_out}
    match draw(st.sampled_from(["right", "missing", "surplus", "wrong"])):
        case "missing":
            del message[draw(st.sampled_from(sorted(message)))]
        case "surplus":
            message[draw(st.sampled_from(["seats", "Type", "tokens"]))] = 1
        case "wrong":
            message[draw(st.sampled_from(sorted(message)))] = draw(ODD)
    return message


@given(said())
def test_the_schema_takes_what_the_table_understands(message: dict[str, Any]) -> None:
    try:
        messages.read(json.dumps(message))
        understood = True
    except Refused as refused:
        assert refused.code == "malformed"
        understood = False
    assert fits(message) == understood


@pytest.mark.parametrize(
    "message",
    [
        {"type": "pong", "re": 1, "more": 1},
        {"type": "pong"},
        {"type": "pong", "re": []},
        {"type": "emote", "seat": 0, "emote": "rude"},
        {"type": "refused", "re": 1, "code": "whim", "error": "No.", "rule": None, "number": 1},
        {"type": "gossip", "re": 1},
    ],
)
def test_what_is_told_otherwise_is_noticed(message: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check_told(json.dumps(message))
    check_told(json.dumps({"type": "pong", "re": 1}))


def test_the_schema_is_written_down() -> None:
    """`python -m strandline.server.protocol > docs/messages.schema.json` writes it anew."""
    assert json.loads((DOCS / "messages.schema.json").read_text()) == SCHEMA
