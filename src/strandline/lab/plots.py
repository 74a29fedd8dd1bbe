"""The pictures of a report: matplotlib's figures as SVG, in one style. Each comes with the words that it shows."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from strandline.drawing import SEATS
from strandline.lab import findings
from strandline.lab.drivers import MENU
from strandline.lab.findings import Change, Found, number, percent
from strandline.lab.sample import Sample, needed, percentile

INK, FAINT, PAPER = "#12303b", "#c9d6d4", "#fff8e7"
MARKERS = ("o", "s", "^", "D", "*")
"""The seats' shapes, beside their colours."""
LINES = ("#1f6f8b", "#f2694b", "#2e9e6b", "#7a4fa3", "#b98500", "#12303b")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
"""The settings' colours and strokes: told apart in print as well."""
WIDTH = 4.4
"""Inches, so that text of SIZE points is large enough on a phone."""
SIZE = 11.3
STYLE = {
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.labelcolor": INK,
    "axes.labelsize": SIZE,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "font.size": SIZE,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": SIZE,
    "svg.fonttype": "none",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@dataclass(frozen=True)
class Plot:
    """A picture, what it is called, and what it shows in words for those who cannot see it."""

    title: str
    words: str
    svg: str


def drawn(title: str, words: str, height: float, draw: Callable[[Any], None]) -> Plot:
    """Draw a figure of that height in inches on one pair of axes."""
    matplotlib = needed("matplotlib")
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "svg.hashsalt": title}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.subplots())
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return Plot(title, words, _inline(file.getvalue(), title, words))


def _inline(text: str, title: str, words: str) -> str:
    """The image as a part of a page: without the file's head, with ids of its own, and with words."""
    box = re.search(r'viewBox="([^"]+)"', text)
    assert box is not None
    body = re.sub(r"<metadata>.*?</metadata>", "", text[text.index(">", text.index("<svg")) + 1 :], flags=re.DOTALL)
    prefix = re.sub(r"\W+", "-", title.lower())
    body = re.sub(r'id="([^"]+)"', rf'id="{prefix}-\1"', body)
    body = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", body)
    body = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{prefix}-\1"', body)
    body = re.sub(r"\s*\n\s*", "\n", body)
    return f'<svg role="img" aria-label="{escape(words)}" viewBox="{box[1]}"><title>{escape(title)}</title>{body}'


def _stroke(i: int) -> dict[str, Any]:
    return {"color": LINES[i % len(LINES)], "linestyle": DASHES[i % len(DASHES)]}


# Who wins


def seats(samples: Sequence[Sample]) -> Plot:
    """How far each seat's share of the wins is from an even one."""
    marks = [
        (sample, seat, share)
        for sample in samples
        for seat, share in enumerate(findings.seats(sample))
        if sample.is_won.any()
    ]

    def draw(axes: Any) -> None:
        at, ticks = 0.0, []
        previous = None
        for sample, seat, share in marks:
            at -= 1.6 if previous is not None and sample is not previous else 1.0
            if sample is not previous and len(samples) > 1:
                axes.text(0.0, at + 0.62, sample.setting.label, transform=axes.get_yaxis_transform(), weight="bold")
                at -= 0.35
            previous = sample
            even = 1 / sample.setting.players
            low, middle, high = (100 * (value - even) for value in (share.low, share.value, share.high))
            axes.plot([low, high], [at, at], color=SEATS[seat].colour, linewidth=2.5, solid_capstyle="butt")
            axes.plot(middle, at, MARKERS[seat], color=SEATS[seat].colour, markeredgecolor=INK, markersize=8)
            ticks.append((at, f"seat {seat}", f"{share.value * 100:.1f} %"))
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_yticks([tick for tick, _, _ in ticks], [f"{name}  {text}" for _, name, text in ticks])
        axes.tick_params(axis="y", length=0)
        axes.spines.left.set_visible(False)
        limit = max(1.0, *(abs(value) * 1.1 for value in axes.get_xlim()))
        axes.set_xlim(-limit, limit)
        axes.set_ylim(at - 0.7, 0)
        axes.set_xlabel("points above an even share of the wins")

    told = (
        f"{sample.setting.label}, seat {seat}: {percent(share)}, from {percent(share.low)} to {percent(share.high)}"
        for sample, seat, share in marks
    )
    words = f"Share of the wins by seat with 95 % intervals. {'; '.join(told)}."
    groups = len({id(sample) for sample, _, _ in marks})
    return drawn("Seats", words, 0.9 + 0.32 * len(marks) + 0.3 * groups, draw)


