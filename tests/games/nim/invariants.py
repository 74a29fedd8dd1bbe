"""What holds in every position of Nim."""

from typing import Any


def check(value: dict[str, Any]) -> None:
    """There are never more stones than at the start."""
    assert 0 <= value["stones"] <= 21
