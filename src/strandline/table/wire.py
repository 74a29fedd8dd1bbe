"""What pages are told, as JSON."""

import json
from typing import Any

try:
    import orjson
except ModuleNotFoundError:  # in a browser, where time is the visitor's own
    orjson = None  # type: ignore[assignment]

_plain = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def written(value: Any) -> str:
    """The value as JSON. Of all that a server does for a move, this was a tenth when Python's own library did it."""
    if orjson is None:
        return _plain(value)
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a number over 64 bits, or half a letter
        return _plain(value)
