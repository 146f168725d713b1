"""Buckets of devices: formula and statistics. Buckets of variants: changes of weights (contract, section 5)."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import chdtri

from common.rules.bucketing import (
    BUCKETS,
    Allocation,
    allocate,
    bucket_of,
    count_buckets,
    hash_threshold,
    reallocate,
    traffic_salt,
    variant_salt,
)
from tests.support.offline_sdk.buckets import murmur3


@given(st.text(max_size=40), st.text(max_size=40))
def test_bucket_follows_formula_of_contract(salt: str, device_id: str) -> None:
    assert bucket_of(salt, device_id) == (murmur3(f"{salt}:{device_id}".encode()) * 10_000) >> 32


@given(st.integers(0, BUCKETS), st.integers(0, 2**32 - 1), st.integers(-2, 2))
def test_hash_is_below_threshold_exactly_when_bucket_is_inside(buckets: int, anywhere: int, near: int) -> None:
    threshold = hash_threshold(buckets)
    for drawn in (anywhere, (threshold or 0) + near):
        hashed = min(max(drawn, 0), 2**32 - 1)
        assert (threshold is None or hashed < threshold) is ((hashed * BUCKETS) >> 32 < buckets)


DEVICES = 1_000_000
CELLS = 100
#: A chi-square of this many degrees of freedom exceeds this by chance once in a million times; the ids are fixed.
BOUND = float(chdtri(CELLS - 1, 1e-6))


def chi_square(cells: NDArray[np.int64]) -> float:
    """Return the chi-square statistic of the cells against a uniform distribution."""
    counts = np.bincount(cells, minlength=CELLS)
    return float(((counts - counts.mean()) ** 2).sum() / counts.mean())


@pytest.fixture(scope="module")
def ids() -> list[str]:
    source = Random(7)
    return [f"{source.getrandbits(64):016x}" for _ in range(DEVICES)]


def hundredths(salt: str, ids: list[str]) -> NDArray[np.int64]:
    """Return in which hundredth of the buckets each device is."""
    return np.fromiter((bucket_of(salt, device) for device in ids), np.int64, len(ids)) // CELLS


def test_million_devices_are_distributed_evenly(ids: list[str]) -> None:
    assert chi_square(hundredths("flow_1", ids)) < BOUND
    numbered = [f"device-{number}" for number in range(DEVICES // 4)]
    assert chi_square(hundredths("flow_1", numbered)) < BOUND


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (traffic_salt("exp_1", 1), variant_salt("exp_1", 1)),
        (variant_salt("exp_1", 1), variant_salt("exp_2", 1)),
        (variant_salt("exp_1", 1), variant_salt("exp_1", 2)),
        (traffic_salt("exp_1", 1), "flow_1"),
    ],
    ids=["traffic and variant", "two experiments", "before and after a reset", "traffic and rollout"],
)
def test_buckets_of_two_salts_are_independent(ids: list[str], first: str, second: str) -> None:
    sample = ids[: DEVICES // 4]
    tenths = hundredths(first, sample) // 10 * 10 + hundredths(second, sample) // 10
    assert chi_square(tenths) < BOUND


KEYS = "abcdefghij"


@st.composite
def weightings(draw: st.DrawFn) -> list[dict[str, int]]:
    """Draw up to six weightings of the same variants; each sums to 100."""
    variants = draw(st.integers(2, 10))
    cuts = st.lists(st.integers(0, 100), min_size=variants - 1, max_size=variants - 1).map(sorted)
    return [
        {key: high - low for key, low, high in zip(KEYS, [0, *cut], [*cut, 100], strict=False)}
        for cut in draw(st.lists(cuts, min_size=1, max_size=6))
    ]


def owners(allocation: Allocation) -> list[str]:
    """Return the owner of each bucket; fails unless each has exactly one."""
    owners: list[str | None] = [None] * BUCKETS
    for key, ranges in allocation.items():
        for start, end in ranges:
            assert owners[start:end] == [None] * (end - start)
            owners[start:end] = [key] * (end - start)
    return [owner for owner in owners if owner is not None]


def sizes(allocation: Allocation) -> Mapping[str, int]:
    return {key: count_buckets(ranges) for key, ranges in allocation.items()}


def test_first_allocation_is_one_range_for_each_variant() -> None:
    assert allocate({"a": 50, "b": 0, "c": 50}) == {"a": ((0, 5_000),), "b": (), "c": ((5_000, 10_000),)}


def test_growing_variant_keeps_its_buckets_and_takes_freed_ones() -> None:
    assert reallocate(allocate({"a": 50, "b": 50}), {"a": 10, "b": 90}) == {"a": ((0, 1_000),), "b": ((1_000, 10_000),)}


@given(weightings())
def test_each_bucket_has_one_owner_and_each_variant_its_weight(
    steps: list[dict[str, int]],
) -> None:
    allocation = allocate(steps[0])
    for weights in steps:
        allocation = reallocate(allocation, weights)
        assert len(owners(allocation)) == BUCKETS
        assert sizes(allocation) == {key: weight * 100 for key, weight in weights.items()}


@given(weightings())
def test_change_of_weights_moves_half_of_absolute_differences(steps: list[dict[str, int]]) -> None:
    allocation = allocate(steps[0])
    for before, after in pairwise(steps):
        former = owners(allocation)
        allocation = reallocate(allocation, after)
        moved = sum(old != new for old, new in zip(former, owners(allocation), strict=True))
        assert moved == sum(abs(after[key] - before[key]) for key in before) * 100 // 2


@given(weightings())
def test_ranges_ascend_without_touching(steps: list[dict[str, int]]) -> None:
    allocation = allocate(steps[0])
    for weights in steps:
        allocation = reallocate(allocation, weights)
        for ranges in allocation.values():
            assert all(start < end for start, end in ranges)
            assert all(end < start for (_, end), (start, _) in pairwise(ranges))
