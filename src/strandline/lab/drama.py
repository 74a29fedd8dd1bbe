"""How games feel: each seat's chance of winning after every move, from the search, and what it says about the games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strandline.bots import analysis
from strandline.engine.position import Position
from strandline.lab import replay, stats
from strandline.lab.sample import Sample

SIMULATIONS = 100
"""Of the search, for each position."""


@dataclass(frozen=True)
class Drama:
    """What the chances of winning did in one game."""

    open: float
    """The part of the game after which the winner's chance stays above one half."""
    lowest: float
    """The lowest chance that the winner ever had."""
    swing: float
    """The largest change of anybody's chance by one move or outcome."""
    luck: float
    """The part of all changes that chance events made, not decisions."""


def of(sample: Sample, games: int) -> dict[str, stats.Estimate]:
    """The means over the first games of a sample that somebody won."""
    found = []
    for row in np.flatnonzero(sample.is_won)[:games]:
        texts = replay.texts(sample, int(row))
        winners = [seat for seat in range(sample.setting.players) if sample.winners[row, seat]]
        found.append(drama(curve(sample.setting.start, texts), winners))
    return summary(found) if found else {}


def curve(start: Position, moves: Sequence[str], seed: int = 0) -> analysis.Review:
    """A game reviewed by the search."""
    return analysis.review(start, list(moves), simulations=SIMULATIONS, seed=seed)


def drama(review: analysis.Review, winners: Sequence[int]) -> Drama:
    """The drama of a game that these seats won."""
    chances = np.array(review.chances)
    best = chances[:, winners].sum(1)
    behind = np.flatnonzero(best[:-1] <= 0.5)
    changes = np.array([max(map(abs, event.change)) for event in review.events])
    chance = np.array([event.who is None for event in review.events])
    return Drama(
        float((behind[-1] + 1) / (len(best) - 1)) if len(behind) else 0.0,
        float(best.min()),
        float(changes.max()),
        float(changes[chance].sum() / max(changes.sum(), 1e-9)),
    )


def summary(found: Sequence[Drama]) -> dict[str, stats.Estimate]:
    """The means over some games, by what they are called."""
    columns = {
        "decided after, of the game": [one.open for one in found],
        "the winner's lowest chance": [one.lowest for one in found],
        "largest swing of a chance": [one.swing for one in found],
        "swings that are luck": [one.luck for one in found],
    }
    return {name: stats.mean(np.array(values)) for name, values in columns.items()}
