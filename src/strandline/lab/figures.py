"""The figures of a report: numbers by setting, which the page's script draws, and the words that they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from strandline.lab import findings, stats
from strandline.lab.drivers import MENU
from strandline.lab.findings import SHARE, Change, Found, number, percent
from strandline.lab.sample import Sample, Values, percentile


@dataclass(frozen=True)
class Figure:
    """What to draw: rows of numbers, each of a setting, and how."""

    name: str
    title: str
    kind: str
    """`intervals`, `parts`, `steps`, `bars`, `events` or `lines`."""
    words: str
    """What it shows, for those who cannot see it."""
    x: str
    y: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")


# Who wins


def seats(found: Found) -> Figure:
    """How far each seat's share of the wins is from an even one."""
    rows, told = [], []
    for sample in found.samples:
        if not sample.is_won.any():
            continue
        even = 1 / sample.setting.players
        for seat, share in enumerate(findings.seats(sample)):
            low, middle, high = (_rounded(100 * (part - even)) for part in (share.low, share.value, share.high))
            tip = f"{percent(share)} ({percent(share.low)} to {percent(share.high)})"
            rows.append(_row(sample, name=f"seat {seat}", seat=seat, value=middle, low=low, high=high, tip=tip))
            told.append(f"{sample.setting.label}, seat {seat}: {tip}")
    words = f"Share of the wins by seat with 95 % intervals. {'; '.join(told)}."
    return Figure("seats", "Seats", "intervals", words, "points above an even share of the wins", rows=rows)


def outcomes(found: Found) -> Figure:
    """Games with one winner, with several, and with none."""
    rows, told = [], []
    for sample in found.samples:
        parts = {"one winner": sample.is_won & ~sample.is_shared, "several": sample.is_shared, "nobody": ~sample.is_won}
        if found.together:
            parts = {"won": sample.is_won, "lost": ~sample.is_won}
        for name, games in parts.items():
            share = float(games.mean())
            rows.append(_row(sample, name=name, value=_rounded(100 * share), tip=f"{name}: {percent(share)}"))
        told.append(
            f"{sample.setting.label}: {', '.join(f'{name} {percent(float(g.mean()))}' for name, g in parts.items())}"
        )
    return Figure(
        "outcomes", "How games end", "parts", f"How games end. {'; '.join(told)}.", "% of the games", rows=rows
    )


# Another study


def numbers(found: Found) -> dict[str, dict[str, Any]]:
    """All that is measured in each setting, with intervals, so that the page can lay another report's beside it."""
    told = {}
    for sample, skill in zip(found.samples, found.skills, strict=True):
        rows = []
        for measure in findings.measured(sample):
            values = measure.values.astype(float)
            is_share = measure.unit == SHARE
            one = stats.share(float(values.sum()), len(values)) if is_share else stats.mean(values)
            if len(values) >= stats.FEWEST:
                rows.append(_number(measure.name, is_share, one.value, one.low, one.high))
        if skill:
            ends = map(skill.scaled, (skill.share.value, skill.share.low, skill.share.high))
            rows.append(
                _number(f"skill, {findings.who(skill.strong)} against {findings.who(skill.weak)}", False, *ends)
            )
        told[sample.setting.label] = {"games": len(sample), "rows": rows}
    return told


def _number(name: str, is_share: bool, *ends: float) -> dict[str, Any]:
    told = percent(ends[0]) if is_share else number(ends[0])
    found = dict(zip(("value", "low", "high"), (float(f"{end:.8g}") for end in ends), strict=True))
    return {"name": name, "share": is_share, "told": told, **found}


# How long


