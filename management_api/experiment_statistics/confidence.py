"""What 95 % means: intervals, and the quantile of the normal distribution that they are made with."""

from typing import NamedTuple

from scipy.special import ndtri

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """An interval that has its ends."""

    low: float
    high: float


def normal_quantile() -> float:
    """Give how many standard deviations to each side hold CONFIDENCE of a normal distribution (1.96)."""
    return float(ndtri((1 + CONFIDENCE) / 2))
