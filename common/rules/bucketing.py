"""Which of 10,000 buckets a device falls into (contract, section 5, Bucketing)."""

import mmh3

BUCKETS = 10_000


def bucket_of(salt: str, device_id: str) -> int:
    """Give the bucket 0..9999: MurmurHash3 x86 32-bit, seed 0, of the UTF-8 bytes of `salt:device_id`."""
    return (mmh3.hash(f"{salt}:{device_id}".encode(), 0, signed=False) * BUCKETS) >> 32


def hash_threshold(buckets: int) -> int | None:
    """Give the least hash that is outside the first so many buckets; None when they are all.

    To compare hashes saves turning each into a bucket: hash * 10000 >> 32 < buckets just when hash < this.
    """
    return None if buckets >= BUCKETS else -(-(buckets << 32) // BUCKETS)


def traffic_salt(experiment_id: str, salt_version: int) -> str:
    """Give the salt that decides whether a device is in an experiment's traffic."""
    return f"{experiment_id}:traffic:{salt_version}"


def variant_salt(experiment_id: str, salt_version: int) -> str:
    """Give the salt that decides which variant of an experiment a device gets."""
    return f"{experiment_id}:variant:{salt_version}"
