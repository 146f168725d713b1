"""Comparison of a variant with the control: intervals, p-values and probabilities."""

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, ndtr, ndtri, xlog1py, xlogy

from management_api.experiment_statistics.counts import Counts

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A closed interval."""

    low: float
    high: float


def normal_quantile() -> float:
    """Return the standard deviations to each side that hold CONFIDENCE of a normal distribution (1.96)."""
    return float(ndtri((1 + CONFIDENCE) / 2))


def rate_interval(counts: Counts) -> Interval | None:
    """Return Wilson's 95 % interval of the rate; None without users.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927). It lies
    within 0..1 and keeps close to its 95 % for small counts and for rates near 0 and 1, where the usual interval does
    not.
    """
    users, rate = counts.users, counts.rate
    if rate is None:
        return None
    z = normal_quantile()
    shrunk = 1 + z * z / users
    middle = (rate + z * z / (2 * users)) / shrunk
    half = z * math.sqrt(rate * (1 - rate) / users + z * z / (4 * users * users)) / shrunk
    # Rounding must not leave out the rate: without or with only conversions it is an end of the interval.
    return Interval(max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate)))


def deviation(control: Counts, treatment: Counts) -> float:
    """Return the difference of the rates (treatment minus control) in its standard deviations under equal rates.

    Both must have users. When no user or every user converted, the rates are equal, and the deviation is 0.
    """
    pooled = (control + treatment).rate or 0.0
    variance = pooled * (1 - pooled) * (1 / control.users + 1 / treatment.users)
    difference = treatment.conversions / treatment.users - control.conversions / control.users
    return difference / math.sqrt(variance) if variance > 0 else 0.0


def p_value(control: Counts, treatment: Counts) -> float | None:
    """Return the p-value of the two-sided two-proportion z-test with pooled variance; None without users on a side.

    It is valid only for a single look, at a time that was chosen beforehand; `sequential_p_value` is for all others.
    """
    if not control.users or not treatment.users:
        return None
    return min(1.0, 2 * float(ndtr(-abs(deviation(control, treatment)))))


#: Halvings of an interval of logarithms: beyond the precision of a double.
_HALVINGS = 80
#: A ratio that the test accepts for any number of users if none of them converted.
_SMALLEST = 1e-15


def lift(control: Counts, treatment: Counts) -> float | None:
    """Return rate / control's rate - 1 (-1..); None without users or without conversions of the control."""
    rate, base = treatment.rate, control.rate
    if rate is None or not base:
        return None
    return rate / base - 1


def lift_interval(control: Counts, treatment: Counts) -> Interval | None:
    """Return Koopman's 95 % interval of the lift; None where there is no lift.

    P. A. R. Koopman, "Confidence Intervals for the Ratio of Two Binomial Proportions", Biometrics 40 (1984): the
    ratios that a score test accepts. The usual interval, by the logarithm of the ratio, does not exist without
    conversions, and has no width when all users converted. At the ratio 1 the score test is the two-proportion test, so
    the interval leaves out a lift of 0 exactly when `p_value` is below 0.05.
    """
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
    """Return the distance of the rates from that ratio, in the standard deviations that hold under it."""
    users, conversions = (control + treatment).users, (control + treatment).conversions
    # The control's likeliest rate when the ratio is that: a root of a quadratic, in the form that loses no digits.
    middle = ratio * (treatment.users + control.conversions) + treatment.conversions + control.users
    root = math.sqrt(max(0.0, middle * middle - 4 * users * ratio * conversions))
    base = min(1.0, 2 * conversions / (middle + root))
    rate = min(1.0, ratio * base)
    variance = rate * (1 - rate) / treatment.users + ratio * ratio * base * (1 - base) / control.users
    difference = treatment.conversions / treatment.users - ratio * control.conversions / control.users
    return difference / math.sqrt(variance) if variance > 0 else 0.0


#: The integral leaves out both tails beyond this quantile; they change no digit of the result.
_NEGLIGIBLE = 1e-13
#: Equal parts of the range between, and points in each part.
_PARTS, _POINTS = 16, 16

Floats = NDArray[np.float64]


def probability_to_beat(control: Counts, treatment: Counts) -> float | None:
    """Return the probability that the treatment's true rate is above the control's; None without users on a side.

    Beta-Binomial with uniform priors: a rate is distributed as Beta(1 + conversions, 1 + other users). The integral
    uses the same points each time, so equal counts have equal results.
    """
    if not control.users or not treatment.users:
        return None
    better, base = _Posterior(treatment), _Posterior(control)
    # The integral runs over the narrower distribution, beside which the other one is smooth.
    below = base.below_draw_of(better) if better.variance <= base.variance else 1 - better.below_draw_of(base)
    return min(1.0, max(0.0, below))


