"""A game in which everything lies open."""

from typing import Any


def view(value: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """Everybody sees the whole position."""
    return value


def secret(s: Any, code: int) -> int | None:
    """Everybody sees every move and every outcome."""
    return None
