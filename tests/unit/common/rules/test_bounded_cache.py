"""What is remembered has a bound, and what it weighs is told to whoever wants to know."""

from common.rules.bounded_cache import MOST_REMEMBERED, BoundedCache, Weight


def test_what_was_kept_is_recalled_and_nothing_else() -> None:
    remembered: BoundedCache[str, int] = BoundedCache()
    remembered.keep("a", 1)
    assert (remembered.recall("a"), remembered.recall("b")) == (1, None)


def test_keys_without_end_take_no_more_memory_than_the_bound() -> None:
    weight = Weight()
    remembered: BoundedCache[str, int] = BoundedCache(weight)
    for number in range(MOST_REMEMBERED):
        remembered.keep(f"{number:9}", number)
    full = weight.bytes
    for number in range(20 * MOST_REMEMBERED):
        remembered.keep(f"{number:9}", number)
        assert 0 < weight.bytes <= full
    assert remembered.recall(f"{0:9}") is None


def test_the_follower_is_told_of_growth_and_of_forgetting_until_another_follows() -> None:
    weight = Weight()
    remembered: BoundedCache[str, int] = BoundedCache(weight)
    remembered.keep("before anybody followed", 1)
    before = weight.bytes
    told: list[int] = []
    weight.tell(told.append)
    for number in range(MOST_REMEMBERED):
        remembered.keep(str(number), number)
    assert sum(told) == weight.bytes - before
    assert min(told) < 0
    weight.tell(None)
    heard = len(told)
    remembered.keep("afterwards", 1)
    assert len(told) == heard
