"""Whether two rates differ, judged once: the two-proportion z-test with pooled variance, two-sided.

Right only when it is looked at one single time, which was chosen beforehand; `sequential.py` is for every other case.
"""

import math

from scipy.special import ndtr

from management_api.experiment_statistics.counts import Counts


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
