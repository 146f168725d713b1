"""How probable it is that a variant is better than the control: Beta-Binomial, with uniform priors.

Before any user, each rate from 0 to 1 is held equally probable, Beta(1, 1); after them it is distributed as
Beta(1 + conversions, 1 + others). The probability that one such rate exceeds another is integrated numerically, by the
same points each time, so the same counts always give the same figure.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, xlog1py, xlogy

from management_api.experiment_statistics.counts import Counts

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