def outcomes(samples: Sequence[Sample]) -> Plot:
    """Games with one winner, with several, and with none."""
    parts = [(np.mean(s.is_won & ~s.is_shared), np.mean(s.is_shared), np.mean(~s.is_won)) for s in samples]
    names = (
        ("one winner", "several", "nobody") if not samples[0].setting.game.facts.cooperative else ("won", "", "lost")
    )

    def draw(axes: Any) -> None:
        left = np.zeros(len(samples))
        together = samples[0].setting.game.facts.cooperative
        columns = (
            [np.array([p[0] + p[1] for p in parts]), np.array([p[2] for p in parts])]
            if together
            else [np.array([p[k] for p in parts]) for k in range(3)]
        )
        shown = [name for name in names if name]
        for column, name, colour, hatch in zip(
            columns, shown, ("#3f9fb5", "#f6b93b", "#d9bf85"), ("", "//", ".."), strict=False
        ):
            axes.barh(
                range(len(samples)), 100 * column, left=100 * left, label=name, color=colour, hatch=hatch, height=0.62,
                edgecolor=PAPER, linewidth=0,
            )  # fmt: skip
            left += column
        axes.set_yticks(range(len(samples)), [_short(s) for s in samples])
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("% of the games")
        axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3, handlelength=1.2, columnspacing=1.0)

    told = (
        f"{s.setting.label}: one winner {percent(float(a))}, several {percent(float(b))}, nobody {percent(float(c))}"
        for s, (a, b, c) in zip(samples, parts, strict=True)
    )
    return drawn("Winners", f"How games end. {'; '.join(told)}.", 1.15 + 0.4 * len(samples), draw)


def _short(sample: Sample) -> str:
    return sample.setting.label.replace(", ", ",\n")


# How long


def rounds(samples: Sequence[Sample]) -> Plot:
    """How many rounds games last."""
    return _histogram(
        "Rounds", samples, [sample.column("rounds") for sample in samples], "rounds", "How many rounds games last"
    )


def minutes(samples: Sequence[Sample]) -> Plot:
    """How many minutes games would last."""
    values = [sample.minutes for sample in samples]
    return _histogram("Minutes", samples, values, "estimated minutes", "How many minutes games would last")


def lead_changes(samples: Sequence[Sample]) -> Plot:
    """How often the lead changes."""
    values = [sample.column("lead_changes") for sample in samples]
    return _histogram("Lead changes", samples, values, "lead changes in a game", "How often the lead changes in a game")


