"""The random numbers are the same at every speed, and random."""

import itertools

import numpy as np
import pytest

import strandline
from strandline.engine import binding, draws

RULES = strandline.game("up_the_river").rules
FAST = binding.compiled(RULES, draws)
SEEDS = (0, 1, 2**31, 2**62 + 12345, 2**63 - 1)


def test_the_same_bits_at_every_speed() -> None:
    for seed, number in itertools.product(SEEDS, SEEDS):
        key = draws.stream(seed, number)
        assert FAST.stream(seed, number) == key
        for k in (0, 1, 2, 3, 1000, 2**40 + 1):
            assert FAST.block(key, k) == draws.block(key, k)
            assert FAST.draw(key, k, 216) == draws.draw(key, k, 216)


def test_the_bits_never_change() -> None:
    """Recorded seeds must give the same games forever."""
    assert draws.stream(1, 2) == (159505839222477910, 1196649702975132237)
    assert [draws.draw(draws.stream(1, 2), k, 1000) for k in range(6)] == [353, 877, 28, 989, 926, 219]


def test_keys_have_more_than_64_bits() -> None:
    keys = np.array([draws.stream(seed, number) for seed in range(40) for number in range(100)], dtype=object)
    for half in (0, 1):
        values = keys[:, half].tolist()
        assert len(set(values)) == len(values)
        assert max(values) > 2**62 and max(values) < 2**63
        ones = np.array([[value >> bit & 1 for bit in range(63)] for value in values])
        assert (np.abs(ones.mean(0) - 0.5) < 5 * 0.5 / np.sqrt(len(values))).all()


def words(seed: int, streams: int, length: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A row of draws below 2**16 from each of several streams."""
    return np.array(
        [[FAST.draw(FAST.stream(seed, number), k, 2**16) for k in range(length)] for number in range(streams)],
        dtype=float,
    )


@pytest.fixture(scope="module")
def sample() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return words(3, 200, 400) / 2**16


def chi_square(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    """How many standard deviations the chi-square statistic lies from its mean."""
    expected = counts.sum() / len(counts)
    freedom = len(counts) - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / np.sqrt(2 * freedom))


def test_draws_are_uniform(sample: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    for cells in (2, 6, 36, 216):
        counts = np.bincount((sample.ravel() * cells).astype(int), minlength=cells)
        assert abs(chi_square(counts)) < 5


@pytest.mark.parametrize("lag", [1, 2, 3, 5, 8])
def test_draws_of_a_stream_are_independent(sample: np.ndarray[tuple[int, int], np.dtype[np.float64]], lag: int) -> None:
    pairs = (sample[:, :-lag] * 16).astype(int) * 16 + (sample[:, lag:] * 16).astype(int)
    assert abs(chi_square(np.bincount(pairs.ravel(), minlength=256))) < 5


def test_streams_are_independent_of_each_other(sample: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    """Neighbouring games and neighbouring seeds."""
    pairs = (sample[:-1] * 16).astype(int) * 16 + (sample[1:] * 16).astype(int)
    assert abs(chi_square(np.bincount(pairs.ravel(), minlength=256))) < 5
    other = words(4, 200, 400) / 2**16
    pairs = (sample * 16).astype(int) * 16 + (other * 16).astype(int)
    assert abs(chi_square(np.bincount(pairs.ravel(), minlength=256))) < 5


def test_every_bit_of_key_and_counter_matters() -> None:
    """Changing one bit of the input changes about half of the bits of the output."""
    key = draws.stream(5, 5)
    base = [draws.block(key, j) for j in range(64)]
    for bit in range(63):
        for half in (0, 1):
            other = tuple(part ^ (1 << bit if i == half else 0) for i, part in enumerate(key))
            changed = np.mean([(draws.block(other, j) ^ base[j]).bit_count() for j in range(64)])
            assert 31.5 - 6 < changed < 31.5 + 6, (half, bit)
    for bit in range(40):
        changed = np.mean([(draws.block(key, j ^ (1 << bit)) ^ base[j]).bit_count() for j in range(64)])
        assert 31.5 - 6 < changed < 31.5 + 6, bit
