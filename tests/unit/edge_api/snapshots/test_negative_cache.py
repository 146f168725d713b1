"""The negative cache: entries expire, and their number is bounded."""

from edge_api.snapshots.negative_cache import NegativeCache


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
