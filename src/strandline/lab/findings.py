"""What a study has found: numbers with their certainty, and the sentences that say so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from strandline.lab import stats
from strandline.lab.matches import WITHOUT
from strandline.lab.plan import Plan, shown
from strandline.lab.sample import Measure, Sample, percentile
from strandline.lab.stats import FEWEST, LEVEL, Estimate

SIZES = ((0.01, "a negligible"), (0.03, "a small"), (0.08, "a moderate"), (1.0, "a large"))
"""What the advantage of a seat is called, up to this far above or below an even share."""


@dataclass(frozen=True)
class Change:
    """How a measure differs between two settings; `p` is adjusted for all tests of the report."""

    name: str
    unit: str
    before: float
    after: float
    change: Estimate
    p: float
    games: int
    """In the smaller of the two samples."""

    @property
    def is_clear(self) -> bool:
        """Whether the difference is statistically detectable."""
        return self.p < LEVEL

    @property
    def verdict(self) -> str:
        """What can be said of it."""
        if self.games < FEWEST:
            return "too few games"
        return ("higher" if self.change.value > 0 else "lower") if self.is_clear else "not detectable"


@dataclass(frozen=True)
class Skill:
    """What a stronger player makes of a game against weaker ones."""

    strong: str
    weak: str
    share: Estimate
    """Of the win; where all win together, of the games that the stronger players win."""
    even: float
    """The share of an equal player; where all win together, what the weaker players win."""

    @property
    def part(self) -> float:
        """0 if the stronger player wins no more than an equal one would, 1 if always."""
        return self.scaled(self.share.value)

    def scaled(self, share: float) -> float:
        """A share of the win on the scale from luck alone, 0, to skill alone, 1."""
        return (share - self.even) / (1 - self.even) if self.even < 1 else 0.0


class Found:
    """All that a study has found."""

    def __init__(
        self,
        plan: Plan,
        samples: Sequence[Sample],
        skill: Sequence[Sequence[Sample]],
        beside: Sequence[Sample] = (),
    ) -> None:
        """From the games of each setting, those played for skill against luck, and random play beside them."""
        self.plan = plan
        self.samples = list(samples)
        self.beside = list(beside)
        self.skills = [_skill(sample, games) if games else None for sample, games in zip(samples, skill, strict=True)]
        self.changes, self.seat_tests = self._tests()

    @property
    def together(self) -> bool:
        """Whether the seats win or lose as one."""
        return self.plan.game.facts.cooperative

    def _tests(self) -> tuple[dict[tuple[int, int], list[Change]], list[float]]:
        """All differences between compared settings, and each setting's p of equal seats: one family of tests."""
        raw = {pair: _differences(self.samples[pair[0]], self.samples[pair[1]]) for pair in self.plan.pairs()}
        seats = [] if self.together else [equality(sample).p for sample in self.samples]
        adjusted = iter(stats.holm([*seats, *(change.p for changes in raw.values() for change in changes)]))
        seats = [next(adjusted) for _ in seats]
        changes = {pair: [replace(change, p=next(adjusted)) for change in some] for pair, some in raw.items()}
        return changes, seats

    @property
    def tests(self) -> int:
        """How many tests the report makes."""
        return len(self.seat_tests) + sum(map(len, self.changes.values()))

    def headline(self) -> list[str]:
        """Two or three sentences that state what was found."""
        sentences = [self.who_wins(), self.how_long()]
        if self.plan.pairs():
            sentences.insert(1, self.what_changes())
        elif any(self.skills):
            sentences.append(self.luck_or_skill())
        return sentences

    # Sentences

    def who_wins(self) -> str:
        """Who has an edge."""
        if self.together:
            won = [victories(sample) for sample in self._first_values()]
            parts = self._by_players(f"{percent(one)} of the games" for one in won)
            return f"The players win {parts} (± {max(one.half for one in won) * 100:.2g} points)."
        first = self._first_numbers()
        if len(first) == 1:
            return self.edge(first[0])
        told = (_edge(self.samples[number], self.seat_tests[number]) for number in first)
        return f"Of the games that somebody wins the first player takes {_listed(told)}."

    def edge(self, number: int) -> str:
        """Whether a seat of a setting has an advantage, in a sentence."""
        return edge_sentence(self.samples[number], self.seat_tests[number])

    def _first_values(self) -> list[Sample]:
        """The settings with the first value of a compared option: what the others are compared with."""
        return [self.samples[number] for number in self._first_numbers()]

    def _first_numbers(self) -> list[int]:
        others = {pair[1] for pair in self.plan.pairs()}
        return [number for number in range(len(self.samples)) if number not in others]

    def how_long(self) -> str:
        """How long a game is."""
        told = (
            f"{sample.column('rounds').mean():.0f} rounds and {sample.column('decisions').mean():.0f} decisions, about "
            f"{sample.minutes.mean():.0f} minutes,"
            for sample in self._first_values()
        )
        pace = f"minutes assume {self.plan.pace.thinking:g} seconds for a decision"
        return f"A game takes {self._by_players(told)}; {pace}."

    def _by_players(self, told: Iterable[str]) -> str:
        """What is told of each number of players, those together of which the same is told."""
        groups: dict[str, list[int]] = {}
        for text, sample in zip(told, self._first_values(), strict=True):
            groups.setdefault(text, []).append(sample.setting.players)
        return _listed(
            f"{text} with {_numbers(players)} player{'s' if players != [1] else ''}" for text, players in groups.items()
        )

    def luck_or_skill(self) -> str:
        """What the stronger player makes of it."""
        told = [(sample, skill) for sample, skill in zip(self.samples, self.skills, strict=True) if skill]
        sample, skill = told[0]
        if self.together or sample.setting.players == 1:
            return (
                f"{who(skill.strong).capitalize()} win {percent(skill.share)} of the games with {_players(sample)} "
                f"({_range(skill.share)}), {who(skill.weak)} {percent(skill.even)}."
            )
        return (
            f"{_one(skill.strong).capitalize()} wins {percent(skill.share)} of the games against "
            f"{_others(skill.weak, sample.setting.players - 1)} ({_range(skill.share)}; an equal player "
            f"{percent(skill.even)}): {_balance(skill)}."
        )

    def what_changes(self) -> str:
        """What another value of the compared option does to the first seat, and what it changes most."""
        return " ".join(self.effects())

    def effects(self) -> list[str]:
        """The same, a sentence for each comparison."""
        return [self._what_changes(*pair) for pair in self.changes]

    def _what_changes(self, base: int, other: int) -> str:
        changes = self.changes[base, other]
        option = self.plan.option
        values = [shown(self.plan.values[number % len(self.plan.values)]) for number in (base, other)]
        lead = f"With {option} {values[1]} instead of {values[0]} and {_players(self.samples[other])} "
        first = changes[0]
        what = "the players' share of wins" if self.together else "the first player's share of wins"
        if first.is_clear:
            text = (
                f"{what} goes from {percent(first.before)} to {percent(first.after)}, "
                f"{points(first.change.value)} ({_range(first.change)}, {probability(first.p)})"
            )
        else:
            text = (
                f"{what} does not change detectably: {percent(first.before)} and {percent(first.after)}, "
                f"{points(first.change.value)} ({_range(first.change)}, {probability(first.p)})"
            )
        return lead + text + self._largest(changes[1:]) + "."

    def _largest(self, changes: Sequence[Change]) -> str:
        """The measure that changes most for the width of its interval."""
        clear = [change for change in changes if change.is_clear and change.before > 0 and change.unit != SHARE]
        if not clear:
            return "; nothing else changes detectably"
        most = max(clear, key=lambda change: abs(change.change.value) / max(change.change.half, 1e-12))
        return f"; most clearly it changes {most.name}, from {number(most.before)} to {number(most.after)}"


