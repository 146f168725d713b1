"""Which variant owns which of the 10,000 buckets, and how few devices move when weights change (contract, section 5).

Each variant owns ranges of buckets, half open. A change of weights takes buckets only from the variants that shrink
and gives them only to those that grow: half the sum of the absolute differences moves, and no allocation of the new
weights can move fewer, because every bucket that a growing variant gains has to come from one that shrinks.
"""

from collections.abc import Iterable, Mapping

from common.rules.bucketing import BUCKETS

#: Buckets from the first up to, but without, the second.
BucketRange = tuple[int, int]
#: By the key of the variant, in the order of the variants: ranges that ascend and do not touch.
Allocation = Mapping[str, tuple[BucketRange, ...]]

#: Weights are per cent.
BUCKETS_PER_WEIGHT = BUCKETS // 100


def allocate(weights: Mapping[str, int]) -> Allocation:
    """Give each variant one range as long as its weight (per cent; they sum to 100), in the order of the variants."""
    allocation: dict[str, tuple[BucketRange, ...]] = {}
    start = 0
    for key, weight in weights.items():
        end = start + weight * BUCKETS_PER_WEIGHT
        allocation[key] = ((start, end),) if end > start else ()
        start = end
    return allocation


def reallocate(present: Allocation, weights: Mapping[str, int]) -> Allocation:
    """Give the allocation of other weights to the same variants that moves the fewest buckets.

    A variant that shrinks loses its highest buckets; those that grow take the lowest that are free, in their order.
    The outcome depends on the arguments alone.
    """
    kept: dict[str, list[BucketRange]] = {}
    freed: list[BucketRange] = []
    for key, weight in weights.items():
        kept[key], lost = _split(present[key], weight * BUCKETS_PER_WEIGHT)
        freed += lost
    freed.sort()
    for key, weight in weights.items():
        taken, freed = _split(freed, weight * BUCKETS_PER_WEIGHT - size_of(kept[key]))
        kept[key] += taken
    return {key: _merged(ranges) for key, ranges in kept.items()}


def size_of(ranges: Iterable[BucketRange]) -> int:
    """Count the buckets."""
    return sum(end - start for start, end in ranges)


def _split(ranges: Iterable[BucketRange], buckets: int) -> tuple[list[BucketRange], list[BucketRange]]:
    """Part ascending ranges into the lowest so many buckets, or all if there are fewer, and the rest."""
    low: list[BucketRange] = []
    high: list[BucketRange] = []
    for start, end in ranges:
        cut = min(end, start + buckets)
        if cut > start:
            low.append((start, cut))
        if cut < end:
            high.append((cut, end))
        buckets -= cut - start
    return low, high


def _merged(ranges: Iterable[BucketRange]) -> tuple[BucketRange, ...]:
    """Sort ranges and make one of those that touch."""
    merged: list[BucketRange] = []
    for start, end in sorted(ranges):
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)
