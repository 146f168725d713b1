"""What a daily look does to an A/A test, and what the check of the shares finds, on experiments made by chance.

Short here; `make simulate` runs the long version (AA_TESTS) and shows the figures.
"""

import math
import os

import numpy as np
import pytest

from management_api.experiment_statistics.comparison import p_value, sequential_p_value
from management_api.experiment_statistics.sample_ratio import MIN_USERS, MISMATCH_BELOW, check_sample_ratio
from tests.unit.management_api.experiment_statistics.simulated_tests import (
    ALPHA,
    Population,
    share_decided,
    share_decided_at_the_end,
    simulate,
)

TESTS = int(os.environ.get("AA_TESTS", "300"))
#: Three standard errors of a share of ALPHA.
ERROR = 3 * math.sqrt(ALPHA * (1 - ALPHA) / TESTS)

POPULATIONS = {
    "half and half": Population(),
    "one in a hundred": Population(users_a_day=4000, share_of_treatment=0.01, rate=0.05),
    "rare conversions": Population(users_a_day=2000, rate=0.002),
    "nearly all convert": Population(rate=0.95),
    "few users for long": Population(users_a_day=20, days=60),
    "many users": Population(users_a_day=50_000),
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_daily_looks_keep_the_error_rate_of_the_sequential_test_only(
    name: str,
) -> None:
    tests = list(simulate(POPULATIONS[name], tests=TESTS, seed=20_261_121))
    sequential, peeking = share_decided(tests, sequential_p_value)[-1], share_decided(tests, p_value)[-1]
    once = share_decided_at_the_end(tests, p_value)
    print(  # noqa: T201 - figures are for reading
        f"\n{TESTS} A/A tests, {name}: sequential {sequential:.1%}, fixed at each look {peeking:.1%}, once {once:.1%}"
    )
    assert sequential <= ALPHA
    assert peeking > 2 * ALPHA
    assert once <= ALPHA + ERROR


def test_a_lift_that_is_there_is_found_before_the_end() -> None:
    tests = list(simulate(Population(users_a_day=1000, lift=0.2), tests=100, seed=7))
    assert share_decided(tests, sequential_p_value)[-1] > 0.95


def _share_mismatched(users: int, share: float, trials: int) -> float:
    source = np.random.default_rng(11)
    of_a = source.binomial(users, share, trials).tolist()
    return sum(check_sample_ratio([each, users - each], [50, 50]).mismatch for each in of_a) / trials


def test_a_share_that_is_off_by_one_per_cent_is_caught_at_100_000_users() -> None:
    caught = _share_mismatched(100_000, 0.51, TESTS)
    print(f"\nshares of 51 to 49 among 100,000 users: {caught:.1%} of {TESTS} caught")  # noqa: T201 - as above
    assert caught > 0.99


def test_expected_shares_are_rarely_rejected() -> None:
    refused = _share_mismatched(100_000, 0.5, 10 * TESTS)
    assert refused <= MISMATCH_BELOW + 3 * math.sqrt(MISMATCH_BELOW / (10 * TESTS))


def test_nothing_is_said_of_too_few_users_nor_of_variants_without_a_weight() -> None:
    assert check_sample_ratio([MIN_USERS - 1, 0], [50, 50]).p_value is None
    assert check_sample_ratio([MIN_USERS, 0], [50, 50]).mismatch
    assert check_sample_ratio([500, 500, 7], [50, 50, 0]).p_value == 1
    assert check_sample_ratio([500, 7], [100, 0]).p_value is None
