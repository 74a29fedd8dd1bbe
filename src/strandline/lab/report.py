"""A study as one page of HTML that needs nothing beside it: what was found in words, then section by section.

Tables and sentences are in the page as they are; the figures are drawn by its script, which also hides settings, sorts
tables, finds games and replays them.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

import strandline
from strandline.engine.game import Game
from strandline.lab import again, boxes, drama, figures, findings, notable, replay, stamps, stats, values
from strandline.lab.figures import Figure
from strandline.lab.findings import SHARE, Change, Found, number, percent, points, probability
from strandline.lab.plan import shown
from strandline.lab.rows import metrics_of
from strandline.lab.sample import Sample, Values, percentile
from strandline.lab.study import Setting

Row = Sequence[str]
ASSETS = Path(__file__).parent / "page"


def page(found: Found, command: str) -> str:
    """The whole report; `command` is how it was made."""
    return Page(found).html(command)


class Page:
    """A report while it is written: its sections, and the data of its script."""

    def __init__(self, found: Found) -> None:
        """The report of what was found."""
        self.found = found
        self.figures: list[Figure] = []
        self.replays = notable.replays(found)
        self.seen = [
            again.look(sample, again.SEEN) if sample.setting.is_compiled or sample.texts else None
            for sample in found.samples
        ]
        """Some games looked at again, where that takes no search."""

    def html(self, command: str) -> str:
        """The page."""
        found, game = self.found, self.found.plan.game
        sections = [
            _victories(self) if found.together else _seats(self),
            _changes(self) if found.plan.pairs() else "",
            _beside(found) if found.beside else "",
            _length(self),
            _choices(self),
            _decisions(found) if found.plan.decisions else "",
            _events(self) if metrics_of(game) else "",
            _lead(self) if not found.together else "",
            _drama(found) if found.plan.drama else "",
            _skill(self) if any(found.skills) else "",
            _games(self),
            _method(found, command),
        ]
        headline = "".join(f'<p class="found">{_text(sentence)}</p>' for sentence in found.headline())
        intro = f"<h1>{escape(game.title)}</h1><p>{escape(_scope(found))}</p>{headline}"
        return _document(
            f"{game.title}: a study",
            f'<header><div class="top"><div>{intro}</div>{_board(found)}</div></header>\n'
            f'<main>\n<div class="tools"></div>\n{"".join(sections)}</main>\n'
            f"<footer><p class='note'>Made by Strandline {escape(strandline.__version__)}.</p></footer>\n"
            '<dialog id="replay" aria-label="A game, step by step"></dialog>',
            {
                "title": game.title,
                "about": _scope(found),
                "folder": "STUDY",
                "seats": _colours(game),
                "settings": [sample.setting.label for sample in found.samples],
                "figures": [asdict(figure) for figure in self.figures],
                "games": {
                    sample.setting.label: _listed(sample, seen)
                    for sample, seen in zip(found.samples, self.seen, strict=True)
                },
                "numbers": figures.numbers(found),
                "replays": [asdict(one) for one in self.replays],
            },
            stamps.line(game, _players_of(found)),
        )

    def section(self, title: str, reading: str | Sequence[str], drawn: Iterable[Figure] = (), after: str = "") -> str:
        """A section; its figures are kept for the script."""
        places = ""
        for figure in drawn:
            self.figures.append(figure)
            places += (
                f'<figure data-figure="{figure.name}"><figcaption>{escape(figure.title)}</figcaption><div></div>'
                f'<noscript><p class="note">{escape(figure.words)}</p></noscript></figure>'
            )
        holder = f'<div class="figures">{places}</div>' if places else ""
        return f"<section><h2>{escape(title)}</h2>{_reading(reading)}{holder}{after}</section>\n"


def game_page(setting: Setting, row: int, texts: list[str]) -> str:
    """One game alone, step by step."""
    kept = notable.Replay(
        setting.label,
        row,
        f"{setting.game.title}, game {row}",
        replay.sentences(setting.start, texts),
        replay.frames(setting.start, texts),
    )
    body = f"<main><h1>{escape(kept.title)}</h1><section><div id='replay'></div></section></main>"
    data = {"seats": _colours(setting.game), "settings": [], "figures": [], "games": {}, "replays": [asdict(kept)]}
    return _document(kept.title, body, data)


def _document(title: str, body: str, data: dict[str, Any], stamp: str = "") -> str:
    told = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    style, plot, script = ((ASSETS / name).read_text("utf-8") for name in ("report.css", "plot.min.js", "report.js"))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="strandline-stamp" content="{escape(stamp)}">\n'
        f"<style>{style}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="study">{told}</script>\n'
        f"<script>{plot}</script>\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _colours(game: Game) -> list[str]:
    """The colours of the seats, as on the board."""
    return [look.colour for look in game.board.looks()]


def _listed(sample: Sample, seen: again.Again | None) -> dict[str, Any]:
    """The first games in columns, for the script to search through; and the winner's lead in each, in hundredths."""
    some = Sample(sample.setting, sample.rows[: again.SEEN], sample.pace)
    columns = {measure.name: measure.values for measure in some.measures() if len(measure.values) == len(some)}
    winners = [", ".join(map(str, np.flatnonzero(row))) or "nobody" for row in some.winners]
    return {
        "columns": {name: [_short(value) for value in values.tolist()] for name, values in columns.items()},
        "winners": winners,
        "curves": [] if seen is None or _leaderless(sample) else [_curve(one) for one in seen.curves],
    }


