"""How far players of different strength are apart in a game: Elo ratings with intervals, and a sequential test.

The spread of the ratings places a game between luck and skill. The measure is that of Duersch, Lambrecht and Oechssler,
"Measuring skill and chance in games", European Economic Review 127 (2020): the standard deviation of all players' Elo
ratings, and the chance of a player who is one standard deviation better than another to win.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from strandline import progress
from strandline.bots import tournament
from strandline.engine.errors import BadOptions
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.lab import stats

GAMES = 100
"""Games of each pair of players unless somebody says otherwise."""
APART = 2
"""Rungs that are further apart do not meet: the stronger would win nearly always, and little be learned."""
RESAMPLES = 400
SCALE = (("a coin", 0.500), ("backgammon", 0.518), ("chess", 0.670))
"""Games people know, by the chance of a player one standard deviation better to win (human players of one platform)."""

MOST = 2_000
"""Games after which a sequential test gives up."""
BETTER = 35.0
"""Elo points by which a player has to be better for the test to look for it: 55 % of the wins."""
ERROR = 0.05
"""How often the test may call an equal player better, and how often it may miss one who is better by that much."""

Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Rung:
    """A player of a ladder, and the rating; the weakest has 0."""

    name: str
    elo: stats.Estimate


@dataclass(frozen=True)
class Ladder:
    """All players of a ladder, as they were named, and what their games show."""

    start: Position
    rungs: list[Rung]
    games: int
    deviation: stats.Estimate
    """The standard deviation of the ratings."""

    @property
    def edge(self) -> float:
        """The chance of a player to win who is one standard deviation better than the other."""
        return expected(self.deviation.value)


def rungs(game: Game) -> list[str]:
    """Random play and the levels."""
    return ["random", "1", "2", "3", "4", "5"]


def expected(elo: float) -> float:
    """The share of the win that a rating higher by that much stands for."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def climb(
    start: Position, names: Sequence[str], games: int = GAMES, seed: int = 0, threads: int | None = None
) -> Ladder:
    """Rate players, named from the weakest to the strongest, by games between neighbours and those one further."""
    if start.game.facts.cooperative or start.players < 2:
        raise BadOptions(f"A ladder needs players who play against each other; in {start.game.title} they do not.")
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise BadOptions("A ladder needs two or more different players.")
    if games < 2:
        raise BadOptions(f"--games must be 2 or more, not {games}.")
    met = [(a, b) for a, b in combinations(range(len(names)), 2) if b - a <= APART]
    scores: dict[tuple[int, int], Values] = {}
    with progress.of_games(start.game.title, len(met) * games) as advance:
        for a, b in met:
            found = []
            for share in _shares(start, names[a], names[b], games, seed, threads):
                found.append(share)
                advance(1)
            scores[a, b] = np.array(found)
    ratings = rated(scores, len(names))
    rng = np.random.default_rng(seed)
    again = np.array(
        [
            rated({pair: rng.choice(found, len(found)) for pair, found in scores.items()}, len(names))
            for _ in range(RESAMPLES)
        ]
    )
    low, high = np.quantile(again, (0.025, 0.975), axis=0)
    spread = np.quantile(again.std(1), (0.025, 0.975))
    return Ladder(
        start,
        [Rung(name, stats.Estimate(float(ratings[i]), float(low[i]), float(high[i]))) for i, name in enumerate(names)],
        games,
        stats.Estimate(float(ratings.std()), float(spread[0]), float(spread[1])),
    )


def _shares(start: Position, one: str, other: str, games: int, seed: int, threads: int | None) -> Iterator[float]:
    """What `one` wins of each game against `other`: a game that nobody wins is drawn."""
    for result in tournament.results(start, [one, other], games, seed, threads):
        yield result.shares[0] if any(result.shares) else 0.5


