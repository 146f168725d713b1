"""Which of 10,000 buckets a device falls into (contract, section 5, Bucketing)."""

import mmh3

BUCKETS = 10_000


def bucket_of(salt: str, device_id: str) -> int:
    """Give the bucket 0..9999: MurmurHash3 x86 32-bit, seed 0, of the UTF-8 bytes of `salt:device_id`."""
    return (mmh3.hash(f"{salt}:{device_id}".encode(), 0, signed=False) * BUCKETS) >> 32


def is_inside_rollout(flow_id: str, rollout_buckets: int, device_id: str) -> bool:
    """Tell whether a flow's rollout of so many buckets (its percentage x 100) includes the device."""
    return bucket_of(flow_id, device_id) < rollout_buckets


def traffic_salt(experiment_id: str, salt_version: int) -> str:
    """Give the salt that decides whether a device is in an experiment's traffic."""
    return f"{experiment_id}:traffic:{salt_version}"


def variant_salt(experiment_id: str, salt_version: int) -> str:
    """Give the salt that decides which variant of an experiment a device gets."""
    return f"{experiment_id}:variant:{salt_version}"
