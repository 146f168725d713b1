"""What is read ahead: one batch, for whoever began it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from management_api.event_consumer.preparation import PreparedBatch, prepare_batch
from management_api.event_consumer.read_ahead import ReadAhead
from management_api.event_consumer.stream_entry import StreamEntry
from tests.polling import eventually

ENTRY = StreamEntry("stream", "1-0", b"")


def one_entry() -> PreparedBatch:
    return prepare_batch([ENTRY])


def test_what_was_begun_is_there_to_take_once() -> None:
    with ThreadPoolExecutor(1) as executor:
        ahead = ReadAhead(executor, one_entry)
        ahead.begin()
        assert ahead.take().entries == [ENTRY]
        assert not ahead.is_begun


def test_what_reading_raises_is_raised_to_whoever_takes_it() -> None:
    def fail() -> PreparedBatch:
        raise ConnectionError

    with ThreadPoolExecutor(1) as executor:
        ahead = ReadAhead(executor, fail)
        ahead.begin()
        with pytest.raises(ConnectionError):
            ahead.take()
        ahead.begin()
        ahead.drop()
        assert not ahead.is_begun


def test_who_drops_it_waits_until_nothing_is_being_read() -> None:
    reads, may_read = threading.Event(), threading.Event()

    def read() -> PreparedBatch:
        reads.set()
        may_read.wait()
        return one_entry()

    with ThreadPoolExecutor(1) as executor:
        ahead = ReadAhead(executor, read)
        ahead.begin()
        reads.wait()
        dropping = threading.Thread(target=ahead.drop)
        dropping.start()
        eventually(lambda: not ahead.is_begun)
        assert dropping.is_alive()
        may_read.set()
        dropping.join(10)
        assert not dropping.is_alive()


def test_there_need_be_nothing_to_drop() -> None:
    with ThreadPoolExecutor(1) as executor:
        ReadAhead(executor, one_entry).drop()
