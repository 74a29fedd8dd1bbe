"""Games of a study that are worth watching: the longest, the closest, the greatest comeback."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from strandline.lab import drama, replay
from strandline.lab.findings import Found
from strandline.lab.sample import Sample

MOST_STEPS = 400
"""Longer games are not put into a report."""
MOST_REPLAYS = 9


@dataclass(frozen=True)
class Replay:
    """A game in a report: what was said of each move, and the board after it."""

    setting: str
    row: int
    title: str
    sentences: list[str]
    frames: str
    why: str = ""
    chances: list[tuple[float, ...]] | None = None
    """Each seat's chance of winning before the first move and after every one, where the search was asked."""


def replays(found: Found) -> list[Replay]:
    """Some games of the settings, as many of each."""
    each = max(1, MOST_REPLAYS // len(found.samples))
    kept = []
    for sample in found.samples[:MOST_REPLAYS]:
        setting = sample.setting
        for why, row in list(_picked(sample))[:each]:
            texts = replay.texts(sample, row)
            told = replay.sentences(setting.start, texts)
            title = f"{setting.label}: {why}"
            chances = None
            if found.plan.drama:
                review = drama.curve(setting.start, texts)
                chances = [tuple(round(part, 3) for part in chance) for chance in review.chances]
            kept.append(Replay(setting.label, row, title, told, replay.frames(setting.start, texts), why, chances))
    return kept


def _picked(sample: Sample) -> Iterator[tuple[str, int]]:
    """What is special about a game, and its number; every game once."""
    fits = np.flatnonzero(sample.column("steps") <= MOST_STEPS)
    seen = set[int]()
    for why, values in _orders(sample):
        for row in fits[np.argsort(-values[fits], kind="stable")]:
            if int(row) not in seen:
                seen.add(int(row))
                yield why, int(row)
                break


def _orders(sample: Sample) -> Iterator[tuple[str, np.ndarray[tuple[int], np.dtype[np.float64]]]]:
    """What to look for, and how much of it each game has."""
    won = sample.is_won
    rounds = sample.column("rounds")
    if sample.setting.game.facts.cooperative:
        yield "shortest victory", np.where(won, -rounds, -1e9).astype(float)
        yield "longest game", rounds.astype(float)
        yield "longest victory", np.where(won, rounds, -1e9).astype(float)
        return
    yield "greatest comeback", np.where(won, sample.column("known") / np.maximum(rounds, 1), -1.0)
    scores = np.sort(sample.column("scores")[:, : sample.setting.players], axis=1)
    margin = scores[:, -1] - scores[:, -2] if sample.setting.players > 1 else scores[:, -1]
    yield "closest game", np.where(won, -(1e6 * margin) + sample.column("lead_changes"), -1e12).astype(float)
    yield "longest game", rounds.astype(float)
