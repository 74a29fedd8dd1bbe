"""The statistics of a study: intervals, tests, and the correction for many tests at once.

Games are independent of each other. Means are compared by Welch's test with Student's t; tests are two-sided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from strandline.intervals import interval

LEVEL = 0.05
"""A difference is statistically detectable if its adjusted p is below this."""
FEWEST = 30
"""With fewer games there is no verdict."""

Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Test:
    """The probability `p` of a deviation at least as large by chance alone."""

    __test__ = False  # nothing for pytest to collect

    statistic: float
    p: float


@dataclass(frozen=True)
class Difference:
    """How much a mean is larger in another sample, with its 95 % interval and its `p`."""

    change: Estimate
    p: float


def share(successes: float, trials: int) -> Estimate:
    """A probability, with Wilson's interval; parts of a success count as such."""
    return Estimate(successes / trials, *interval(successes, trials)) if trials else Estimate(math.nan, 0.0, 1.0)


def mean(values: Values) -> Estimate:
    """A mean; without at least two games nothing is known about its error."""
    if not len(values):
        return Estimate(math.nan, math.nan, math.nan)
    middle = float(values.mean())
    if len(values) == 1:
        return Estimate(middle, -math.inf, math.inf)
    half = t_quantile(len(values) - 1) * math.sqrt(float(values.var(ddof=1)) / len(values))
    return Estimate(middle, middle - half, middle + half)


def equal_shares(shares: Values) -> Test:
    """Whether all seats expect the same share of the win; a row for each game, and each row adds up to 1.

    If seats are interchangeable, their shares have one variance and one covariance between any two, and the scaled
    sum of squared deviations from an even share is chi-squared. Without shared wins this is Pearson's test.
    """
    games, seats = shares.shape
    if games < FEWEST or seats < 2:
        return Test(0.0, 1.0)
    even = 1 / seats
    spread = float(((shares - even) ** 2).sum()) / games / (seats - 1)
    deviation = float(((shares.mean(0) - even) ** 2).sum())
    if spread == 0:
        return Test(0.0, 1.0)  # every win was shared by all
    statistic = games * deviation / spread
    return Test(statistic, chi_squared(statistic, seats - 1))


def difference(a: Values, b: Values) -> Difference:
    """How much larger the mean of `b` is: Welch's test. With too few games p is 1: there is no verdict.

    Where neither sample varies there is no error to measure by, and p is that of the exact permutation test: how many
    of all ways to share the games out between the two would set them apart like this.
    """
    change = float(b.mean() - a.mean())
    if min(len(a), len(b)) < 2:
        return Difference(Estimate(change, -math.inf, math.inf), 1.0)
    parts = [float(values.var(ddof=1)) / len(values) for values in (a, b)]
    error = math.sqrt(sum(parts))
    enough = min(len(a), len(b)) >= FEWEST
    if not error:
        p = 2 * math.exp(-_log_ways(len(a), len(b))) if change and enough else 1.0
        return Difference(Estimate(change, change, change), p)
    freedom = sum(parts) ** 2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, (a, b), strict=True))
    half = t_quantile(freedom) * error
    p = students_t(abs(change) / error, freedom) if enough else 1.0
    return Difference(Estimate(change, change - half, change + half), p)


def _log_ways(a: int, b: int) -> float:
    """The logarithm of the number of ways to share `a + b` games out into `a` and `b`."""
    return math.lgamma(a + b + 1) - math.lgamma(a + 1) - math.lgamma(b + 1)


def holm(ps: Sequence[float]) -> list[float]:
    """The probabilities adjusted for their number by Holm's method: a false verdict in at most one family in 20."""
    corrected, largest = [1.0] * len(ps), 0.0
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        largest = max(largest, min(1.0, ps[number] * (len(ps) - rank)))
        corrected[number] = largest
    return corrected


def chi_squared(statistic: float, freedom: int) -> float:
    """The probability that a chi-squared number with that many degrees of freedom is at least as large."""
    half = statistic / 2
    if freedom % 2:
        total, term, degree = math.erfc(math.sqrt(half)), 0.0, 1
    else:
        total, term, degree = math.exp(-half), math.exp(-half), 2
    while degree < freedom:
        term = math.exp(-half) * math.sqrt(half / math.pi) * 2 if degree == 1 else term * half * 2 / degree
        total += term
        degree += 2
    return min(1.0, total)


def students_t(statistic: float, freedom: float) -> float:
    """The probability that Student's t with that many degrees of freedom is at least as far from zero."""
    return _beta(freedom / (freedom + statistic**2), freedom / 2, 0.5)


def t_quantile(freedom: float) -> float:
    """How far from zero Student's t lies in 5 % of the cases."""
    low, high = 1.9, 13.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if students_t(middle, freedom) > LEVEL else (low, middle)
    return high


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * fraction


def _away_from_zero(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300