def _leaderless(sample: Sample) -> bool:
    """Whether there is nobody to lead, or nobody to be ahead of."""
    return sample.setting.game.facts.cooperative or sample.setting.players == 1


def _curve(curve: Values) -> list[int] | None:
    return None if np.isnan(curve).any() else [round(100 * part) for part in curve.tolist()]


def _players_of(found: Found) -> list[str]:
    """All that the numbers of a report rest on beside rules: who plays, and the search that looks at their games."""
    looked = [stamps.ANALYSIS] * bool(found.plan.drama or found.plan.decisions)
    return [*(name for setting in found.plan.all() for name in setting.bots), *looked]


def _reading(told: str | Sequence[str]) -> str:
    """A sentence, or several as a list."""
    if isinstance(told, str):
        return f"<p>{_text(told)}</p>"
    return f"<ul>{''.join(f'<li>{_text(one)}</li>' for one in told)}</ul>" if len(told) > 1 else _reading(told[0])


def _short(value: float) -> float:
    return float(f"{value:.3g}") if value % 1 else int(value)


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


def _table(caption: str, head: Row, body: Iterable[Row], text: Sequence[int] = (), settings: Sequence[str] = ()) -> str:
    """A table whose rows begin with a name. `text` are columns of words; `settings` say what each row is about."""

    def cell(tag: str, column: int, value: str, scope: str = "") -> str:
        names = " ".join(["text"] * (column in text) + ["detectable"] * (value in ("higher", "lower")))
        kind = f' class="{names}"' if names else ""
        return f"<{tag}{scope}{kind}>{escape(value)}</{tag}>"

    first = "".join(cell("th", i, value, ' scope="col"') for i, value in enumerate(head))
    rows = ""
    for place, row in enumerate(body):
        of = f' data-setting="{escape(settings[place])}"' if settings else ""
        cells = cell("th", 0, row[0], ' scope="row"')
        cells += "".join(cell("td", i, value) for i, value in enumerate(row[1:], 1))
        rows += f"<tr{of}>{cells}</tr>"
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption)}"><table class="sorted">'
        f"<caption>{escape(caption)}</caption><thead><tr>{first}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


# Who wins


