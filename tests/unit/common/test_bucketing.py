"""The documented bucketing, by vectors that any SDK can check."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.bucketing import BUCKETS, bucket_of, is_inside_rollout

VECTORS = [
    ("flow_1", "phone", 3633),
    ("flow_1", "tablet", 3857),
    ("exp_1:traffic:1", "phone", 2593),
    ("exp_1:variant:1", "ü😀", 9427),
    ("", "", 1685),
]


def murmur3_naively(data: bytes) -> int:
    """Compute MurmurHash3 x86 32-bit, seed 0, as its author's reference code does."""
    mask, state = 0xFFFFFFFF, 0

    def scrambled(block: int) -> int:
        block = block * 0xCC9E2D51 & mask
        block = (block << 15 | block >> 17) & mask
        return block * 0x1B873593 & mask

    body = len(data) - len(data) % 4
    for start in range(0, body, 4):
        state ^= scrambled(int.from_bytes(data[start : start + 4], "little"))
        state = (state << 13 | state >> 19) & mask
        state = (state * 5 + 0xE6546B64) & mask
    if body < len(data):
        state ^= scrambled(int.from_bytes(data[body:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & mask
    state = (state ^ state >> 13) * 0xC2B2AE35 & mask
    return state ^ state >> 16


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_bucket_is_the_contracts_formula(salt: str, device_id: str) -> None:
    assert bucket_of(salt, device_id) == (murmur3_naively(f"{salt}:{device_id}".encode()) * 10_000) >> 32


@pytest.mark.parametrize(("salt", "device_id", "bucket"), VECTORS)
def test_the_published_vectors_hold(salt: str, device_id: str, bucket: int) -> None:
    assert bucket_of(salt, device_id) == bucket


@given(st.text(min_size=1, max_size=20), st.integers(0, BUCKETS))
def test_a_growing_rollout_never_leaves_anyone_out(device_id: str, buckets: int) -> None:
    if is_inside_rollout("flow", buckets, device_id):
        assert is_inside_rollout("flow", BUCKETS, device_id)
    assert not is_inside_rollout("flow", 0, device_id)


def test_half_a_rollout_is_about_half_of_the_devices() -> None:
    inside = sum(is_inside_rollout("flow", 5_000, f"device-{number}") for number in range(10_000))
    assert 4_800 < inside < 5_200