def _histogram(title: str, samples: Sequence[Sample], values: Sequence[Any], label: str, words: str) -> Plot:
    least = min(int(v.min()) for v in values)
    most = max(int(np.ceil(percentile(v, 0.995))) for v in values)
    width = max(1, -(-(most - least + 1) // 40))
    edges = np.arange(least, most + width + 1, width) - 0.5

    def draw(axes: Any) -> None:
        for i, (sample, column) in enumerate(zip(samples, values, strict=True)):
            counts, _ = np.histogram(column, edges)
            heights = 100 * counts / len(column)
            label_here = sample.setting.label if len(samples) > 1 else None
            axes.stairs(heights, edges, baseline=0, label=label_here, linewidth=1.8, **_stroke(i))
            axes.stairs(
                heights, edges, fill=True, color=LINES[i % len(LINES)], alpha=0.35 if len(samples) == 1 else 0.1
            )
        axes.grid(axis="y")
        axes.grid(visible=False, axis="x")
        axes.set_ylim(0)
        axes.set_xlim(edges[0], edges[-1])
        axes.set_xlabel(label)
        axes.set_ylabel("% of the games")
        _legend(axes, samples)

    told = (
        f"{s.setting.label}: half of the games have {percentile(v, 0.5):.0f} or fewer, nine in ten "
        f"{percentile(v, 0.9):.0f} or fewer"
        for s, v in zip(samples, values, strict=True)
    )
    return drawn(title, f"{words}. {'; '.join(told)}.", 2.6 + 0.16 * _lines(samples), draw)


def _lines(samples: Sequence[Sample]) -> int:
    return len(samples) if len(samples) > 1 else 0


def _legend(axes: Any, samples: Sequence[Sample]) -> None:
    if len(samples) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2, labelspacing=0.2)


# Choices


def choices(samples: Sequence[Sample]) -> Plot:
    """How many choices decisions have."""
    ends = list(MENU)
    firsts = [1, *(end + 1 for end in ends[:-1])]
    names = [str(b) if a == b else f"{a}–{b}" for a, b in zip(firsts, ends, strict=True)] + [f"{ends[-1] + 1}+"]
    parts = [sample.column("menu").sum(0) / max(1, sample.column("decisions").sum()) for sample in samples]

    def draw(axes: Any) -> None:
        width = 0.8 / len(samples)
        for i, (sample, part) in enumerate(zip(samples, parts, strict=True)):
            at = np.arange(len(part)) + (i - (len(samples) - 1) / 2) * width
            axes.bar(at, 100 * part, width * 0.92, color=LINES[i % len(LINES)], label=sample.setting.label)
        axes.set_xticks(range(len(names)), names)
        axes.grid(axis="y")
        axes.grid(visible=False, axis="x")
        axes.tick_params(axis="x", length=0)
        axes.set_xlabel("choices")
        axes.set_ylabel("% of the decisions")
        _legend(axes, samples)

    told = (
        f"{sample.setting.label}: "
        + ", ".join(f"{name}: {percent(float(p))}" for name, p in zip(names, part, strict=True))
        for sample, part in zip(samples, parts, strict=True)
    )
    return drawn(
        "Choices", f"Decisions by their number of choices. {'; '.join(told)}.", 2.6 + 0.16 * _lines(samples), draw
    )


# Special events


def events(samples: Sequence[Sample]) -> Plot:
    """How often each special event happens in a game."""
    names = [measure.name for measure in samples[0].events()]
    means = [[measure.values.mean() for measure in sample.events()] for sample in samples]
    least = min([mean for row in means for mean in row if mean > 0], default=1.0)
    floor = 10.0 ** np.floor(np.log10(least / 1.5))

    def draw(axes: Any) -> None:
        for i, (sample, row) in enumerate(zip(samples, means, strict=True)):
            at = np.arange(len(names)) + (i - (len(samples) - 1) / 2) * 0.7 / len(samples)
            marker = MARKERS[i % len(MARKERS)]
            here = [mean if mean > 0 else np.nan for mean in row]
            colour = LINES[i % len(LINES)]
            axes.plot(here, at, marker, color=colour, markersize=7, label=sample.setting.label, clip_on=False)
            if len(samples) == 1:
                axes.hlines(at, floor, here, color=colour, linewidth=2, alpha=0.5)
        axes.set_xscale("log")
        axes.set_xlim(floor)
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(axis="x", which="minor", length=0)
        axes.invert_yaxis()
        axes.xaxis.set_major_formatter(lambda value, place: f"{value:g}")
        axes.set_xlabel("times a game (logarithmic)")
        _legend(axes, samples)

    told = (
        f"{sample.setting.label}: "
        + ", ".join(f"{name} {number(float(mean))}" for name, mean in zip(names, row, strict=True))
        for sample, row in zip(samples, means, strict=True)
    )
    height = 1.0 + 0.3 * len(names) * (1 + 0.12 * (len(samples) - 1)) + 0.18 * _lines(samples)
    return drawn("Special events", f"Events in a game, on average. {'; '.join(told)}.", height, draw)


# The lead


def known(samples: Sequence[Sample]) -> Plot:
    """How early the winner is in front for good."""
    parts = np.linspace(0, 1, 51)
    curves = [[float((sample.known <= part + 1e-9).mean()) for part in parts] for sample in samples]

    def draw(axes: Any) -> None:
        for i, (sample, curve) in enumerate(zip(samples, curves, strict=True)):
            axes.plot(100 * parts, [100 * y for y in curve], linewidth=2, label=sample.setting.label, **_stroke(i))
        axes.plot([0, 100], [0, 100], color=FAINT, linewidth=1)
        axes.grid(axis="both")
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 100)
        axes.set_xlabel("% of the game that is over")
        axes.set_ylabel("winner in front for good, %")
        _legend(axes, samples)

    told = (
        f"{sample.setting.label}: {percent(curve[25])} of the winners are in front for good at half-time"
        for sample, curve in zip(samples, curves, strict=True)
    )
    return drawn("How early the winner is known", f"{'; '.join(told)}.", 2.8 + 0.16 * _lines(samples), draw)