def rated(scores: dict[tuple[int, int], Values], players: int) -> Values:
    """The Elo ratings that make the scores most likely (Bradley and Terry's model), the first player's being 0.

    Every pair has one more game, a draw, so that a player who has lost every game has a rating as well.
    """
    wins, games = np.zeros(players), np.zeros((players, players))
    for (a, b), found in scores.items():
        wins[a] += found.sum() + 0.5
        wins[b] += len(found) - found.sum() + 0.5
        games[a, b] = games[b, a] = len(found) + 1
    strength = np.ones(players)
    for _ in range(10_000):
        after = wins / (games / (strength[:, None] + strength)).sum(1)
        after /= after[0]
        done = np.abs(np.log(after / strength)).max() < 1e-6
        strength = after
        if done:
            break
    return np.asarray(400 * np.log10(strength))


def lines(ladder: Ladder) -> Iterator[str]:
    """The ladder in words."""
    game = ladder.start.game.title
    yield f"{game}, {ladder.start.players} players, {ladder.games} games a pair. Elo, the first player being 0:"
    for rung in ladder.rungs:
        yield f"{rung.name:>8}  {rung.elo.value:7.0f}   95 % interval {rung.elo.low:.0f} to {rung.elo.high:.0f}"
    spread = ladder.deviation
    yield (
        f"From the first rung to the last: {ladder.rungs[-1].elo.value:.0f} points. Standard deviation "
        f"{spread.value:.0f} (95 % interval {spread.low:.0f} to {spread.high:.0f}): who is that much better wins "
        f"{ladder.edge:.1%} of the games."
    )
    others = ", ".join(f"{name} {share:.1%}" for name, share in SCALE)
    yield f"People, by the same measure: {others}. Bots are no people: compare one game with another, by these bots."


# Is this player better?


@dataclass(frozen=True)
class Verdict:
    """How a sequential test ended."""

    better: bool | None
    """None if it gave up."""
    games: int
    share: stats.Estimate
    likelihood: float
    """The logarithm of the likelihood ratio of better to equal."""


def sprt(scores: Iterator[float], most: int, elo: float = BETTER) -> Verdict:
    """Wald's sequential probability ratio test, as chess engines use it: better by `elo` points against equal.

    `scores` are the player's shares of pairs of games, seats changed. The likelihood is that of a normal mean with the
    variance seen so far.
    """
    bound = math.log((1 - ERROR) / ERROR)
    equal, better = 0.5, expected(elo)
    seen: list[float] = []
    total = squares = ratio = 0.0
    for score in scores:
        seen.append(score)
        total, squares = total + score, squares + score * score
        if len(seen) < stats.FEWEST // 2:
            continue
        mean = total / len(seen)
        spread = max(squares / len(seen) - mean * mean, 1 / (12 * len(seen)))
        ratio = len(seen) * (better - equal) * (2 * mean - equal - better) / (2 * spread)
        if abs(ratio) >= bound or 2 * len(seen) >= most:
            break
    verdict = ratio > 0 if abs(ratio) >= bound else None
    return Verdict(verdict, 2 * len(seen), stats.mean(np.array(seen)), ratio)


def better(start: Position, one: str, other: str, most: int = MOST, seed: int = 0, threads: int | None = None) -> str:
    """Whether one player is better than another, in a sentence; stops as soon as that is clear enough."""
    if start.game.facts.cooperative or start.players < 2:
        raise BadOptions(f"In {start.game.title} players do not play against each other.")
    shares = _shares(start, one, other, most, seed, threads)
    verdict = sprt(((a + b) / 2 for a, b in zip(shares, shares, strict=False)), most)
    told = f"{verdict.share.value:.1%} of the wins in {verdict.games} games"
    how = f"log-likelihood ratio {verdict.likelihood:.2f}, errors of {ERROR:.0%} either way"
    if verdict.better is None:
        return f"Undecided: {one} takes {told} against {other} ({how})."
    if verdict.better:
        return f"{one} is better than {other}: it takes {told} ({how})."
    return f"{one} is not better than {other} by {BETTER:.0f} Elo points: it takes {told} ({how})."
