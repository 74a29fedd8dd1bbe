"""Confidence intervals of probabilities."""

import math

CONFIDENCE_95 = 1.959964


def interval(successes: float, trials: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval for a probability."""
    z2 = CONFIDENCE_95**2
    share = successes / trials
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = CONFIDENCE_95 / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    return max(0.0, middle - half), min(1.0, middle + half)