SHARE = "share"


def edge_sentence(sample: Sample, p: float) -> str:
    """Whether a seat of a setting has an advantage, and the first one in particular; `p` is that of equal seats."""
    where = f"With {_players(sample)}"
    if not sample.setting.label.startswith(_players(sample)):
        where += f" and {sample.setting.label}"
    elif ", " in sample.setting.label:
        where += f" and {sample.setting.label.partition(', ')[2]}"
    found, players = seats(sample), sample.setting.players
    even = 1 / players
    if not sample.is_won.any():
        return f"{where} nobody won any game."
    if sample.is_won.sum() < FEWEST:
        return f"{where} somebody won {sample.is_won.sum()} games: too few for a verdict on the seats."
    first = found[0]
    edge = first.value - even
    if p >= LEVEL:
        widest = max(abs(end - even) for seat in found for end in (seat.low, seat.high))
        return (
            f"{where} no seat has a statistically detectable advantage: the first player wins {percent(first)} of the "
            f"games that somebody wins, and every seat is within {widest * 100:.1f} points of an even share "
            f"({probability(p)})."
        )
    if first.low <= even <= first.high:
        best = max(range(players), key=lambda seat: abs(found[seat].value - even))
        return (
            f"{where} the first player has no detectable advantage ({percent(first)} of the games that somebody "
            f"wins), but seat {best} wins {percent(found[best])} ({_range(found[best])}; {probability(p)})."
        )
    kind = "advantage" if edge > 0 else "disadvantage"
    return (
        f"{where} the first player has {_size(edge)} {kind}: {percent(first)} of the games that somebody wins "
        f"({_range(first)}) where an even share is {percent(even)} ({probability(p)})."
    )


