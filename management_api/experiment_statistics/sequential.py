"""Whether two rates differ, judged as often as anybody likes: an always-valid p-value by a mixture likelihood ratio.

R. Johari, P. Koomen, L. Pekelis, D. Walsh, "Always Valid Inference: Continuous Monitoring of A/B Tests", Operations
Research 70 (2022), after H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm" (1970). With
n = 1 / (1 / control's users + 1 / treatment's users), the difference of two rates that are equal, in its standard
deviations z and times the root of n, moves like a Brownian motion in n. Its likelihood ratio against 0, averaged over
true differences that are normally distributed around 0,

    ratio = (1 + d n) ** -0.5 * exp(z ** 2 / 2 * d n / (1 + d n)),     d = MIXING_DEVIATION ** 2,

is a martingale of mean 1, and by Ville's inequality the probability that it EVER reaches 1 / alpha is at most alpha.
So 1 / ratio is a p-value whenever it is looked at, whatever made somebody look or stop, and no memory of former looks
is needed. Counts are far from normal while conversions (or their absence) are rare; until there are enough of both to
be expected in both variants, nothing is told.
"""

import math

from management_api.experiment_statistics.counts import Counts
from management_api.experiment_statistics.two_proportions import deviation

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
