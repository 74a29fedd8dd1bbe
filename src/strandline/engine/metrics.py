"""What a game's `metrics.py` may define, so that studies count what is special in it: all of it optional.

`METRICS` names what is counted, and `watch` counts it, in the rules' subset.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """Something that happens in a game and can be counted."""

    name: str
    unit: str
    meaning: str
    """What is counted, in a line."""


METRICS: tuple[Metric, ...] = ()


def watch(before, after, code, tally):
    """Add what a move or an outcome brought about to `tally`, a number for each of `METRICS`."""