def _edge(sample: Sample, p: float) -> str:
    """The first player's share in a few words."""
    even = 1 / sample.setting.players
    if not sample.is_won.any():
        return f"nothing with {_players(sample)}, where nobody won any game"
    first = seats(sample)[0]
    if p >= LEVEL or first.low <= even <= first.high:
        judged = f"no detectable advantage, an even share is {percent(even)}"
    else:
        kind = "advantage over" if first.value > even else "disadvantage against"
        judged = f"{_size(first.value - even)} {kind} {percent(even)}"
    return f"{percent(first)} with {_players(sample)} ({judged}, {probability(p)})"


def _size(edge: float) -> str:
    return next(word for limit, word in SIZES if abs(edge) <= limit)


def seats(sample: Sample) -> list[Estimate]:
    """Each seat's share of the games that somebody won."""
    shares = sample.shares[sample.is_won]
    return [stats.share(float(shares[:, seat].sum()), len(shares)) for seat in range(sample.setting.players)]


def equality(sample: Sample) -> stats.Test:
    """Whether all seats win equally often."""
    return stats.equal_shares(sample.shares[sample.is_won])


def victories(sample: Sample) -> Estimate:
    """The share of games that somebody won."""
    return stats.share(int(sample.is_won.sum()), len(sample))


def _skill(sample: Sample, games: Sequence[Sample]) -> Skill:
    if len(games) == 2:
        strong, weak = games
        return Skill(strong.setting.bots[0], weak.setting.bots[0], victories(strong), victories(weak).value)
    (mixed,) = games
    names, n = mixed.setting.bots, np.flatnonzero(mixed.is_won)
    seat_of_strong = -n % len(names)  # seat k of game i is played by bot i + k
    won = mixed.shares[n, seat_of_strong].sum()
    return Skill(names[0], names[1], stats.share(float(won), len(n)), 1 / mixed.setting.players)


