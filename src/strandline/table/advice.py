"""A hint: what a bot would do in a person's place, and what its analysis says for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import strandline
from strandline.bots import analysis
from strandline.engine.words import Words

_ = Words(__file__)

ALIKE = 0.02
"""Moves whose results differ by less are about as good."""


@dataclass(frozen=True)
class Advice:
    """A move, and what can be expected of it and of the next best one, from 0 (lost) to 1 (won alone)."""

    move: str
    result: float | None = None
    next_best: float | None = None

    @property
    def reason(self) -> str:
        """Why this move, in a sentence for the reader of the moment; nothing where there is no choice."""
        if self.result is None or self.next_best is None:
            return ""
        chance = _percent(self.result)
        if self.result - self.next_best < ALIKE:
            return _("It rates your chances at {chance}; another move is about as good.", chance=chance)
        other = _percent(self.next_best)
        return _("It rates your chances at {chance}; the next best move gets {other}.", chance=chance, other=other)


def _percent(part: float) -> str:
    return f"{round(100 * part)} %"


def compute(view: dict[str, Any], seat: int, seed: int, threads: int) -> Advice:
    """The best move for the seat, from what it can see. It takes a thread for up to a second."""
    return advised(analysis.analyse(view, seat, game=strandline.game(view["game"]), threads=threads, seed=seed))


def advised(estimates: list[analysis.Estimate]) -> Advice:
    """The advice of an analysis, its best move first."""
    best, *others = estimates
    return Advice(best.move, best.result, max((other.result for other in others), default=None))
