"""A game that gives no reasons: what is highlighted can be used, and nothing else."""

from collections.abc import Sequence
from typing import Any

from strandline.engine.reasons import Reason


def shape(s: Any, w: Any, name: str, chosen: Sequence[str]) -> Reason | None:
    """The engine says that it cannot be used now."""
    return None


def move(s: Any, w: Any, code: int) -> Reason | None:
    """The engine says that it cannot be played now."""
    return None
