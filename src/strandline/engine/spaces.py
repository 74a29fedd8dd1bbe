"""What a game's `spaces.py` defines, so that learning programs can play it: what they see and how actions are numbered.

`observe` is in the rules' subset.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together."""

    name: str
    size: int
    low: int
    high: int
    meaning: str
    """What they are, in a line."""


def observe(s, seat, out):
    """Write what the seat sees to `out`, the parts one after the other; nothing that is hidden from it."""
    raise NotImplementedError
