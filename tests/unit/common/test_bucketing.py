"""The bucket of a device: the contract's formula, and its statistics over very many devices."""

from hypothesis import given
from hypothesis import strategies as st

from common.bucketing import BUCKETS, bucket_of, hash_bound
from tests.offline_sdk.buckets import murmur3


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_bucket_is_the_contracts_formula(salt: str, device_id: str) -> None:
    assert bucket_of(salt, device_id) == (murmur3(f"{salt}:{device_id}".encode()) * 10_000) >> 32


@given(st.integers(0, BUCKETS), st.integers(0, 2**32 - 1), st.integers(-2, 2))
def test_a_hash_is_below_the_bound_just_when_its_bucket_is_inside(buckets: int, anywhere: int, near: int) -> None:
    bound = hash_bound(buckets)
    for drawn in (anywhere, (bound or 0) + near):
        hashed = min(max(drawn, 0), 2**32 - 1)
        assert (bound is None or hashed < bound) is ((hashed * BUCKETS) >> 32 < buckets)
