"""The statistics, beside SciPy's."""

import math
import random

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from strandline.lab import stats


@given(st.floats(0, 200), st.integers(1, 12))
def test_chi_squared(statistic: float, freedom: int) -> None:
    assert stats.chi_squared(statistic, freedom) == pytest.approx(scipy.stats.chi2.sf(statistic, freedom), abs=1e-12)


def test_equal_shares_is_pearsons_test_without_shared_wins() -> None:
    wins = np.random.default_rng(1).choice(4, 5000, p=[0.28, 0.24, 0.24, 0.24])
    found = stats.equal_shares(np.eye(4)[wins])
    expected = scipy.stats.chisquare(np.bincount(wins))
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_equal_shares_holds_its_level_with_shared_wins() -> None:
    """Where no seat has an edge, one test in twenty is below 0.05."""
    rng = np.random.default_rng(2)
    ps = []
    for _ in range(2000):
        winners = rng.random((300, 3)) < 0.4
        winners = winners[winners.any(1)]
        ps.append(stats.equal_shares(winners / winners.sum(1, keepdims=True)).p)
    assert np.mean(np.array(ps) < 0.05) == pytest.approx(0.05, abs=0.02)
    assert scipy.stats.kstest(ps, "uniform").pvalue > 0.001


def test_equal_shares_of_nothing() -> None:
    assert stats.equal_shares(np.zeros((0, 3))).p == 1
    assert stats.equal_shares(np.ones((10, 1))).p == 1
    assert stats.equal_shares(np.full((10, 4), 0.25)).p == 1


def test_difference_is_welchs_test() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(3, 1, 4000), rng.normal(3.1, 4, 3000)
    found, expected = stats.difference(a, b), scipy.stats.ttest_ind(b, a, equal_var=False)
    assert found.change.value == pytest.approx(b.mean() - a.mean())
    assert found.p == pytest.approx(expected.pvalue, rel=0.01)
    interval = expected.confidence_interval()
    assert (found.change.low, found.change.high) == pytest.approx((interval.low, interval.high), rel=0.01)


def test_difference_without_spread() -> None:
    assert stats.difference(np.zeros(5), np.zeros(5)).p == 1
    assert stats.difference(np.zeros(5), np.ones(5)).p == 0


def test_share_is_wilsons_interval() -> None:
    for successes, trials in ((0, 10), (3, 10), (500, 1000), (10, 10)):
        found = stats.share(successes, trials)
        interval = scipy.stats.binomtest(successes, trials).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-6)
    assert math.isnan(stats.share(0, 0).value)


def test_mean() -> None:
    values = np.random.default_rng(4).exponential(2, 5000)
    found = stats.mean(values)
    assert found.half == pytest.approx(1.959964 * scipy.stats.sem(values))
    assert math.isnan(stats.mean(np.zeros(0)).value)


def test_holm() -> None:
    """By its definition: the smallest times the number of all, the next times one less, never falling."""
    assert stats.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert stats.holm([]) == []
    assert stats.holm([0.9, 0.8]) == [1.0, 1.0]
    ps = [random.Random(5).random() for _ in range(50)]
    assert all(after >= before for before, after in zip(ps, stats.holm(ps), strict=True))
