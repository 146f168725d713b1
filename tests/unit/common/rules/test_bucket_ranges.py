"""Which buckets a variant owns, and that a change of weights moves as few as can be (contract, section 5)."""

from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from common.rules.bucket_ranges import Allocation, allocate, reallocate, size_of
from common.rules.bucketing import BUCKETS

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
    """Give the owner of each bucket; fails unless each has exactly one."""
    owners: list[str | None] = [None] * BUCKETS
    for key, ranges in allocation.items():
        for start, end in ranges:
            assert owners[start:end] == [None] * (end - start)
            owners[start:end] = [key] * (end - start)
    return [owner for owner in owners if owner is not None]


def sizes(allocation: Allocation) -> Mapping[str, int]:
    return {key: size_of(ranges) for key, ranges in allocation.items()}


def test_a_first_allocation_is_one_range_each_in_the_order_of_the_variants() -> None:
    assert allocate({"a": 50, "b": 0, "c": 50}) == {"a": ((0, 5_000),), "b": (), "c": ((5_000, 10_000),)}


def test_a_variant_that_grows_takes_what_another_gives_up_and_keeps_its_own() -> None:
    assert reallocate(allocate({"a": 50, "b": 50}), {"a": 10, "b": 90}) == {"a": ((0, 1_000),), "b": ((1_000, 10_000),)}


@given(weightings())
def test_each_bucket_keeps_one_owner_and_each_variant_its_weight(
    steps: list[dict[str, int]],
) -> None:
    allocation = allocate(steps[0])
    for weights in steps:
        allocation = reallocate(allocation, weights)
        assert len(owners(allocation)) == BUCKETS
        assert sizes(allocation) == {key: weight * 100 for key, weight in weights.items()}


@given(weightings())
def test_half_the_sum_of_the_absolute_differences_moves_and_no_more(steps: list[dict[str, int]]) -> None:
    allocation = allocate(steps[0])
    for before, after in pairwise(steps):
        former = owners(allocation)
        allocation = reallocate(allocation, after)
        moved = sum(old != new for old, new in zip(former, owners(allocation), strict=True))
        assert moved == sum(abs(after[key] - before[key]) for key in before) * 100 // 2


@given(weightings())
def test_ranges_ascend_and_never_touch(steps: list[dict[str, int]]) -> None:
    allocation = allocate(steps[0])
    for weights in steps:
        allocation = reallocate(allocation, weights)
        for ranges in allocation.values():
            assert all(start < end for start, end in ranges)
            assert all(end < start for (_, end), (start, _) in pairwise(ranges))
