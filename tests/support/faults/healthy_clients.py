"""Clients that send one request after the other and read the response at once, and the time that they wait."""

import statistics
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from typing import NamedTuple

from tests.support.servers.edge_process import connected

_CONNECTIONS = 8


class ExpectedRequest(NamedTuple):
    """A request and the status that its response must have."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None
    status: int


def measure_p99(port: int, request: ExpectedRequest, count: int) -> float:
    """Send the request `count` times over new connections by turns; return the 99th percentile in milliseconds."""
    with ExitStack() as stack:
        connections = [stack.enter_context(closing(connected(port))) for _ in range(_CONNECTIONS)]
        times = [_seconds_of(connections[number % _CONNECTIONS], request) for number in range(count)]
    return statistics.quantiles(times, n=100)[98] * 1000


def _seconds_of(connection: HTTPConnection, request: ExpectedRequest) -> float:
    started = time.perf_counter()
    connection.request(request.method, request.path, request.body, dict(request.headers))
    response = connection.getresponse()
    body = response.read()
    assert response.status == request.status, body
    return time.perf_counter() - started
