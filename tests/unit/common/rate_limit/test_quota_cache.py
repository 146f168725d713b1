"""A worker's cache of quotas is bounded and keeps the keys in use."""

from common.rate_limit.limiter import QuotaCache
from common.rate_limit.quotas import LocalQuota, RateLimitKey


def key(name: str) -> RateLimitKey:
    """Return a key with a limit of 10."""
    return (10, name)


def unused_quota(name: str) -> LocalQuota:
    return LocalQuota(key(name), 10, window=1, resets_at=7200, unreserved=10, credit=1)


def test_flood_of_new_keys_is_bounded_and_keeps_keys_in_use() -> None:
    cache = QuotaCache(100)
    regulars = [f"regular {number}" for number in range(50)]
    for name in regulars:
        cache.put(key(name), unused_quota(name))
        cache.get(key(name))
    for number in range(10_000):
        cache.put(key(f"new {number}"), unused_quota(f"new {number}"))
    assert len(cache) <= 100
    assert all(cache.get(key(name)) is not None for name in regulars)


def test_put_returns_the_evicted_quota() -> None:
    cache = QuotaCache(10)
    evicted = [cache.put(key(str(number)), unused_quota(str(number))) for number in range(4)]
    assert [None if quota is None else quota.key for quota in evicted] == [None, None, (10, "0"), (10, "1")]


def test_keys_in_use_are_bounded() -> None:
    cache = QuotaCache(10)
    for number in range(100):
        cache.put(key(str(number)), unused_quota(str(number)))
        cache.get(key(str(number)))
    assert len(cache) <= 10
    assert cache.get(key("99")) is not None


def test_quota_of_a_new_window_replaces_the_former_one() -> None:
    cache = QuotaCache(10)
    cache.put(key("a"), unused_quota("a"))
    assert cache.get(key("a")) is not None
    later = LocalQuota(key("a"), 10, window=2, resets_at=10800, unreserved=10, credit=1)
    cache.put(key("a"), later)
    assert cache.get(key("a")) is later
    assert len(cache) == 1
