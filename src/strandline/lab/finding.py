"""Games of a study that somebody looks for: by events, by length, by the course of the lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from strandline.engine.errors import BadOptions
from strandline.lab import again
from strandline.lab.sample import Sample, Values

MOST = 10
"""Games that are told of unless somebody wants more."""


@dataclass(frozen=True)
class Span:
    """Numbers from one to another, both included."""

    low: float = -np.inf
    high: float = np.inf


@dataclass(frozen=True)
class Wanted:
    """What a game has to be like."""

    rounds: Span = Span()
    events: Mapping[str, Span] | None = None
    curve: tuple[float, ...] = ()
    """The winner's lead from the beginning to the end, evenly spread: 0 behind, 0.5 level, 1 ahead."""


@dataclass(frozen=True)
class Hit:
    """A game that was found."""

    row: int
    rounds: int
    winners: tuple[int, ...]
    events: tuple[int, ...]
    """As many as were asked for."""
    distance: float | None
    """From the wanted curve: the root of the mean squared difference."""


def span(text: str) -> Span:
    """Numbers written as `20..30`, `20..`, `..30` or `20`."""
    low, dots, high = text.partition("..")
    try:
        if not dots:
            return Span(float(low), float(low))
        return Span(float(low) if low else -np.inf, float(high) if high else np.inf)
    except ValueError:
        raise BadOptions(f"A range is written 20..30, 20.., ..30 or 20; not {text!r}.") from None


def curve(text: str) -> tuple[float, ...]:
    """A curve written as `0.5,0.4,0.9`."""
    try:
        found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if len(found) < 2 or not all(0 <= part <= 1 for part in found):
        raise BadOptions(f"--curve is two or more numbers from 0 to 1, written 0.5,0.4,0.9; not {text!r}.")
    return found


def find(sample: Sample, wanted: Wanted) -> list[Hit]:
    """All games that fit, those most like the curve first, else in their order."""
    events = {event.name: event.values for event in sample.events()}
    fits = _within(sample.column("rounds"), wanted.rounds)
    for name, limits in (wanted.events or {}).items():
        if name not in events:
            close = get_close_matches(name, events) or list(events)
            raise BadOptions(f"{sample.setting.game.title} counts no event {name!r}. There are: {', '.join(close)}.")
        fits &= _within(events[name], limits)
    distances = None
    order = np.flatnonzero(fits)
    if wanted.curve:
        if sample.setting.game.facts.cooperative or sample.setting.players == 1:
            raise BadOptions("Where all win together nobody leads: there are no curves to compare.")
        distances = distance(again.look(sample, len(sample)).curves, wanted.curve)
        order = order[~np.isnan(distances[order])]
        order = order[np.argsort(distances[order], kind="stable")]
    return [
        Hit(
            int(row),
            int(sample.column("rounds")[row]),
            tuple(map(int, np.flatnonzero(sample.winners[row]))),
            tuple(int(events[name][row]) for name in wanted.events or {}),
            None if distances is None else float(distances[row]),
        )
        for row in order
    ]


def distance(curves: Values, wanted: Sequence[float]) -> Values:
    """How far each curve is from the wanted one."""
    moments = np.linspace(0, 1, curves.shape[1])
    goal = np.interp(moments, np.linspace(0, 1, len(wanted)), wanted)
    return np.asarray(np.sqrt(((curves - goal) ** 2).mean(axis=1)))


def _within(values: Values, limits: Span) -> Values:
    return np.asarray((values >= limits.low) & (values <= limits.high))