def _seats(page: Page) -> str:
    found = page.found
    reading = [f"{found.edge(i)} {_ends(sample)}" for i, sample in enumerate(found.samples)]
    rows, settings = [], []
    for sample, p in zip(found.samples, found.seat_tests, strict=True):
        for seat, share in enumerate(findings.seats(sample)):
            scores = stats.mean(sample.column("scores")[:, seat])
            settings.append(sample.setting.label)
            rows.append(
                (
                    f"{sample.setting.label}, seat {seat}",
                    percent(share),
                    f"{percent(share.low)} to {percent(share.high)}",
                    points(share.value - 1 / sample.setting.players),
                    number(scores.value),
                    probability(p) if seat == 0 else "",
                )
            )
    table = _table(
        "Wins by seat",
        ("seat", "share of wins", "95 % interval", "from an even share", "mean score", "equal seats, adjusted p"),
        rows,
        settings=settings,
    )
    note = (
        "<p class='note'>Seat 0 plays first. A shared win counts in equal parts. Intervals are Wilson's. The adjusted "
        f"p is that of a chi-squared test of equal shares, adjusted for all {found.tests} tests of this report by "
        f"Holm's method; there is no verdict with fewer than {stats.FEWEST} games.</p>"
    )
    drawn = [figures.seats(found), figures.outcomes(found)]
    return page.section("Seats and winners", reading, drawn, table + note)


def _ends(sample: Sample) -> str:
    """Shared and missing winners in words."""
    shared = f"{percent(float(sample.is_shared.mean()))} are shared" if sample.is_shared.any() else "none is shared"
    return f"Nobody wins {percent(1 - float(sample.is_won.mean()))} of the games; {shared}."


def _victories(page: Page) -> str:
    found = page.found
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
    return page.section("Winning together", found.who_wins(), [figures.outcomes(found)], table)


# How long, how many choices


def _length(page: Page) -> str:
    found = page.found
    rows, settings = [], []
    for sample in found.samples:
        for measure in sample.measures()[:3]:
            settings.append(sample.setting.label)
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
    head = ("measure", "mean", "10th percentile", "median", "90th percentile", "longest")
    table = _table("Length of games", head, rows, settings=settings)
    pace, first = found.plan.pace, found.samples[0]
    note = (
        f"<p class='note'>Minutes rest on an assumed pace, not on a measured one: {pace.thinking:g} seconds for a "
        f"decision with a choice (<code>--seconds-per-decision</code>), {pace.handling:g} for a roll, a draw or a "
        f"forced decision. The box says {found.plan.game.facts.minutes} minutes; with {first.setting.label} that would "
        f"be {max(0.0, first.pace_of_the_box):.0f} seconds a decision. Rounds are those of the rule page.</p>"
    )
    drawn = [
        figures.histogram(found, "rounds", "Rounds", [one.column("rounds") for one in found.samples], "rounds"),
        figures.histogram(found, "minutes", "Minutes", [one.minutes for one in found.samples], "estimated minutes"),
    ]
    return page.section("Length", found.how_long(), drawn, table + note)


def _choices(page: Page) -> str:
    found, told = page.found, []
    for sample in found.samples:
        decisions = max(1, int(sample.column("decisions").sum()))
        told.append(
            f"With {sample.setting.label} a decision has {number(float(sample.choices.mean()))} choices on average; "
            f"{percent(int(sample.forced.sum()) / decisions)} of decisions are forced, at most "
            f"{int(sample.column('most').max())} choices."
        )
    return page.section("Choices", told, [figures.choices(found)], _uses(page))


def _uses(page: Page) -> str:
    """How often each kind of move is made where another kind could be made instead."""
    rows, settings, dead = [], [], []
    for sample, seen in zip(page.found.samples, page.seen, strict=True):
        label = sample.setting.label
        for use in values.uses(sample.setting.game, seen) if seen else []:
            settings.append(label)
            rows.append(
                (f"{label}: {use.kind}", f"{use.offered:,}", _spanned(use.share), "dead" if use.is_dead else "")
            )
            if use.is_dead:
                dead.append(f"{use.kind} ({label})")
    if not rows:
        return ""
    told = f"Dead options, that these players hardly ever choose: {', '.join(dead)}." if dead else "No option is dead."
    head = ("kind of move", "offered", "made, with 95 % interval", "verdict")
    return (
        f"<p>{escape(told)}</p>{_table('Kinds of moves', head, rows, settings=settings)}"
        f"<p class='note'>Of the first {again.SEEN} games of each setting: decisions that offer this kind of move and "
        f"another. Dead is what is offered at least {values.OFFERED} times and chosen in fewer than "
        f"{percent(values.DEAD)} of them, interval included.</p>"
    )


