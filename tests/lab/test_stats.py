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


def test_difference_of_few_games_is_students() -> None:
    """With the normal distribution 8.7 % of samples of five would differ at the level of 5 %."""
    rng = np.random.default_rng(6)
    for size in (2, 5, 12, 40):
        a, b = rng.normal(3, 1, size), rng.normal(3, 2, size + 1)
        found, expected = stats.difference(a, b), scipy.stats.ttest_ind(b, a, equal_var=False)
        interval = expected.confidence_interval()
        assert (found.change.low, found.change.high) == pytest.approx((interval.low, interval.high))
        assert found.p == (pytest.approx(expected.pvalue) if size >= stats.FEWEST else 1)


def test_no_spread_is_no_certainty() -> None:
    """One game each says nothing; thirty without spread are judged by the exact permutation test."""
    one = stats.difference(np.zeros(1), np.ones(1))
    assert one.p == 1 and one.change.low == -math.inf and one.change.high == math.inf
    assert stats.difference(np.zeros(29), np.ones(29)).p == 1
    assert stats.difference(np.zeros(30), np.ones(31)).p == pytest.approx(2 / math.comb(61, 30))
    assert stats.difference(np.zeros(50), np.zeros(50)).p == 1
    assert stats.difference(np.zeros(100_000), np.ones(100_000)).p == 0


@given(st.floats(0, 60), st.floats(1, 1e6))
def test_students_t(statistic: float, freedom: float) -> None:
    expected = 2 * scipy.stats.t.sf(statistic, freedom)
    assert stats.students_t(statistic, freedom) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_quantiles_of_students_t() -> None:
    for freedom in (1, 2.5, 29, 1000, 1e7):
        assert stats.t_quantile(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=1e-6)


def test_no_verdict_on_seats_with_few_games() -> None:
    assert stats.equal_shares(np.eye(2)[[0] * 29]).p == 1
    assert stats.equal_shares(np.eye(2)[[0] * 30]).p < 0.001


def test_share_is_wilsons_interval() -> None:
    for successes, trials in ((0, 10), (3, 10), (500, 1000), (10, 10)):
        found = stats.share(successes, trials)
        interval = scipy.stats.binomtest(successes, trials).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-6)
    assert math.isnan(stats.share(0, 0).value)


def test_mean() -> None:
    values = np.random.default_rng(4).exponential(2, 5000)
    found = stats.mean(values)
    assert found.half == pytest.approx(scipy.stats.t.ppf(0.975, 4999) * scipy.stats.sem(values))
    assert stats.mean(np.ones(1)).half == math.inf
    assert math.isnan(stats.mean(np.zeros(0)).value)


def test_holm() -> None:
    """By its definition: the smallest times the number of all, the next times one less, never falling."""
    assert stats.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert stats.holm([]) == []
    assert stats.holm([0.9, 0.8]) == [1.0, 1.0]
    ps = [random.Random(5).random() for _ in range(50)]
    assert all(after >= before for before, after in zip(ps, stats.holm(ps), strict=True))
