"""How well the rate of one variant is known: Wilson's interval.

E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927). It lies within
0..1 and keeps close to its 95 % for small counts and for rates near 0 and 1, where the usual interval does not.
"""

import math

from management_api.experiment_statistics.confidence import Interval, normal_quantile
from management_api.experiment_statistics.counts import Counts


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