def _decisions(found: Found) -> str:
    """What decisions are worth, from the search."""
    rows, settings, told = [], [], []
    for sample in found.samples:
        some, label = values.decisions(sample, found.plan.decisions), sample.setting.label
        if not some:
            continue
        whole = values.gained(some)
        told.append(f"{_points(whole)} with {label}")
        for kinds, group in {"all decisions": some, **values.by_kinds(some)}.items():
            best = Counter(one.best for one in group)
            settings.append(label)
            shares = ", ".join(f"{kind} {percent(number / len(group))}" for kind, number in best.most_common(4))
            rows.append((f"{label}: {kinds}", f"{len(group)}", _points(values.gained(group)), shares))
    if not told:
        return ""
    table = _table(
        "What decisions are worth",
        ("kinds of moves on offer", "decisions", "gain of the best move, points", "which kind is best"),
        rows,
        (3,),
        settings,
    )
    note = (
        f"<p class='note'>{found.plan.decisions} decisions with a choice, at most {values.PER_GAME} of a game. Each "
        f"move is valued by two searches of {values.SIMULATIONS} simulations: the one picks the best move, the other "
        "says what it gains over the average of all moves, so that noise does not count. With 95 % intervals; one that "
        "reaches 0 or below says that nothing was found.</p>"
    )
    reading = (
        "How much of the win a decision is worth: what the best move gains over any move, on average, in points: "
        f"{'; '.join(told)}. Where it is near zero, it hardly matters what is chosen."
    )
    return f"<section><h2>Decisions that matter</h2><p>{_text(reading)}</p>{table}{note}</section>\n"


def _points(gain: stats.Estimate) -> str:
    spread = "" if gain.half == float("inf") else f" ± {gain.half * 100:.1f}"
    return f"{gain.value * 100:.1f}{spread}".replace("-", "−")


# Special events


def _events(page: Page) -> str:
    found = page.found
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
    return page.section("Special events", reading, [figures.events(found)], table)


def _event(values: Values, unit: str) -> str:
    """How often it happens in a game, and how many games have it."""
    return f"{number(float(values.mean()))} {unit} ({float((values > 0).mean()):.0%})".replace("%", " %")


# The lead


def _lead(page: Page) -> str:
    found, told = page.found, []
    for sample in found.samples:
        known = sample.known
        if len(known):
            changes = number(float(sample.column("lead_changes").mean()))
            told.append(f"{changes} times, and after {percent(percentile(known, 0.5))} of it ({sample.setting.label})")
    reading = (
        "How often the lead changes in a game, and the median moment from which the winner is in front: "
        f"{'; '.join(told)}."
        if told
        else "Nobody won any game."
    )
    note = (
        "<p class='note'>Looked at after every round: whoever has come farthest leads, by the score or by what the "
        "game's metrics call progress. In front is who leads or shares the lead. A curve that rises late belongs to a "
        "game that stays open to the end.</p>"
    )
    values = [one.column("lead_changes") for one in found.samples]
    drawn = [figures.known(found), figures.histogram(found, "lead", "Lead changes", values, "lead changes in a game")]
    return page.section("The lead, and how early the winner is known", reading, drawn if told else [], note)


# Drama


def _drama(found: Found) -> str:
    """What each seat's chance of winning did, from the search."""
    rows = []
    for sample in found.samples:
        for name, mean in drama.of(sample, found.plan.drama).items():
            rows.append((f"{sample.setting.label}: {name}", percent(mean), _spanned(mean)))
    note = (
        f"<p class='note'>Of the first {found.plan.drama} games of each setting that somebody won; the chances are "
        f"those of a search of {drama.SIMULATIONS} simulations a position, which is rough: small swings are partly "
        "its noise. The games below show them move by move.</p>"
    )
    table = _table("Chances of winning during a game", ("measure", "mean", "with 95 % interval"), rows)
    return (
        "<section><h2>Drama</h2><p>A game is tense while it is open: when it is decided, how far behind winners have "
        f"been, and whether luck or decisions swing it.</p>{table}{note}</section>\n"
    )


# Luck and skill


