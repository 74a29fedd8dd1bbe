"""The statistics of a study: intervals, tests, and the correction for many tests at once.

Games are independent of each other, and there are many: means are taken as normal, and tests are two-sided.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from strandline.summary import CONFIDENCE_95, interval

LEVEL = 0.05
"""What is less likely than this by chance alone is called clear."""

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
    """A mean."""
    if not len(values):
        return Estimate(math.nan, math.nan, math.nan)
    middle = float(values.mean())
    half = CONFIDENCE_95 * math.sqrt(_variance(values) / len(values))
    return Estimate(middle, middle - half, middle + half)


def equal_shares(shares: Values) -> Test:
    """Whether all seats expect the same share of the win; a row for each game, and each row adds up to 1.

    If seats are interchangeable, their shares have one variance and one covariance between any two, and the scaled
    sum of squared deviations from an even share is chi-squared. Without shared wins this is Pearson's test.
    """
    games, seats = shares.shape
    if games == 0 or seats < 2:
        return Test(0.0, 1.0)
    even = 1 / seats
    spread = float(((shares - even) ** 2).sum()) / games / (seats - 1)
    deviation = float(((shares.mean(0) - even) ** 2).sum())
    if spread == 0:
        return Test(0.0, 1.0)  # every win was shared by all
    statistic = games * deviation / spread
    return Test(statistic, chi_squared(statistic, seats - 1))


def difference(a: Values, b: Values) -> Difference:
    """How much larger the mean of `b` is: Welch's test, with the normal distribution because samples are large."""
    change = float(b.mean() - a.mean())
    error = math.sqrt(_variance(a) / len(a) + _variance(b) / len(b))
    half = CONFIDENCE_95 * error
    p = math.erfc(abs(change) / error / math.sqrt(2)) if error else float(change == 0)
    return Difference(Estimate(change, change - half, change + half), p)


def holm(ps: Sequence[float]) -> list[float]:
    """The same probabilities corrected for their number, by Holm's method: one error in all of them in 20 studies."""
    corrected, largest = [1.0] * len(ps), 0.0
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        largest = max(largest, min(1.0, ps[number] * (len(ps) - rank)))
        corrected[number] = largest
    return corrected


def chi_squared(statistic: float, freedom: int) -> float:
    """The probability that a chi-squared number with so many degrees of freedom is at least as large."""
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


def _variance(values: Values) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else 0.0
