"""What a study has found: numbers with their certainty, and the sentences that say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from strandline.lab import stats
from strandline.lab.plan import Plan, shown
from strandline.lab.sample import Sample, percentile
from strandline.lab.stats import LEVEL, Estimate

SIZES = ((0.01, "hardly any"), (0.03, "a small"), (0.08, "a clear"), (1.0, "a large"))
"""What the edge of a seat is called, up to so much above or below an even share."""


@dataclass(frozen=True)
class Change:
    """How a measure differs between two settings; `p` is corrected for the number of comparisons."""

    name: str
    unit: str
    before: float
    after: float
    change: Estimate
    p: float

    @property
    def is_clear(self) -> bool:
        """Whether chance alone would hardly make such a difference."""
        return self.p < LEVEL


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
        return (self.share.value - self.even) / (1 - self.even) if self.even < 1 else 0.0


class Found:
    """All that a study has found."""

    def __init__(self, plan: Plan, samples: Sequence[Sample], skill: Sequence[Sequence[Sample]]) -> None:
        """From the games of each setting, and those played for skill against luck."""
        self.plan = plan
        self.samples = list(samples)
        self.skills = [_skill(sample, games) if games else None for sample, games in zip(samples, skill, strict=True)]
        self.changes = self._changes()

    @property
    def together(self) -> bool:
        """Whether the seats win or lose as one."""
        return self.plan.game.facts.cooperative

    def _changes(self) -> dict[tuple[int, int], list[Change]]:
        """The differences between compared settings, corrected for the number of all of them."""
        raw = {pair: _differences(self.samples[pair[0]], self.samples[pair[1]]) for pair in self.plan.pairs()}
        corrected = iter(stats.holm([change.p for changes in raw.values() for change in changes]))
        return {
            pair: [Change(**{**vars(change), "p": next(corrected)}) for change in changes]
            for pair, changes in raw.items()
        }

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
        first = self._first_values()
        if len(first) == 1:
            return edge_sentence(first[0])
        return f"Of the games that somebody wins the first player takes {_listed(map(_edge, first))}."

    def _first_values(self) -> list[Sample]:
        """The settings with the first value of a compared option: what the others are compared with."""
        others = {pair[1] for pair in self.plan.pairs()}
        return [sample for number, sample in enumerate(self.samples) if number not in others]

    def how_long(self) -> str:
        """How long a game is."""
        told = (
            f"{sample.column('rounds').mean():.0f} rounds and {sample.column('decisions').mean():.0f} decisions, about "
            f"{sample.minutes.mean():.0f} minutes,"
            for sample in self._first_values()
        )
        return f"A game takes {self._by_players(told)}."

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
                f"{who(skill.strong).capitalize()} win {percent(skill.share)} of the games with {_players(sample)}, "
                f"{who(skill.weak)} {percent(skill.even)}."
            )
        return (
            f"{_one(skill.strong).capitalize()} wins {percent(skill.share)} of the games against "
            f"{_others(skill.weak, sample.setting.players - 1)} (an equal player {percent(skill.even)}): "
            f"{_balance(skill)}."
        )

    def what_changes(self) -> str:
        """What another value of the compared option does to the first seat, and what it changes most."""
        return " ".join(self._what_changes(*pair) for pair in self.changes)

    def _what_changes(self, base: int, other: int) -> str:
        changes = self.changes[base, other]
        option = self.plan.option
        values = [shown(self.samples[number].setting.start.options[option or ""]) for number in (base, other)]
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
                f"{what} does not change clearly: {percent(first.before)} and {percent(first.after)}, "
                f"{points(first.change.value)} ({_range(first.change)}, {probability(first.p)})"
            )
        return lead + text + self._largest(changes[1:]) + "."

    def _largest(self, changes: Sequence[Change]) -> str:
        """The measure that changes most, compared with what chance could do."""
        clear = [change for change in changes if change.is_clear and change.before > 0 and change.unit != SHARE]
        if not clear:
            return "; nothing else changes clearly"
        most = max(clear, key=lambda change: abs(change.change.value) / max(change.change.half, 1e-12))
        return f"; most clearly it changes {most.name}, from {number(most.before)} to {number(most.after)}"


SHARE = "share"


def edge_sentence(sample: Sample) -> str:
    """Whether a seat of a setting has an edge, and the first one in particular."""
    where = f"With {_players(sample)}"
    if not sample.setting.label.startswith(_players(sample)):
        where += f" and {sample.setting.label}"
    elif ", " in sample.setting.label:
        where += f" and {sample.setting.label.partition(', ')[2]}"
    found, players = seats(sample), sample.setting.players
    test, even = equality(sample), 1 / players
    if not sample.is_won.any():
        return f"{where} nobody won any game."
    first = found[0]
    edge = first.value - even
    if test.p >= LEVEL:
        widest = max(abs(end - even) for seat in found for end in (seat.low, seat.high))
        return (
            f"{where} no seat has an edge that could be told from chance: the first player wins "
            f"{percent(first)} of the games that somebody wins, and every seat is within {widest * 100:.1f} points "
            f"of an even share ({probability(test.p)})."
        )
    if first.low <= even <= first.high:
        best = max(range(players), key=lambda seat: abs(found[seat].value - even))
        return (
            f"{where} the first player has no clear edge ({percent(first)} of the games that somebody "
            f"wins), but seat {best} wins {percent(found[best])} ({_range(found[best])}; {probability(test.p)})."
        )
    kind = "edge" if edge > 0 else "disadvantage"
    return (
        f"{where} the first player has {_size(edge)} {kind}: {percent(first)} of the games that somebody wins "
        f"({_range(first)}) where an even share is {percent(even)} ({probability(test.p)})."
    )


def _edge(sample: Sample) -> str:
    """The first player's share in a few words."""
    even, test = 1 / sample.setting.players, equality(sample)
    if not sample.is_won.any():
        return f"nothing with {_players(sample)}, where nobody won any game"
    first = seats(sample)[0]
    if test.p >= LEVEL or first.low <= even <= first.high:
        judged = f"no clear edge, an even share is {percent(even)}"
    else:
        kind = "edge over" if first.value > even else "disadvantage against"
        judged = f"{_size(first.value - even)} {kind} {percent(even)}"
    return f"{percent(first)} with {_players(sample)} ({judged}, {probability(test.p)})"


