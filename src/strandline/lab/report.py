"""A study as one page of HTML that needs nothing beside it: what was found in words, then section by section."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape

import strandline
from strandline.lab import findings, plots, stats
from strandline.lab.findings import SHARE, Change, Found, number, percent, points, probability
from strandline.lab.plan import shown
from strandline.lab.plots import Plot
from strandline.lab.rows import metrics_of
from strandline.lab.sample import HANDLING, THINKING, Sample, Values, percentile

Row = Sequence[str]

STYLE = """
:root { color-scheme: light; --ink: #12303b; --paper: #fff8e7; --line: #d9bf85; --sea: #1f6f8b; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef6f5; color: var(--ink); line-height: 1.5;
  font: 500 16px/1.5 ui-rounded, "Nunito", "Segoe UI", system-ui, sans-serif; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
.top { display: grid; grid-template-columns: 1fr 15rem; gap: 1.5rem; align-items: start; }
.top img { width: 100%; border-radius: 14px; }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 0 0 .3rem; }
h3 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
.found { font-size: 1.12rem; }
.note { font-size: .9rem; }
section { background: var(--paper); border-radius: 16px; padding: 1rem 1.25rem 1.25rem; margin: 1rem 0; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
figure { margin: .6rem 0 0; flex: 1 1 20rem; max-width: 27.5rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg text { font-family: ui-rounded, "Nunito", "Segoe UI", system-ui, sans-serif !important; }
.wide { overflow-x: auto; margin-top: .6rem; flex: 0 1 auto; max-width: 100%; }
.plots > .note { flex-basis: 100%; margin: 0; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 800; padding-bottom: .2rem; }
th, td { padding: .22rem .9rem .22rem 0; text-align: right; vertical-align: bottom; }
td, tbody th { white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child, .text { text-align: left; }
td.text:last-child { white-space: normal; }
thead th { border-bottom: 2px solid var(--line); font-weight: 800; }
tbody tr + tr > * { border-top: 1px solid #eadfc3; }
tbody th { font-weight: 500; }
.clear { font-weight: 800; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .4rem 0; }
dt { font-weight: 800; } dd { margin: 0; overflow-wrap: anywhere; }
code { font-size: .9em; overflow-wrap: anywhere; }
a { color: var(--sea); }
@media (max-width: 40rem) {
  .top { grid-template-columns: 1fr; } .top img { max-width: 16rem; }
  h1 { font-size: 1.6rem; } section { padding: .8rem; border-radius: 12px; } dl { grid-template-columns: 1fr; }
  header, main, footer { padding-left: .6rem; padding-right: .6rem; }
}
@media print {
  @page { margin: 15mm; }
  body { background: none; font-size: 10.5pt; } header, main, footer { max-width: none; padding: 0; }
  section { background: none; border: 1px solid var(--line); padding: .6rem .8rem; }
  figure, tr, h2 { break-inside: avoid; } h2 { break-after: avoid; } figure { max-width: 8.2cm; }
  .wide { overflow: visible; }
  table { font-size: 8pt; } th, td { padding-right: .45rem; } tbody th { white-space: normal; }
}
"""


def page(found: Found, command: str) -> str:
    """The whole report; `command` is how it was made."""
    game = found.plan.game
    title = f"{game.title}: a study"
    sections = [
        _seats(found) if not found.together else _victories(found),
        _changes(found) if found.plan.pairs() else "",
        _length(found),
        _choices(found),
        _events(found) if metrics_of(game) else "",
        _lead(found) if not found.together else "",
        _skill(found) if any(found.skills) else "",
        _method(found, command),
    ]
    headline = "".join(f'<p class="found">{_text(sentence)}</p>' for sentence in found.headline())
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<header><div class="top"><div><h1>{escape(game.title)}</h1><p>{escape(_scope(found))}</p>{headline}</div>'
        f"{_board(found)}</div></header>\n<main>\n{''.join(sections)}</main>\n"
        f"<footer><p class='note'>Made by Strandline {escape(strandline.__version__)}.</p></footer>\n</body>\n</html>\n"
    )


def _text(sentence: str) -> str:
    """A sentence, in which no line begins with a sign of per cent."""
    return escape(sentence).replace(" %", "&nbsp;%")


def _scope(found: Found) -> str:
    settings = found.plan.settings
    games = sum(setting.games for setting in settings)
    players = " and ".join(dict.fromkeys(findings.who(name) for name in settings[0].bots))
    several = f", {len(settings)} settings with {settings[0].games:,} each" if len(settings) > 1 else ""
    return f"A study of {games:,} games between {players}{several}."


def _board(found: Found) -> str:
    """The game's board as a picture, in the middle of a game."""
    position = found.plan.settings[0].start.play_random(60, 1)
    data = base64.b64encode(position.svg().encode()).decode()
    return f'<img alt="The board of {escape(found.plan.game.title)}" src="data:image/svg+xml;base64,{data}">'


def _section(title: str, reading: str, pictures: Iterable[Plot] = (), after: str = "") -> str:
    drawn = "".join(f"<figure>{picture.svg}</figure>" for picture in pictures)
    return (
        f'<section><h2>{escape(title)}</h2><p>{_text(reading)}</p><div class="plots">{drawn}{after}</div></section>\n'
    )


def _table(caption: str, head: Row, body: Iterable[Row], text: Sequence[int] = ()) -> str:
    """A table whose rows begin with a name; `text` are the columns that hold words."""

    def cell(tag: str, column: int, value: str, scope: str = "") -> str:
        kind = ' class="text"' if column in text else ""
        return f"<{tag}{scope}{kind}>{escape(value)}</{tag}>"

    first = "".join(cell("th", i, value, ' scope="col"') for i, value in enumerate(head))
    rows = "".join(
        "<tr>"
        + cell("th", 0, row[0], ' scope="row"')
        + "".join(cell("td", i, value) for i, value in enumerate(row[1:], 1))
        + "</tr>"
        for row in body
    )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{first}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


# Who wins


def _seats(found: Found) -> str:
    reading = " ".join(map(findings.edge_sentence, found.samples))
    rows = []
    for sample in found.samples:
        test = findings.equality(sample)
        for seat, share in enumerate(findings.seats(sample)):
            scores = stats.mean(sample.column("scores")[:, seat])
            rows.append(
                (
                    f"{sample.setting.label}, seat {seat}",
                    percent(share),
                    f"{percent(share.low)} to {percent(share.high)}",
                    points(share.value - 1 / sample.setting.players),
                    number(scores.value),
                    probability(test.p) if seat == 0 else "",
                )
            )
    table = _table(
        "Wins by seat",
        ("seat", "of the wins", "95 % interval", "from an even share", "mean score", "all seats alike"),
        rows,
    )
    ends = _ends(found.samples)
    note = (
        "<p class='note'>Seat 0 plays first. A shared win counts in equal parts. Intervals are Wilson's. “All seats "
        "alike” is the probability of such differences by chance if no seat had an edge (chi-squared; with shared "
        "wins, by the variance that they leave).</p>"
    )
    return _section("Seats and winners", f"{reading} {ends}", _pictures(found), table + note)


def _pictures(found: Found) -> list[Plot]:
    return [plots.seats(found.samples), plots.outcomes(found.samples)]


def _ends(samples: Sequence[Sample]) -> str:
    """Shared and missing winners in words."""
    nobody = ", ".join(f"{percent(1 - float(s.is_won.mean()))} ({s.setting.label})" for s in samples)
    shared = ", ".join(
        f"{percent(float(s.is_shared.mean()))} ({s.setting.label})" for s in samples if s.is_shared.any()
    )
    return f"Nobody wins {nobody} of the games; {f'several share {shared}' if shared else 'no win is shared'}."


def _victories(found: Found) -> str:
    rows = []
    for sample in found.samples:
        share = findings.victories(sample)
        scores = stats.mean(sample.column("scores")[:, 0])
        rows.append(
            (
                sample.setting.label,
                percent(share),
                f"{percent(share.low)} to {percent(share.high)}",
                number(scores.value),
            )
        )
    table = _table("Games won", ("setting", "won", "95 % interval", "mean score"), rows)
    return _section("Winning together", found.who_wins(), [plots.outcomes(found.samples)], table)


# How long, how many choices


def _length(found: Found) -> str:
    rows = []
    for sample in found.samples:
        for measure in sample.measures()[:3]:
            low, middle, high = findings.spread(measure.values)
            rows.append(
                (
                    f"{sample.setting.label}: {measure.name}",
                    number(float(measure.values.mean())),
                    number(low),
                    number(middle),
                    number(high),
                    number(float(measure.values.max())),
                )
            )
    table = _table(
        "Length of games", ("measure", "mean", "a tenth below", "half below", "nine tenths below", "longest"), rows
    )
    note = (
        f"<p class='note'>Minutes are estimated: {THINKING:g} seconds for a decision with a choice, {HANDLING:g} for "
        "everything else (a roll, a draw, a move without a choice). The box says about "
        f"{found.plan.game.facts.minutes} minutes. Rounds are those of the rule page.</p>"
    )
    return _section(
        "Length", found.how_long(), [plots.rounds(found.samples), plots.minutes(found.samples)], table + note
    )


def _choices(found: Found) -> str:
    told = []
    for sample in found.samples:
        decisions = int(sample.column("decisions").sum())
        told.append(
            f"{number(int(sample.column('choices').sum()) / max(1, decisions))} choices on average, only one in "
            f"{percent(int(sample.forced.sum()) / max(1, decisions))} of the decisions, at most "
            f"{int(sample.column('most').max())} ({sample.setting.label})"
        )
    return _section("Choices", f"A decision has {'; '.join(told)}.", [plots.choices(found.samples)])


# Special events


def _events(found: Found) -> str:
    metrics, samples = metrics_of(found.plan.game), found.samples
    rows = [
        (metric.name, *(_event(sample.events()[i].values, metric.unit) for sample in samples), metric.meaning)
        for i, metric in enumerate(metrics)
    ]
    labels = [sample.setting.label for sample in samples] if len(samples) > 1 else ["a game (games that have it)"]
    most = max(samples[0].events(), key=lambda event: float(event.values.mean()))
    parts = [max(float((sample.events()[i].values > 0).mean()) for sample in samples) for i in range(len(metrics))]
    rare = [metric.name for metric, part in zip(metrics, parts, strict=True) if 0 < part < 0.05]
    never = [metric.name for metric, part in zip(metrics, parts, strict=True) if part == 0]
    often = f"{most.name}, {number(float(most.values.mean()))} times a game"
    reading = f"The most frequent of them: {often}{f' ({labels[0]})' if len(samples) > 1 else ''}."
    reading += f" Rare, in fewer than 5 % of the games: {', '.join(rare)}." if rare else ""
    reading += f" Never: {', '.join(never)}." if never else ""
    caption = "How many in a game on average, and in how many of the games at all"
    table = _table(caption, ("event", *labels, "what is counted"), rows, (len(labels) + 1,))
    return _section("Special events", reading, [plots.events(samples)], table)


def _event(values: Values, unit: str) -> str:
    """How often it happens in a game, and how many games have it."""
    return f"{number(float(values.mean()))} {unit} ({float((values > 0).mean()):.0%})".replace("%", " %")


# The lead


def _lead(found: Found) -> str:
    told = []
    for sample in found.samples:
        known = sample.known
        if len(known):
            changes = number(float(sample.column("lead_changes").mean()))
            told.append(f"{changes} times, and after {percent(percentile(known, 0.5))} of it ({sample.setting.label})")
    reading = (
        f"How often the lead changes in a game, and when half of the winners are in front for good: {'; '.join(told)}."
        if told
        else "Nobody won any game."
    )
    note = (
        "<p class='note'>Looked at after every round: whoever has come farthest leads, by the score or by what the "
        "game's metrics call progress. In front is who leads or shares the lead. On the straight line winners come to "
        "the front at any moment alike; below it, late.</p>"
    )
    pictures = [plots.known(found.samples), plots.lead_changes(found.samples)] if told else []
    return _section("The lead, and how early the winner is known", reading, pictures, note)


# Luck and skill


def _skill(found: Found) -> str:
    rows = []
    for sample, skill in zip(found.samples, found.skills, strict=True):
        if skill:
            interval = f"{percent(skill.share.low)} to {percent(skill.share.high)}"
            rows.append(
                (
                    sample.setting.label,
                    percent(skill.share),
                    interval,
                    percent(skill.even),
                    number(round(skill.part, 2)),
                )
            )
    one = next(skill for skill in found.skills if skill)
    games = next(settings for settings in found.plan.skill if settings)[0].games
    table = _table("The stronger player", ("setting", "wins", "95 % interval", "luck alone", "skill"), rows)
    how = (
        "all seats are played by the stronger kind, and then all by the weaker, which is the dark part of the bar"
        if found.together
        else "one seat, in turn, is played by the stronger kind and all others by the weaker; the dark part of the bar "
        "is what an equal player would win"
    )
    note = (
        f"<p class='note'>{escape(findings.who(one.strong).capitalize())} against {escape(findings.who(one.weak))}, "
        f"{games:,} games a setting: {how}. “Skill” is 0 if the stronger kind wins no more than that and 1 if it "
        "always wins. It says how much these two differ in this game, not how much there is to learn.</p>"
    )
    return _section("Luck against skill", found.luck_or_skill(), [plots.skill(found)], table + note)


# Comparisons


def _changes(found: Found) -> str:
    parts, pictures = [], []
    for (base, other), changes in found.changes.items():
        one, two = found.samples[base].setting.label, found.samples[other].setting.label
        pictures.append(plots.changes(two, changes))
        head = ("measure", one, two, "difference", "95 % interval", "p, corrected", "verdict")
        parts.append(_table(f"{two} compared with {one}", head, map(_change, changes), (6,)))
    tests = sum(map(len, found.changes.values()))
    note = (
        f"<p class='note'>Welch's test of the means of single games, two-sided; p is corrected for all {tests} "
        f"comparisons by Holm's method, and a difference is called clear if p is below {stats.LEVEL}. Full dots are "
        "clear differences; arrows stand for more than doubled or vanished.</p>"
    )
    return _section(f"What {found.plan.option} changes", found.what_changes(), pictures, "".join(parts) + note)


def _change(change: Change) -> Row:
    write, sign = (percent, points) if change.unit == SHARE else (number, findings.signed)
    value, low, high = (sign(part).removesuffix(" points") for part in vars(change.change).values())
    unit = " points" if change.unit == SHARE else ""
    verdict = ("more" if change.change.value > 0 else "less") if change.is_clear else "not clear"
    ends = write(change.before), write(change.after)
    return change.name, *ends, value + unit, f"{low} to {high}", probability(change.p), verdict


# How it was made


def _method(found: Found, command: str) -> str:
    setting = found.plan.settings[0]
    options = ", ".join(f"{name} {shown(value)}" for name, value in setting.start.options.items())
    facts = [
        ("Command", command),
        ("Games", "; ".join(f"{one.label}: {one.games:,}" for one in found.plan.settings)),
        ("Players", ", ".join(setting.bots) + (" in turn, seat by seat" if len(setting.bots) > 1 else "")),
        ("Options", options or "none"),
        ("Seed", str(setting.seed)),
    ]
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts)
    return (
        "<section><h2>How it was made</h2>"
        "<p>The same command and seed give the same games on any number of cores or machines, or on a GPU. Beside this "
        f"page, <code>data.parquet</code> and <code>data.csv</code> hold a row for each game.</p><dl>{told}</dl>"
        f"<p class='note'>{escape(_caution(setting.bots))}</p></section>\n"
    )


def _caution(bots: Sequence[str]) -> str:
    if all(name == "random" for name in bots):
        return (
            "Random players choose any legal move. What they show lies in the rules alone; people who play well may "
            "see less of it, or more. Name --bots to look at better play."
        )
    if all(name in ("random", "guided") for name in bots):
        return (
            "Guided players make the simple moves that the game's hints prefer, without looking ahead. People play "
            "better; name --bots to look at better play."
        )
    return "Bots of the levels search; in games between them there are fewer games, and so the intervals are wider."
