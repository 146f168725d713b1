"""Bucketing: the bucket of a device, of 10,000, and the buckets that each variant owns (contract, section 5).

A variant owns half-open ranges of buckets. A change of weights takes buckets only from variants that shrink and gives
them only to variants that grow: half the sum of the absolute differences moves. No allocation can move fewer, because
every bucket that a growing variant gains comes from one that shrinks.
"""

from collections.abc import Iterable, Mapping

import mmh3

BUCKETS = 10_000
#: Weights are per cent.
BUCKETS_PER_WEIGHT = BUCKETS // 100

#: Buckets from the first up to, but without, the second.
BucketRange = tuple[int, int]
#: By the key of the variant, in the order of the variants: ascending ranges that do not touch.
Allocation = Mapping[str, tuple[BucketRange, ...]]


def bucket_of(salt: str, device_id: str) -> int:
    """Return the bucket 0..9999: MurmurHash3 x86 32-bit, seed 0, of the UTF-8 bytes of `salt:device_id`."""
    return (mmh3.hash(f"{salt}:{device_id}".encode(), 0, signed=False) * BUCKETS) >> 32


def hash_threshold(buckets: int) -> int | None:
    """Return the lowest hash outside the first `buckets` buckets; None when they are all.

    `hash * 10000 >> 32 < buckets` is the same as `hash < threshold`, which saves computing the bucket.
    """
    return None if buckets >= BUCKETS else -(-(buckets << 32) // BUCKETS)


def traffic_salt(experiment_id: str, salt_version: int) -> str:
    """Return the salt that decides whether a device is in an experiment's traffic."""
    return f"{experiment_id}:traffic:{salt_version}"


def variant_salt(experiment_id: str, salt_version: int) -> str:
    """Return the salt that decides which variant of an experiment a device gets."""
    return f"{experiment_id}:variant:{salt_version}"


def allocate(weights: Mapping[str, int]) -> Allocation:
    """Return one range for each variant, as long as its weight (per cent; they sum to 100), in the variants' order."""
    allocation: dict[str, tuple[BucketRange, ...]] = {}
    start = 0
    for key, weight in weights.items():
        end = start + weight * BUCKETS_PER_WEIGHT
        allocation[key] = ((start, end),) if end > start else ()
        start = end
    return allocation


def reallocate(present: Allocation, weights: Mapping[str, int]) -> Allocation:
    """Return the allocation of other weights to the same variants that moves the fewest buckets.

    A variant that shrinks loses its highest buckets; those that grow take the lowest free ones, in the variants' order.
    The result depends only on the arguments.
    """
    kept: dict[str, list[BucketRange]] = {}
    freed: list[BucketRange] = []
    for key, weight in weights.items():
        kept[key], lost = _split(present[key], weight * BUCKETS_PER_WEIGHT)
        freed += lost
    freed.sort()
    for key, weight in weights.items():
        taken, freed = _split(freed, weight * BUCKETS_PER_WEIGHT - count_buckets(kept[key]))
        kept[key] += taken
    return {key: _merge(ranges) for key, ranges in kept.items()}


def count_buckets(ranges: Iterable[BucketRange]) -> int:
    """Return the number of buckets in the ranges."""
    return sum(end - start for start, end in ranges)


def _split(ranges: Iterable[BucketRange], buckets: int) -> tuple[list[BucketRange], list[BucketRange]]:
    """Divide ascending ranges into the lowest `buckets` buckets, or all if there are fewer, and the rest."""
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


def _merge(ranges: Iterable[BucketRange]) -> tuple[BucketRange, ...]:
    """Sort ranges and join those that touch."""
    merged: list[BucketRange] = []
    for start, end in sorted(ranges):
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)
