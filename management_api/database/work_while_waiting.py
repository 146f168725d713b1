"""What a thread does for itself while it would only wait for PostgreSQL."""

import select
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.waiting import Wait

T = TypeVar("T")
_NOTHING_LEFT = object()

_work: ContextVar[Iterator[object] | None] = ContextVar("work_while_waiting", default=None)


@contextmanager
def working_while_waiting(work: Iterator[object] | None) -> Iterator[None]:
    """Have this thread take steps of the work whenever PostgreSQL has no reply yet to what the block asks of it.

    A reply waits for the step under way, so each should take well below a millisecond; none may raise. What is left
    at the end of the block is not done.
    """
    token = _work.set(work)
    try:
        yield
    finally:
        _work.reset(token)


class WorkingConnection(psycopg.Connection[Any]):
    """A connection like any other but for that."""

    def wait(self, gen: PQGen[T], *args: Any, **options: Any) -> T:  # noqa: ANN401 - psycopg's, handed on
        """Wait until what was begun is done."""
        work = _work.get()
        return super().wait(gen if work is None else _with_work(gen, self.pgconn.socket, work), *args, **options)


def _with_work(communication: PQGen[T], socket: int, work: Iterator[object]) -> Generator[Wait, Any, T]:
    """Do the same, asking to wait only when there is no work left."""
    poll = select.poll()
    ready: Any = None
    while True:
        try:
            wanted = communication.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
        poll.register(socket, (select.POLLIN if wanted & Wait.R else 0) | (select.POLLOUT if wanted & Wait.W else 0))
        # To look releases Python's lock as well, for other threads.
        while not poll.poll(0) and next(work, _NOTHING_LEFT) is not _NOTHING_LEFT:
            pass
        ready = yield wanted
