"""The negative cache: entries expire, and their number is bounded."""

from edge_api.snapshots.negative_cache import NegativeCache, ReadBudget


def test_negative_cache_entry_expires() -> None:
    now = [0.0]
    unknown = NegativeCache(5.0, lambda: now[0])
    unknown.add("p")
    now[0] = 4.9
    assert "p" in unknown
    now[0] = 5.0
    assert "p" not in unknown
    assert len(unknown) == 0


def test_negative_cache_entry_is_removed_at_publication() -> None:
    unknown = NegativeCache(5.0, lambda: 0.0)
    unknown.add("p")
    unknown.remove("p")
    unknown.remove("never added")
    assert "p" not in unknown


def test_negative_cache_is_bounded() -> None:
    unknown = NegativeCache(5.0, lambda: 0.0, limit=100)
    for number in range(1_000):
        unknown.add(str(number))
    assert len(unknown) == 100
    assert "999" in unknown
    assert "0" not in unknown


def test_read_budget_is_spent_for_the_rest_of_its_second() -> None:
    now = [7.0]
    budget = ReadBudget(2, lambda: now[0])
    budget.spend()
    assert not budget.is_spent()
    budget.spend()
    now[0] = 7.99
    assert budget.is_spent()
    now[0] = 8.0
    assert not budget.is_spent()
