"""Clients who ask one after the other and take what they get at once: how long they wait for it."""

import statistics
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from typing import NamedTuple

from tests.started_edge import connected

_CONNECTIONS = 8


class Asked(NamedTuple):
    """A request, and the status that its answer must have."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None
    status: int


def answered_p99(port: int, asked: Asked, count: int) -> float:
    """Ask so often, over a few new connections by turns; gives the 99th percentile of the waits, in milliseconds."""
    with ExitStack() as stack:
        connections = [stack.enter_context(closing(connected(port))) for _ in range(_CONNECTIONS)]
        times = [_seconds_of(connections[number % _CONNECTIONS], asked) for number in range(count)]
    return statistics.quantiles(times, n=100)[98] * 1000


def _seconds_of(connection: HTTPConnection, asked: Asked) -> float:
    begun = time.perf_counter()
    connection.request(asked.method, asked.path, asked.body, dict(asked.headers))
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == asked.status, body
    return time.perf_counter() - begun
