"""Waits between attempts."""

import pytest

from common.backoff import Backoff


def test_each_wait_is_about_twice_the_one_before() -> None:
    backoff = Backoff(first=1.0, limit=100.0)
    assert 0.5 <= backoff.next() <= 1.0
    assert 1.0 <= backoff.next() <= 2.0
    assert 2.0 <= backoff.next() <= 4.0


@pytest.mark.parametrize("failures", [10, 100, 5000])
def test_no_wait_is_longer_than_the_limit(failures: int) -> None:
    backoff = Backoff(first=1.0, limit=3.0)
    assert max(backoff.next() for _ in range(failures)) <= 3.0


def test_a_success_starts_again_from_the_first_wait() -> None:
    backoff = Backoff(first=1.0, limit=100.0)
    backoff.next()
    backoff.next()
    backoff.reset()
    assert backoff.next() <= 1.0