def _skill(page: Page) -> str:
    found = page.found
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
                    f"{skill.part:.2f}",
                    f"{skill.scaled(skill.share.low):.2f} to {skill.scaled(skill.share.high):.2f}",
                )
            )
    one = next(skill for skill in found.skills if skill)
    games = next(settings for settings in found.plan.skill if settings)[0].games
    head = ("setting", "wins", "95 % interval", "luck alone", "skill", "95 % interval of skill")
    table = _table("The stronger player", head, rows)
    how = (
        "all seats are played by the stronger kind, and then all by the weaker"
        if found.together
        else "one seat, in turn, is played by the stronger kind and all others by the weaker"
    )
    note = (
        f"<p class='note'>{escape(findings.who(one.strong).capitalize())} against {escape(findings.who(one.weak))}, "
        f"{games:,} games a setting: {how}. “Skill” is 0 if the stronger kind wins no more than an equal player would "
        "and 1 if it always wins. It says how much these two differ in this game; <code>strandline lab ladder</code> "
        "rates players of all levels.</p>"
    )
    return page.section("Luck against skill", found.luck_or_skill(), [figures.skill(found)], table + note)


# Comparisons


def _changes(page: Page) -> str:
    found, parts = page.found, []
    for (base, other), changes in found.changes.items():
        one, two = found.samples[base].setting.label, found.samples[other].setting.label
        head = ("measure", "verdict", one, two, "difference", "95 % interval", "adjusted p")
        parts.append(_table(f"{two} compared with {one}", head, map(_change, changes), (1,)))
    note = (
        f"<p class='note'>Welch's test of the means of single games with Student's t, two-sided; p is adjusted for all "
        f"{found.tests} tests of this report, those of the seats included, by Holm's method. A difference is called "
        f"higher or lower if the adjusted p is below {stats.LEVEL}; there is no verdict with fewer than {stats.FEWEST} "
        "games. Full dots are detectable differences.</p>"
    )
    drawn = figures.sweep(found) if found.plan.is_sweep else [figures.changes(found)]
    what = "entry" if (found.plan.option or "").startswith(boxes.PREFIX) else "option"
    told = found.effects()
    return page.section(f"Effect of the {what} {found.plan.option}", told, drawn, "".join(parts) + note)


def _change(change: Change) -> Row:
    write, sign = (percent, points) if change.unit == SHARE else (number, findings.signed)
    unit = " points" if change.unit == SHARE else ""
    ends = write(change.before), write(change.after)
    p = probability(change.p)
    if change.change.high == float("inf"):
        value = sign(change.change.value).removesuffix(" points")
        return change.name, change.verdict, *ends, value + unit, "unknown", p
    value, low, high = (sign(part).removesuffix(" points") for part in vars(change.change).values())
    return change.name, change.verdict, *ends, value + unit, f"{low} to {high}", p


# Competent and random play


def _beside(found: Found) -> str:
    """What changes if nobody thinks: the same settings with random players."""
    rows = []
    for sample, other in zip(found.samples, found.beside, strict=True):
        for name, told in _summary(sample).items():
            rows.append((f"{sample.setting.label}: {name}", told, _summary(other).get(name, "nobody won")))
    players = " and ".join(dict.fromkeys(findings.who(name) for name in found.samples[0].setting.bots))
    table = _table("The same settings, played well and at random", ("measure", players, "random players"), rows)
    reading = (
        f"This report is about {players}. Random players, {len(found.beside[0]):,} games a setting, show what lies in "
        "the rules alone: where the columns differ, it is the players who make the difference."
    )
    return (
        f"<section><h2>Beside random play</h2><p>{escape(reading)}</p>{table}"
        "<p class='note'>With 95 % intervals.</p></section>\n"
    )


def _summary(sample: Sample) -> dict[str, str]:
    """The few numbers that say most about a setting, each with its interval."""
    found: dict[str, str] = {}
    if sample.setting.game.facts.cooperative:
        found["games won"] = _spanned(findings.victories(sample))
    elif sample.is_won.any():
        found["wins of the first player"] = _spanned(findings.seats(sample)[0])
    rounds, decisions = stats.mean(sample.column("rounds")), stats.mean(sample.column("decisions"))
    return found | {
        "rounds": f"{number(rounds.value)} ± {number(rounds.half)}",
        "decisions": f"{number(decisions.value)} ± {number(decisions.half)}",
    }


