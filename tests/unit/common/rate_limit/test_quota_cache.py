"""A worker's memory of keys is bounded, and strangers do not push out those in use."""

from common.rate_limit.leases import LocalQuota
from common.rate_limit.quota_cache import QuotaCache


def an_allowance(name: str) -> LocalQuota:
    """Give an allowance of which nothing is used."""
    return LocalQuota(name, 10, window=1, resets_at=7200, unleased=10)


def test_a_flood_of_strangers_is_bounded_and_leaves_those_in_use() -> None:
    memory = QuotaCache(100)
    regulars = [f"regular {number}" for number in range(50)]
    for name in regulars:
        memory.keep(name, an_allowance(name))
        memory.use(name)
    for number in range(10_000):
        memory.keep(f"stranger {number}", an_allowance(f"stranger {number}"))
    assert len(memory) <= 100
    assert all(memory.use(name) is not None for name in regulars)


def test_what_has_to_go_is_handed_back() -> None:
    memory = QuotaCache(10)
    dropped = [memory.keep(str(number), an_allowance(str(number))) for number in range(4)]
    assert [None if one is None else one.key for one in dropped] == [None, None, "0", "1"]


def test_those_in_use_are_bounded_too() -> None:
    memory = QuotaCache(10)
    for number in range(100):
        memory.keep(str(number), an_allowance(str(number)))
        memory.use(str(number))
    assert len(memory) <= 10
    assert memory.use("99") is not None


def test_the_allowance_of_a_new_window_takes_the_old_ones_place() -> None:
    memory = QuotaCache(10)
    memory.keep("a", an_allowance("a"))
    assert memory.use("a") is not None
    later = LocalQuota("a", 10, window=2, resets_at=10800, unleased=10)
    memory.keep("a", later)
    assert memory.use("a") is later
    assert len(memory) == 1