def _size(edge: float) -> str:
    return next(word for limit, word in SIZES if abs(edge) <= limit)


def seats(sample: Sample) -> list[Estimate]:
    """Each seat's share of the games that somebody won."""
    shares = sample.shares[sample.is_won]
    return [stats.share(float(shares[:, seat].sum()), len(shares)) for seat in range(sample.setting.players)]


def equality(sample: Sample) -> stats.Test:
    """Whether all seats win alike."""
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


def _differences(a: Sample, b: Sample) -> list[Change]:
    """All that two settings are compared by; the first player, or the players' wins, come first."""
    found = []
    if not a.setting.game.facts.cooperative:
        pair = a.shares[a.is_won], b.shares[b.is_won]
        for seat in range(a.setting.players):
            found.append((f"wins of seat {seat}", SHARE, pair[0][:, seat], pair[1][:, seat]))
        found.append(("games that several win", SHARE, a.is_shared, b.is_shared))
    found.append(("games that somebody wins", SHARE, a.is_won, b.is_won))
    for one, other in zip(a.measures(), b.measures(), strict=True):
        found.append((one.name, one.unit, one.values, other.values))
    changes = []
    for name, unit, before, after in found:
        if len(before) and len(after):
            result = stats.difference(before.astype(float), after.astype(float))
            changes.append(Change(name, unit, float(before.mean()), float(after.mean()), result.change, result.p))
    return changes


# Words


def percent(value: Estimate | float) -> str:
    """A share as people write it."""
    found = value.value if isinstance(value, Estimate) else value
    return f"{found * 100:.1f} %"


def points(value: float) -> str:
    """A difference of shares."""
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
    """A p-value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def who(name: str) -> str:
    """Players of a kind."""
    if name in ("random", "guided"):
        return f"{name} players"
    return f"bots of level {name}" if name.isdecimal() else f"{name} bots"


def _one(name: str) -> str:
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
    low, high = (f"{end * 100:.1f}".replace("-", "−") for end in (value.low, value.high))
    return f"95 % interval {low} to {high}"


def _listed(parts: Iterable[str]) -> str:
    *others, last = parts
    return f"{'; '.join(others)}; and {last}" if len(others) > 1 else f"{others[0]} and {last}" if others else last


def spread(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    """The values that a tenth, half and nine tenths of the games lie below."""
    return percentile(values, 0.1), percentile(values, 0.5), percentile(values, 0.9)
