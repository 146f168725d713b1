"""Threads that run beside a block of a test and end with it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from socketserver import BaseServer
from typing import Protocol, TypeVar


class Stop(Protocol):
    """A request to stop: an event, or the shutdown signal of a process."""

    def set(self) -> None:
        """Request the stop."""


StopT = TypeVar("StopT", bound=Stop)


@contextmanager
def in_background(stop: StopT, *works: Callable[[StopT], object]) -> Iterator[None]:
    """Run functions in threads during the block, and wait for them; each returns soon after `stop` is set.

    Raises the exception of a function, unless the block has raised one.
    """
    with ThreadPoolExecutor(len(works)) as executor:
        results = [executor.submit(work, stop) for work in works]
        try:
            yield
        finally:
            stop.set()
    for result in results:
        result.result()


@contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    """Serve requests in a thread during the block, then close the server."""
    with server, ThreadPoolExecutor(1) as executor:
        executor.submit(server.serve_forever, 0.02)
        try:
            yield
        finally:
            server.shutdown()