# Luck and skill


def skill(found: Found) -> Plot:
    """What a stronger player makes of the game."""
    told = [(sample, skill) for sample, skill in zip(found.samples, found.skills, strict=True) if skill]

    def draw(axes: Any) -> None:
        for i, (_, one) in enumerate(told):
            axes.barh(i, 100 * one.share.value, color="#8fd6d4", height=0.6)
            axes.barh(i, 100 * one.even, color="#1f6f8b", height=0.6)
            low, high = 100 * one.share.low, 100 * one.share.high
            axes.plot([low, high], [i, i], color=INK, linewidth=2)
            axes.plot(100 * one.share.value, i, "o", color=INK, markersize=6)
        axes.set_yticks(range(len(told)), [_short(sample) for sample, _ in told])
        axes.invert_yaxis()
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, 100)
        axes.set_xlabel("% of the games that the stronger wins")

    words = "; ".join(
        f"{sample.setting.label}: {percent(one.share)}, from {percent(one.share.low)} to {percent(one.share.high)}, "
        f"where {percent(one.even)} would be nothing but luck"
        for sample, one in told
    )
    return drawn("Luck and skill", f"What the stronger player wins. {words}.", 0.8 + 0.42 * len(told), draw)


# Comparisons


def changes(title: str, found: Sequence[Change]) -> Plot:
    """By how much each measure changes, in proportion; clear changes are filled."""
    shown = [change for change in found if change.before > 0]
    far = 100.0

    def draw(axes: Any) -> None:
        for i, change in enumerate(shown):
            low, middle, high = (
                100 * value / change.before for value in (change.change.low, change.change.value, change.change.high)
            )
            colour = "#1f6f8b" if change.is_clear else "#7d8f94"
            axes.plot([low, high], [i, i], color=colour, linewidth=2)
            marker = "o" if abs(middle) <= far else ">" if middle > 0 else "<"
            middle = max(-far, min(far, middle))
            axes.plot(middle, i, marker, color=colour, mfc=colour if change.is_clear else PAPER, ms=7)
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_yticks(range(len(shown)), [change.name for change in shown])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(len(shown) - 0.4, -0.6)
        middles = [max(-far, min(far, 100 * change.change.value / change.before)) for change in shown]
        low, high = min([0, *middles]), max([0, *middles])
        room = max(2.0, 0.12 * (high - low))
        axes.set_xlim(low - room, high + room)
        axes.set_xlabel("change in %")

    told = (f"{change.name} {change.change.value / change.before * 100:+.1f} %" for change in shown)
    return drawn(title, f"Changes in proportion: {', '.join(told)}.", 0.8 + 0.27 * len(shown), draw)
