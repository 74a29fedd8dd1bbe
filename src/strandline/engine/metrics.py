"""What a game's `metrics.py` may define, so that studies count what is special in it: all of it optional.

`METRICS` names what is counted, and `watch` counts it; `progress` tells who leads. Both are in the rules' subset.
"""

from dataclasses import dataclass

from strandline.engine.contract import score


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


def progress(s, seat):
    """How far the seat has come: whoever has come farthest leads. By the score, where that says enough."""
    return score(s, seat)
