"""How much better a variant is than the control: the relative lift, and the interval in which it lies.

The interval is that of P. A. R. Koopman, "Confidence Intervals for the Ratio of Two Binomial Proportions", Biometrics
40 (1984): those ratios that a score test does not refuse. The usual one, by the logarithm of the ratio, has no answer
when nobody converted and a width of nothing when everybody did. At the ratio 1 the score test is the two-proportion
test, so the interval leaves out a lift of 0 exactly when the `p_value` is below 0.05.
"""

import math

from management_api.experiment_statistics.confidence import Interval, normal_quantile
from management_api.experiment_statistics.counts import Counts

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