class _Posterior:
    """The distribution of a variant's rate, given its counts."""

    def __init__(self, counts: Counts) -> None:
        self._a, self._b = 1.0 + counts.conversions, 1.0 + counts.users - counts.conversions
        total = self._a + self._b
        self.variance = self._a * self._b / (total * total * (total + 1))

    def below_draw_of(self, narrow: "_Posterior") -> float:
        """Return the probability that this rate is below a rate of the other distribution."""
        points, weights = narrow.weighted()
        return float(np.dot(weights, betainc(self._a, self._b, points)))

    def weighted(self) -> tuple[Floats, Floats]:
        """Return rates, and weights that sum to 1."""
        low = float(betaincinv(self._a, self._b, _NEGLIGIBLE))
        high = 1 - float(betaincinv(self._b, self._a, _NEGLIGIBLE))
        places, lengths = _places()
        points = low + (high - low) * places
        density = np.exp(xlogy(self._a - 1, points) + xlog1py(self._b - 1, -points) - betaln(self._a, self._b))
        weights = lengths * density
        return points, weights / weights.sum()


@cache
def _places() -> tuple[Floats, Floats]:
    """Return the Gauss-Legendre points of all parts of 0..1, and their weights."""
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    starts = np.arange(_PARTS)[:, np.newaxis]
    return ((starts + (points + 1) / 2) / _PARTS).ravel(), np.tile(weights / 2 / _PARTS, _PARTS)


#: The standard deviation of the mixture, in standard deviations of one user's outcome. It does not change the rate of
#: false positives, only the size at which the test is most powerful: some 1,700 users a variant, where a difference is
#: significant at 3.0 standard deviations; at 100 users it takes 4.4, at 100,000 users 3.5.
MIXING_DEVIATION = 0.1

#: Both variants must expect so many conversions, and so many users without one, before the p-value is below 1.
MIN_EXPECTED = 5


def sequential_p_value(control: Counts, treatment: Counts, *, comparisons: int = 1) -> float | None:
    """Return an always-valid p-value, for any number of looks; None without users on a side.

    `comparisons` is the number of variants that are compared with the control. The p-value is multiplied by it
    (Bonferroni), so stopping at the first variant below 0.05 is wrong in at most 5 % of experiments.

    A mixture likelihood ratio: R. Johari, P. Koomen, L. Pekelis, D. Walsh, "Always Valid Inference: Continuous
    Monitoring of A/B Tests", Operations Research 70 (2022), after H. Robbins, "Statistical Methods Related to the Law
    of the Iterated Logarithm" (1970). With n = 1 / (1 / control's users + 1 / treatment's users), the difference of two
    equal rates, in its standard deviations z and times the root of n, moves like a Brownian motion in n. Its likelihood
    ratio against 0, averaged over true differences that are normally distributed around 0,
    ratio = (1 + d n) ** -0.5 * exp(z ** 2 / 2 * d n / (1 + d n)) with d = MIXING_DEVIATION ** 2, is a martingale of
    mean 1. By Ville's inequality the probability that it ever reaches 1 / alpha is at most alpha. So 1 / ratio is a
    p-value at every look, for any reason to look or to stop, and independent of former looks. Counts are far from
    normal while conversions (or their absence) are rare; until enough of both are expected, the p-value is 1.
    """
    if not control.users or not treatment.users:
        return None
    both = control + treatment
    smallest = min(both.conversions, both.users - both.conversions) * min(control.users, treatment.users) / both.users
    if smallest < MIN_EXPECTED:
        return 1.0
    size = MIXING_DEVIATION**2 / (1 / control.users + 1 / treatment.users)
    log_ratio = deviation(control, treatment) ** 2 / 2 * size / (1 + size) - math.log1p(size) / 2
    return min(1.0, comparisons * math.exp(-log_ratio))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a variant with the control; a value that does not exist is None."""

    lift: float | None = None
    lift_interval: Interval | None = None
    p_value: float | None = None
    sequential_p_value: float | None = None
    probability_to_beat_control: float | None = None


#: The control is not compared with itself.
NO_COMPARISON = Comparison()


def compare(control: Counts, treatment: Counts, *, comparisons: int) -> Comparison:
    """Compare a variant with the control; `comparisons` is the number of variants that are compared."""
    return Comparison(
        lift=lift(control, treatment),
        lift_interval=lift_interval(control, treatment),
        p_value=p_value(control, treatment),
        sequential_p_value=sequential_p_value(control, treatment, comparisons=comparisons),
        probability_to_beat_control=probability_to_beat(control, treatment),
    )


#: The probability to find the lift if it is there.
POWER = 0.8


def users_to_find_lift(rate: float, lift: float) -> int | None:
    """Return the users that each of two variants needs for a lift of a rate; None where the formula has no answer.

    J. L. Fleiss, "Statistical Methods for Rates and Proportions": two-sided test of two proportions with pooled
    variance, at the level 1 - CONFIDENCE.
    """
    other = rate * (1 + lift)
    if not 0 < rate < 1 or not 0 < other < 1 or rate == other:
        return None
    middle = (rate + other) / 2
    under_equal = normal_quantile() * math.sqrt(2 * middle * (1 - middle))
    under_lift = float(ndtri(POWER)) * math.sqrt(rate * (1 - rate) + other * (1 - other))
    return math.ceil(((under_equal + under_lift) / (other - rate)) ** 2)
