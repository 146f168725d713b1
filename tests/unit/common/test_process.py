"""Stopping when asked to."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from common.process import ShutdownSignal


@pytest.fixture
def listening() -> Iterator[ShutdownSignal]:
    """Give a request that listens to this process's signals for the length of a test."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    request = ShutdownSignal()
    request.listen()
    yield request
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_wait_without_a_request_lasts_its_time() -> None:
    request = ShutdownSignal()
    started = time.monotonic()
    assert not request.wait(0.05)
    assert time.monotonic() - started >= 0.05


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_is_a_request(listening: ShutdownSignal, number: signal.Signals) -> None:
    assert not listening.is_set()
    os.kill(os.getpid(), number)
    assert listening.wait(60)
    assert listening.is_set()


def test_signal_ends_a_wait(listening: ShutdownSignal) -> None:
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM))
    timer.start()
    assert listening.wait(60)
    timer.join()


def test_a_signal_that_another_thread_was_handed_ends_a_wait_of_the_main_thread(listening: ShutdownSignal) -> None:
    started = time.monotonic()
    thread = threading.Timer(0.05, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
    thread.start()
    assert listening.wait(60)
    assert time.monotonic() - started < 30
    thread.join()


def test_request_stays_whoever_asks_again() -> None:
    request = ShutdownSignal()
    request.set()
    assert request.wait(60)
    assert request.wait(60)
    request.set()
    assert request.is_set()
