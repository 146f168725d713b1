"""Shutdown on signals, and delays between attempts."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from common.process import Backoff, ShutdownSignal


@pytest.fixture
def listening() -> Iterator[ShutdownSignal]:
    """Return a shutdown signal that handles this process's signals for the length of a test."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    shutdown = ShutdownSignal()
    shutdown.listen()
    yield shutdown
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_wait_without_signal_lasts_its_time() -> None:
    shutdown = ShutdownSignal()
    started = time.monotonic()
    assert not shutdown.wait(0.05)
    assert time.monotonic() - started >= 0.05


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_requests_shutdown(listening: ShutdownSignal, number: signal.Signals) -> None:
    assert not listening.is_set()
    os.kill(os.getpid(), number)
    assert listening.wait(60)
    assert listening.is_set()


def test_signal_ends_a_wait(listening: ShutdownSignal) -> None:
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM))
    timer.start()
    assert listening.wait(60)
    timer.join()


def test_signal_to_another_thread_ends_wait_of_main_thread(listening: ShutdownSignal) -> None:
    started = time.monotonic()
    thread = threading.Timer(0.05, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
    thread.start()
    assert listening.wait(60)
    assert time.monotonic() - started < 30
    thread.join()


def test_shutdown_stays_set() -> None:
    shutdown = ShutdownSignal()
    shutdown.set()
    assert shutdown.wait(60)
    assert shutdown.wait(60)
    shutdown.set()
    assert shutdown.is_set()


def test_each_delay_is_about_twice_the_one_before() -> None:
    backoff = Backoff(first=1.0, limit=100.0)
    assert 0.5 <= backoff.next_delay() <= 1.0
    assert 1.0 <= backoff.next_delay() <= 2.0
    assert 2.0 <= backoff.next_delay() <= 4.0


@pytest.mark.parametrize("failures", [10, 100, 5000])
def test_delays_never_exceed_the_limit(failures: int) -> None:
    backoff = Backoff(first=1.0, limit=3.0)
    assert max(backoff.next_delay() for _ in range(failures)) <= 3.0


def test_reset_starts_with_the_first_delay() -> None:
    backoff = Backoff(first=1.0, limit=100.0)
    backoff.next_delay()
    backoff.next_delay()
    backoff.reset()
    assert backoff.next_delay() <= 1.0