def measured(sample: Sample) -> list[Measure]:
    """All that settings are compared by; the first player, or the players' wins, come first."""
    found = []
    if not sample.setting.game.facts.cooperative:
        shares = sample.shares[sample.is_won]
        found += [Measure(f"wins of seat {seat}", SHARE, shares[:, seat]) for seat in range(sample.setting.players)]
        found.append(Measure("games that several win", SHARE, sample.is_shared))
    return [*found, Measure("games that somebody wins", SHARE, sample.is_won), *sample.measures()]


def _differences(a: Sample, b: Sample) -> list[Change]:
    """How all that is measured differs."""
    changes = []
    for one, other in zip(measured(a), measured(b), strict=True):
        before, after = one.values.astype(float), other.values.astype(float)
        if len(before) and len(after):
            result = stats.difference(before, after)
            games = min(len(before), len(after))
            changes.append(
                Change(one.name, one.unit, float(before.mean()), float(after.mean()), result.change, result.p, games)
            )
    return changes


# Words


def percent(value: Estimate | float) -> str:
    """A share as people write it."""
    found = value.value if isinstance(value, Estimate) else value
    return "unknown" if math.isnan(found) else f"{found * 100:.1f} %"


def points(value: float) -> str:
    """A difference of shares."""
    if math.isnan(value):
        return "unknown"
    return f"{_signed(round(value * 100, 1), 1)} points"


def signed(value: float) -> str:
    """A difference, with as many digits as matter."""
    return _signed(value, _digits(value))


def _signed(value: float, digits: int) -> str:
    return f"{value:+,.{digits}f}".replace("-", "−") if value else "0"


def number(value: float) -> str:
    """A number with as many digits as matter."""
    return f"{value:,.{_digits(value)}f}".replace("-", "−")


def _digits(value: float) -> int:
    if float(value).is_integer() or abs(value) >= 100:
        return 0
    return 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 4


def probability(p: float) -> str:
    """An adjusted p-value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def who(name: str) -> str:
    """Players of a kind."""
    if name == "people":
        return name
    name, without, word = name.partition(WITHOUT)
    if without:
        return f"{who(name)} who never play {word}"
    if name in ("random", "guided"):
        return f"{name} players"
    return f"bots of level {name}" if name.isdecimal() else f"{name} bots"


def _one(name: str) -> str:
    name, without, word = name.partition(WITHOUT)
    if without:
        return f"{_one(name)} who never plays {word}"
    if name in ("random", "guided"):
        return f"a {name} player"
    return f"a bot of level {name}" if name.isdecimal() else f"a {name} bot"


def _others(name: str, players: int) -> str:
    return _one(name) if players == 1 else f"{players} {who(name)}"


def _balance(skill: Skill) -> str:
    part = skill.part
    if part < 0.1:
        return "nearly all is luck between these two"
    if part < 0.35:
        return "more luck than skill between these two"
    if part < 0.65:
        return "luck and skill weigh about the same between these two"
    return "skill decides most games between these two" if part < 0.9 else "skill decides between these two"


def _players(sample: Sample) -> str:
    count = sample.setting.players
    return f"{count} player{'s' if count > 1 else ''}"


def _numbers(players: Sequence[int]) -> str:
    """Numbers of players, of which those that follow each other are a range."""
    if len(players) > 2 and players[-1] - players[0] == len(players) - 1:
        return f"{players[0]} to {players[-1]}"
    return " or ".join(map(str, players))


def _range(value: Estimate) -> str:
    if value.high == math.inf:
        return "no interval from one game"
    low, high = (f"{end * 100:.1f}".replace("-", "−") for end in (value.low, value.high))
    return f"95 % interval {low} to {high}"


def _listed(parts: Iterable[str]) -> str:
    *others, last = parts
    return f"{'; '.join(others)}; and {last}" if len(others) > 1 else f"{others[0]} and {last}" if others else last


def spread(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    """The 10th percentile, the median and the 90th percentile."""
    return percentile(values, 0.1), percentile(values, 0.5), percentile(values, 0.9)
