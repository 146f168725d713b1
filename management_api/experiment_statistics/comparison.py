"""Comparison of a variant with the control: intervals, p-values and probabilities."""

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, ndtr, ndtri, xlog1py, xlogy


@dataclass(frozen=True, slots=True)
class Counts:
    """How many users a variant has, and how many of them converted (at most all)."""

    users: int
    conversions: int

    @property
    def rate(self) -> float | None:
        """The share of users who converted (0..1); None without users."""
        return self.conversions / self.users if self.users else None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.users + other.users, self.conversions + other.conversions)


CONFIDENCE = 0.95


class Interval(NamedTuple):
    """An interval that has its ends."""

    low: float
    high: float


def normal_quantile() -> float:
    """Give how many standard deviations to each side hold CONFIDENCE of a normal distribution (1.96)."""
    return float(ndtri((1 + CONFIDENCE) / 2))


# How well the rate of one variant is known: Wilson's interval.
# E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927). It lies within
# 0..1 and keeps close to its 95 % for small counts and for rates near 0 and 1, where the usual interval does not.


def rate_interval(counts: Counts) -> Interval | None:
    """Give the 95 % interval of the rate; None without users."""
    users, rate = counts.users, counts.rate
    if rate is None:
        return None
    z = normal_quantile()
    shrunk = 1 + z * z / users
    middle = (rate + z * z / (2 * users)) / shrunk
    half = z * math.sqrt(rate * (1 - rate) / users + z * z / (4 * users * users)) / shrunk
    # Rounding must not leave the rate outside, which the interval of nobody or of everybody touches.
    return Interval(max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate)))


# Whether two rates differ, judged once: the two-proportion z-test with pooled variance, two-sided.
# Right only when it is looked at one single time, which was chosen beforehand; `sequential.py` is for every other
# case.


def deviation(control: Counts, treatment: Counts) -> float:
    """Give the difference of the rates (treatment minus control) in its standard deviations, if there is none.

    Both must have users. When nobody or everybody converted, the rates are equal, and the deviation is 0.
    """
    pooled = (control + treatment).rate or 0.0
    variance = pooled * (1 - pooled) * (1 / control.users + 1 / treatment.users)
    difference = treatment.conversions / treatment.users - control.conversions / control.users
    return difference / math.sqrt(variance) if variance > 0 else 0.0


def p_value(control: Counts, treatment: Counts) -> float | None:
    """Give how probable so great a difference is when there is none; None without users on either side."""
    if not control.users or not treatment.users:
        return None
    return min(1.0, 2 * float(ndtr(-abs(deviation(control, treatment)))))


# How much better a variant is than the control: the relative lift, and the interval in which it lies.
# The interval is that of P. A. R. Koopman, "Confidence Intervals for the Ratio of Two Binomial Proportions",
# Biometrics 40 (1984): those ratios that a score test does not refuse. The usual one, by the logarithm of the ratio,
# has no answer when nobody converted and a width of nothing when everybody did. At the ratio 1 the score test is the
# two-proportion test, so the interval leaves out a lift of 0 exactly when the `p_value` is below 0.05.

#: Halvings of an interval of logarithms: more than a double can tell apart.
_HALVINGS = 80
#: A ratio that no number of users refuses when none of them converted.
_SMALLEST = 1e-15


def lift(control: Counts, treatment: Counts) -> float | None:
    """Give rate / control's rate - 1 (-1..); None without users, and over a control of which nobody converted."""
    rate, base = treatment.rate, control.rate
    if rate is None or not base:
        return None
    return rate / base - 1


def lift_interval(control: Counts, treatment: Counts) -> Interval | None:
    """Give the 95 % interval of the lift; None where there is no lift."""
    found = lift(control, treatment)
    if found is None:
        return None
    ratio, z = found + 1, normal_quantile()
    low = -1.0
    if ratio > 0:
        low = _ratio_at(z, control, treatment, inside=ratio, factor=0.5) - 1
    high = _ratio_at(z, control, treatment, inside=ratio or _SMALLEST, factor=2.0) - 1
    return Interval(min(low, found), max(high, found))


def _ratio_at(z: float, control: Counts, treatment: Counts, *, inside: float, factor: float) -> float:
    """Find the ratio at which the score is z to one side, outwards by the factor from one that is inside."""

    def is_refused(ratio: float) -> bool:
        return abs(_score(ratio, control, treatment)) > z

    while not is_refused(outside := inside * factor):
        inside = outside
    for _ in range(_HALVINGS):
        middle = math.sqrt(inside * outside)
        if is_refused(middle):
            outside = middle
        else:
            inside = middle
    return inside


def _score(ratio: float, control: Counts, treatment: Counts) -> float:
    """Give how many standard deviations the rates are from having that ratio, the deviation being as if they had it."""
    users, conversions = (control + treatment).users, (control + treatment).conversions
    # The control's likeliest rate when the ratio is that: a root of a quadratic, in the form that loses no digits.
    middle = ratio * (treatment.users + control.conversions) + treatment.conversions + control.users
    root = math.sqrt(max(0.0, middle * middle - 4 * users * ratio * conversions))
    base = min(1.0, 2 * conversions / (middle + root))
    rate = min(1.0, ratio * base)
    variance = rate * (1 - rate) / treatment.users + ratio * ratio * base * (1 - base) / control.users
    difference = treatment.conversions / treatment.users - ratio * control.conversions / control.users
    return difference / math.sqrt(variance) if variance > 0 else 0.0


