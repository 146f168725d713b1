"""The bucket of a device: the contract's formula, and its statistics over very many devices."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import chdtri

from common.rules.bucketing import BUCKETS, bucket_of, hash_threshold, traffic_salt, variant_salt
from tests.offline_sdk.buckets import murmur3


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_bucket_is_the_contracts_formula(salt: str, device_id: str) -> None:
    assert bucket_of(salt, device_id) == (murmur3(f"{salt}:{device_id}".encode()) * 10_000) >> 32


@given(st.integers(0, BUCKETS), st.integers(0, 2**32 - 1), st.integers(-2, 2))
def test_a_hash_is_below_the_bound_just_when_its_bucket_is_inside(buckets: int, anywhere: int, near: int) -> None:
    bound = hash_threshold(buckets)
    for drawn in (anywhere, (bound or 0) + near):
        hashed = min(max(drawn, 0), 2**32 - 1)
        assert (bound is None or hashed < bound) is ((hashed * BUCKETS) >> 32 < buckets)


DEVICES = 1_000_000
CELLS = 100
#: A chi-square of this many degrees of freedom exceeds this by chance once in a million times; the ids are fixed.
BOUND = float(chdtri(CELLS - 1, 1e-6))


def chi_square(cells: NDArray[np.int64]) -> float:
    """Say how far the cells are from holding all alike."""
    counts = np.bincount(cells, minlength=CELLS)
    return float(((counts - counts.mean()) ** 2).sum() / counts.mean())


@pytest.fixture(scope="module")
def ids() -> list[str]:
    """Give the ids of a million devices."""
    source = Random(7)
    return [f"{source.getrandbits(64):016x}" for _ in range(DEVICES)]


def hundredths(salt: str, ids: list[str]) -> NDArray[np.int64]:
    """Give in which hundredth of the buckets each device is."""
    return np.fromiter((bucket_of(salt, device) for device in ids), np.int64, len(ids)) // CELLS


def test_a_million_devices_fall_into_the_buckets_evenly(ids: list[str]) -> None:
    assert chi_square(hundredths("flow_1", ids)) < BOUND
    numbered = [f"device-{number}" for number in range(DEVICES // 4)]
    assert chi_square(hundredths("flow_1", numbered)) < BOUND


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (traffic_salt("exp_1", 1), variant_salt("exp_1", 1)),
        (variant_salt("exp_1", 1), variant_salt("exp_2", 1)),
        (variant_salt("exp_1", 1), variant_salt("exp_1", 2)),
        (traffic_salt("exp_1", 1), "flow_1"),
    ],
    ids=["traffic and variant", "two experiments", "before and after a reset", "traffic and rollout"],
)
def test_two_salts_are_independent(ids: list[str], one: str, other: str) -> None:
    some = ids[: DEVICES // 4]
    tenths = hundredths(one, some) // 10 * 10 + hundredths(other, some) // 10
    assert chi_square(tenths) < BOUND
