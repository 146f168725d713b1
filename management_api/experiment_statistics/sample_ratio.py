"""The check for a sample-ratio mismatch: whether the users of the variants fit their weights.

A fault that loses users of one variant (a flow that crashes, a client that reports late) makes every other figure
wrong, and shows first in how many users there are. The threshold is far below 0.05, because the check is made at every
look and a false alarm discards an experiment: A. Fabijan et al., "Diagnosing Sample Ratio Mismatch in Online Controlled
Experiments", KDD 2019.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import chdtrc

#: A p-value below it is a mismatch (contract, section 5).
MISMATCH_BELOW = 0.001
#: With fewer users there is no p-value.
MIN_USERS = 100


@dataclass(frozen=True, slots=True)
class SampleRatio:
    """The outcome; `p_value` is None when there are too few users, or fewer than two variants with a weight."""

    p_value: float | None

    @property
    def mismatch(self) -> bool:
        """Whether the result must not be trusted."""
        return self.p_value is not None and self.p_value < MISMATCH_BELOW


def check_sample_ratio(users: Sequence[int], weights: Sequence[int]) -> SampleRatio:
    """Compare the users of each variant with the weights, by a chi-square test.

    A variant without a weight is left out: its users have it from before.
    """
    pairs = [(count, weight) for count, weight in zip(users, weights, strict=True) if weight > 0]
    total, whole = sum(count for count, _ in pairs), sum(weight for _, weight in pairs)
    if total < MIN_USERS or len(pairs) < 2:  # noqa: PLR2004 - a share needs another one
        return SampleRatio(None)
    expected = [total * weight / whole for _, weight in pairs]
    statistic = sum((count - share) ** 2 / share for (count, _), share in zip(pairs, expected, strict=True))
    return SampleRatio(float(chdtrc(len(pairs) - 1, statistic)))