# How probable it is that a variant is better than the control: Beta-Binomial, with uniform priors.
# Before any user, each rate from 0 to 1 is held equally probable, Beta(1, 1); after them it is distributed as Beta(1
# + conversions, 1 + others). The probability that one such rate exceeds another is integrated numerically, by the
# same points each time, so the same counts always give the same figure.

#: What lies beyond this quantile, on either side, cannot be seen in any figure.
_NEGLIGIBLE = 1e-13
#: The range between is integrated in so many equal parts, by so many points each.
_PARTS, _POINTS = 16, 16

Floats = NDArray[np.float64]


def probability_to_beat(control: Counts, treatment: Counts) -> float | None:
    """Give the probability that the treatment's true rate is above the control's; None without users on either side."""
    if not control.users or not treatment.users:
        return None
    one, other = _Posterior(treatment), _Posterior(control)
    # Over the narrower of the two, beside which the other one is smooth.
    below = other.below_draw_of(one) if one.variance <= other.variance else 1 - one.below_draw_of(other)
    return min(1.0, max(0.0, below))


class _Posterior:
    """What is known of a variant's rate."""

    def __init__(self, counts: Counts) -> None:
        self._a, self._b = 1.0 + counts.conversions, 1.0 + counts.users - counts.conversions
        total = self._a + self._b
        self.variance = self._a * self._b / (total * total * (total + 1))

    def below_draw_of(self, narrow: "_Posterior") -> float:
        """Give the probability that this rate is below that one."""
        points, weights = narrow.weighted()
        return float(np.dot(weights, betainc(self._a, self._b, points)))

    def weighted(self) -> tuple[Floats, Floats]:
        """Give rates, and weights that sum to 1."""
        low = float(betaincinv(self._a, self._b, _NEGLIGIBLE))
        high = 1 - float(betaincinv(self._b, self._a, _NEGLIGIBLE))
        places, lengths = _places()
        points = low + (high - low) * places
        density = np.exp(xlogy(self._a - 1, points) + xlog1py(self._b - 1, -points) - betaln(self._a, self._b))
        weights = lengths * density
        return points, weights / weights.sum()


@cache
def _places() -> tuple[Floats, Floats]:
    """Give the points of Gauss and Legendre in all parts of 0..1, and how much of it each stands for."""
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    starts = np.arange(_PARTS)[:, np.newaxis]
    return ((starts + (points + 1) / 2) / _PARTS).ravel(), np.tile(weights / 2 / _PARTS, _PARTS)


# Whether two rates differ, judged as often as anybody likes: an always-valid p-value by a mixture likelihood ratio.
# See R. Johari, P. Koomen, L. Pekelis, D. Walsh, "Always Valid Inference: Continuous Monitoring of A/B Tests",
# Operations Research 70 (2022), after H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm"
# (1970). With n = 1 / (1 / control's users + 1 / treatment's users), the difference of two rates that are equal, in
# its standard deviations z and times the root of n, moves like a Brownian motion in n. Its likelihood ratio against
# 0, averaged over true differences that are normally distributed around 0, ratio = (1 + d n) ** -0.5 * exp(z ** 2 / 2
# * d n / (1 + d n)), d = MIXING_DEVIATION ** 2, is a martingale of mean 1, and by Ville's inequality the probability
# that it EVER reaches 1 / alpha is at most alpha. So 1 / ratio is a p-value whenever it is looked at, whatever made
# somebody look or stop, and no memory of former looks is needed. Counts are far from normal while conversions (or
# their absence) are rare; until there are enough of both to be expected in both variants, nothing is told.

#: The standard deviation of the mixture, in standard deviations of one user's outcome. It decides nothing about how
#: often the test is wrong, only at which size it is sharpest: here at some 1,700 users a variant, where a difference is
#: told at 3.0 standard deviations; at 100 users it takes 4.4, at 100,000 users 3.5.
MIXING_DEVIATION = 0.1

#: So many who converted, and who did not, are to be expected in each of both variants before a difference is told.
FEWEST_EXPECTED = 5


def sequential_p_value(control: Counts, treatment: Counts, *, comparisons: int = 1) -> float | None:
    """Give an always-valid p-value; None without users on either side.

    `comparisons` is how many variants are compared with the control. Whoever stops at the first of them that is below
    0.05 is wrong in at most 5 % of experiments all the same, because each is multiplied by their number (Bonferroni).
    """
    if not control.users or not treatment.users:
        return None
    both = control + treatment
    fewest = min(both.conversions, both.users - both.conversions) * min(control.users, treatment.users) / both.users
    if fewest < FEWEST_EXPECTED:
        return 1.0
    size = MIXING_DEVIATION**2 / (1 / control.users + 1 / treatment.users)
    log_ratio = deviation(control, treatment) ** 2 / 2 * size / (1 + size) - math.log1p(size) / 2
    return min(1.0, comparisons * math.exp(-log_ratio))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figures of a variant against the control; None where there are no users to speak of."""

    lift: float | None = None
    lift_interval: Interval | None = None
    p_value: float | None = None
    sequential_p_value: float | None = None
    probability_to_beat_control: float | None = None


#: The control is not compared with itself.
NO_COMPARISON = Comparison()


def compare(control: Counts, treatment: Counts, *, comparisons: int) -> Comparison:
    """Compare a variant with the control; `comparisons` is how many variants are."""
    return Comparison(
        lift=lift(control, treatment),
        lift_interval=lift_interval(control, treatment),
        p_value=p_value(control, treatment),
        sequential_p_value=sequential_p_value(control, treatment, comparisons=comparisons),
        probability_to_beat_control=probability_to_beat(control, treatment),
    )
