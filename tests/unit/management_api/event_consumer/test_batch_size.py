"""How many entries are read at once."""

from management_api.event_consumer.stream import StreamEntry
from management_api.event_consumer.stream_worker import FIRST_COUNT, MAX_BATCH_BYTES, BatchSize


def entries(count: int, size: int) -> list[StreamEntry]:
    return [StreamEntry("stream", f"{number}-0", b"x" * size) for number in range(count)]


def test_batch_size_grows_with_full_batches_up_to_the_limit() -> None:
    size = BatchSize(1000)
    for _ in range(5):
        size.update(entries(size.count, 100))
    assert size.count == 1000


def test_batches_that_are_not_full_change_nothing() -> None:
    size = BatchSize(1000)
    size.update(entries(FIRST_COUNT - 1, 100))
    assert size.count == FIRST_COUNT


def test_a_limit_below_the_first_size_is_kept() -> None:
    assert BatchSize(10).count == 10


def test_large_entries_are_read_in_numbers_that_fit_the_memory() -> None:
    size = BatchSize(10_000)
    large = 100 * 1024
    for _ in range(5):
        size.update(entries(size.count, large))
    assert size.count * large <= MAX_BATCH_BYTES
    size.update(entries(size.count, MAX_BATCH_BYTES * 2))
    assert size.count == 1


def test_batch_size_grows_again_after_large_entries() -> None:
    size = BatchSize(1000)
    size.update(entries(size.count, 1024 * 1024))
    shrunk = size.count
    size.update(entries(size.count, 10))
    assert size.count == shrunk * 2