def histogram(found: Found, name: str, title: str, values: Sequence[Values], x: str) -> Figure:
    """How the games of each setting are spread over a number."""
    least = min(int(column.min()) for column in values)
    most = max(int(np.ceil(percentile(column, 0.995))) for column in values)
    width = max(1, -(-(most - least + 1) // 40))
    edges = np.arange(least, most + width + 1, width)
    rows, told = [], []
    for sample, column in zip(found.samples, values, strict=True):
        counts, _ = np.histogram(column, edges - 0.5)
        for start, count in zip(edges, counts, strict=False):
            span = str(start) if width == 1 else f"{start} to {start + width - 1}"
            share = 100 * count / len(column)
            rows.append(_row(sample, x=float(start), value=_rounded(share), tip=f"{span}: {share:.1f} % of the games"))
        told.append(
            f"{sample.setting.label}: median {percentile(column, 0.5):.0f}, "
            f"90th percentile {percentile(column, 0.9):.0f}"
        )
    return Figure(name, title, "steps", f"{title}. {'; '.join(told)}.", x, "% of the games", rows)


def choices(found: Found) -> Figure:
    """How many choices decisions have."""
    ends = list(MENU)
    firsts = [1, *(end + 1 for end in ends[:-1])]
    names = [str(b) if a == b else f"{a}–{b}" for a, b in zip(firsts, ends, strict=True)] + [f"{ends[-1] + 1}+"]
    rows, told = [], []
    for sample in found.samples:
        parts = sample.column("menu").sum(0) / max(1, sample.column("decisions").sum())
        for name, part in zip(names, parts, strict=True):
            tip = f"{name} choices: {percent(float(part))}"
            rows.append(_row(sample, name=name, value=_rounded(100 * float(part)), tip=tip))
        shares = ", ".join(f"{name}: {percent(float(part))}" for name, part in zip(names, parts, strict=True))
        told.append(f"{sample.setting.label}: {shares}")
    words = f"Decisions by their number of choices. {'; '.join(told)}."
    return Figure("choices", "Choices", "bars", words, "choices", "% of the decisions", rows)


# Special events


def events(found: Found) -> Figure:
    """How often each special event happens in a game, on a logarithmic axis on which never has a place of its own."""
    rows, told = [], []
    for sample in found.samples:
        for event in sample.events():
            mean = float(event.values.mean())
            part = float((event.values > 0).mean())
            tip = f"{event.name}: {number(mean)} {event.unit} a game, in {percent(part)} of the games"
            rows.append(_row(sample, name=event.name, value=_rounded(mean), tip=tip))
        told.append(
            f"{sample.setting.label}: "
            + ", ".join(f"{row['name']} {number(row['value'])}" for row in rows[-len(sample.events()) :])
        )
    words = f"Events in a game, on average. {'; '.join(told)}."
    return Figure("events", "Special events", "events", words, "times a game (logarithmic)", rows=rows)


# The lead


def known(found: Found) -> Figure:
    """How early the winner is in front for good."""
    rows, told = [], []
    for sample in found.samples:
        if not len(sample.known):
            continue
        for part in range(0, 101, 4):
            share = 100 * float((sample.known <= part / 100 + 1e-9).mean())
            tip = f"after {part} % of the game: {share:.1f} % of the winners are in front for good"
            rows.append(_row(sample, x=part, value=_rounded(share), tip=tip))
        half = float((sample.known <= 0.5 + 1e-9).mean())
        told.append(f"{sample.setting.label}: {percent(half)} of the winners are in front for good at half-time")
    words = f"When the winner is in front for good. {'; '.join(told)}."
    return Figure(
        "known", "How early the winner is known", "lines", words, "% of the game that is over", "% of the winners", rows
    )


# Luck and skill


def skill(found: Found) -> Figure:
    """What a stronger player makes of the game, on the scale from luck alone to skill alone."""
    rows, told = [], []
    for sample, one in zip(found.samples, found.skills, strict=True):
        if one:
            low, middle, high = (one.scaled(part) for part in (one.share.low, one.share.value, one.share.high))
            tip = f"{percent(one.share)} of the wins ({percent(one.share.low)} to {percent(one.share.high)})"
            ends = dict(zip(("low", "value", "high"), map(_rounded, (low, middle, high)), strict=True))
            rows.append(_row(sample, name="skill", tip=tip, **ends))
            told.append(f"{sample.setting.label}: {tip}, where {percent(one.even)} would be luck alone")
    words = f"What the stronger player wins. {'; '.join(told)}."
    return Figure("skill", "Luck and skill", "intervals", words, "0: luck alone, 1: skill alone", rows=rows)


# Comparisons


def changes(found: Found) -> Figure:
    """By how much of its old value each measure differs from the first setting, with intervals."""
    rows, told = [], []
    for (_, other), some in found.changes.items():
        sample = found.samples[other]
        for change in some:
            scale = 100.0 if change.unit == SHARE else 100 / abs(change.before) if change.before else None
            if scale is None or change.change.high == float("inf"):
                continue
            ends = (change.change.low, change.change.value, change.change.high)
            low, middle, high = (_rounded(max(-150.0, min(150.0, end * scale))) for end in ends)
            tip = f"{change.name}: {_value(change, change.before)} → {_value(change, change.after)}, {change.verdict}"
            rows.append(
                _row(sample, name=change.name, value=middle, low=low, high=high, tip=tip, faint=not change.is_clear)
            )
            told.append(f"{sample.setting.label}: {tip}")
    words = f"Differences with 95 % intervals. {'; '.join(told)}."
    return Figure("changes", "Differences", "intervals", words, "% of the old value; shares in points", rows=rows)


def _value(change: Change, value: float) -> str:
    return percent(value) if change.unit == SHARE else number(value)


def sweep(found: Found) -> list[Figure]:
    """The measures as curves over the numbers of a sweep, those that change most first."""
    step = len(found.plan.values)
    columns = [_swept(sample) for sample in found.samples]
    drawn: list[tuple[float, Figure]] = []
    for name in columns[0]:
        rows, told = [], []
        spread = 0.0
        for first in range(0, len(found.samples), step):
            sample, group = found.samples[first], columns[first : first + step]
            label = f"{sample.setting.players} player{'s' if sample.setting.players > 1 else ''}"
            for value, column in zip(found.plan.values, group, strict=True):
                unit, some = column[name]
                found_mean = stats.mean(some * (100 if unit == SHARE else 1))
                ends = (found_mean.low, found_mean.value, found_mean.high)
                low, middle, high = (None if abs(end) == float("inf") else _rounded(end) for end in ends)
                tip = f"{found.plan.option} {value}: {number(found_mean.value)}"
                rows.append({"setting": label, "x": value, "value": middle, "low": low, "high": high, "tip": tip})
                told.append(f"{label}, {value}: {number(found_mean.value)}")
            means = [row["value"] for row in rows[-step:]]
            spread = max(
                spread, (max(means) - min(means)) / max(1e-9, max(row["high"] - row["low"] for row in rows[-step:]))
            )
        unit = columns[0][name][0]
        label = f"{name}, %" if unit == SHARE else name
        words = f"{name} over {found.plan.option}. {'; '.join(told)}."
        figure = Figure(f"sweep-{len(drawn)}", name, "lines", words, str(found.plan.option), label, rows)
        drawn.append((spread, figure))
    return [figure for _, figure in sorted(drawn, key=lambda pair: -pair[0])[:6]]


def _swept(sample: Sample) -> dict[str, tuple[str, Values]]:
    shares = sample.shares[sample.is_won]
    found = {"games that somebody wins": (SHARE, sample.is_won.astype(float))}
    if not sample.setting.game.facts.cooperative:
        found |= {"wins of seat 0": (SHARE, shares[:, 0])}
    return found | {measure.name: ("", measure.values.astype(float)) for measure in sample.measures()}


def _row(sample: Sample, **fields: Any) -> dict[str, Any]:
    return {"setting": sample.setting.label, **fields}