def _spanned(share: stats.Estimate) -> str:
    return f"{percent(share)} ± {share.half * 100:.1f}"


# Games


def _games(page: Page) -> str:
    """Games worth watching, and a search for others."""
    found = page.found
    rows = "".join(
        f'<tr data-setting="{escape(one.setting)}"><th scope="row">{escape(one.why)}</th>'
        f'<td class="text">{escape(one.setting)}</td><td>{one.row}</td>'
        f'<td class="text"><button type="button" data-replay="{place}">Watch</button></td></tr>'
        for place, one in enumerate(page.replays)
    )
    head = "".join(
        f'<th scope="col"{kind}>{name}</th>'
        for name, kind in (("game", ""), ("setting", ' class="text"'), ("row", ""), ("on the board", ' class="text"'))
    )
    worth = (
        '<div class="wide" role="region" tabindex="0" aria-label="Games worth watching"><table>'
        f"<caption>Games worth watching</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    settings = "".join(f"<option>{escape(one.setting.label)}</option>" for one in found.samples)
    measures = "".join(
        f"<option>{escape(one.name)}</option>"
        for one in found.samples[0].measures()
        if len(one.values) == len(found.samples[0])
    )
    followed = any(
        seen is not None and not _leaderless(one) for one, seen in zip(found.samples, page.seen, strict=True)
    )
    curve = '<option value="curve">like the curve</option>' if followed else ""
    search = (
        '<div id="games"><div class="query">'
        f'<label>setting <select id="games-setting">{settings}</select></label>'
        f'<label>by <select id="games-measure">{measures}</select></label>'
        '<label>order <select id="games-order"><option value="most">most first</option>'
        f'<option value="least">least first</option>{curve}</select></label>'
        '<label>at least <input id="games-least" type="number" step="any" size="6"></label>'
        '<label>at most <input id="games-most" type="number" step="any" size="6"></label>'
        '<label>rounds, at least <input id="games-shortest" type="number" size="6"></label>'
        '<label>at most <input id="games-longest" type="number" size="6"></label></div>'
        '<div id="games-curve" hidden></div>'
        '<p class="note" id="games-count"></p>'
        '<div class="wide" role="region" tabindex="0" aria-label="Games found"><table>'
        '<caption>Games found</caption><thead><tr><th scope="col">row</th><th scope="col">value</th>'
        '<th scope="col">winner</th><th scope="col" class="text">to see it</th></tr></thead><tbody></tbody></table>'
        "</div></div>"
    )
    reading = "From a number to the game: every row of the study can be played again, move by move."
    note = "<p class='note'>Games without a button are shown by the command, STUDY being the folder of the study.</p>"
    return f"<section><h2>Games</h2><p>{reading}</p>{worth}{search}{note}</section>\n"


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
        *([("Box", boxes.contents(setting.game))] if found.plan.box else []),
    ]
    told = "".join(f"<dt>{escape(name)}</dt><dd>{_lines(text)}</dd>" for name, text in facts)
    return (
        "<section><h2>How it was made</h2>"
        "<p>The same command and seed give the same games on any number of cores or machines, or on a GPU. With "
        f"<code>--data csv,parquet</code> the rows of all games are written too.</p><dl>{told}</dl>"
        f"<p class='note'>{escape(_caution(setting.bots))}</p></section>\n"
    )


def _lines(text: str) -> str:
    return f"<pre>{escape(text)}</pre>" if "\n" in text else escape(text)


def _caution(bots: Sequence[str]) -> str:
    if all(name == "random" for name in bots):
        return (
            "Random players choose any legal move. What they show lies in the rules alone; people who play well may "
            "see less of it, or more. Name --bots to look at better play."
        )
    if all(name in ("random", "guided") for name in bots):
        return (
            "Guided players move at sight, as the game's hints say, and never look ahead; bench/lab.md says how strong "
            "they are beside the levels. Name --bots to look at better play."
        )
    return "Bots of the levels search; in games between them there are fewer games, and so the intervals are wider."
