"""Clients who ask one after the other and take what they get at once: how long they wait for it."""

import statistics
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from typing import NamedTuple


class Asked(NamedTuple):
    """A request, and the status that its answer must have."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None
    status: int


def answer_times(connections: Sequence[HTTPConnection], asked: Asked, count: int) -> list[float]:
    """Ask so often, over each connection in turn, and give the seconds that each answer took."""
    times = []
    for number in range(count):
        connection = connections[number % len(connections)]
        begun = time.perf_counter()
        connection.request(asked.method, asked.path, asked.body, dict(asked.headers))
        answer = connection.getresponse()
        body = answer.read()
        times.append(time.perf_counter() - begun)
        assert answer.status == asked.status, body
    return times


def p99(times: Sequence[float]) -> float:
    """Give the 99th percentile, in milliseconds."""
    return statistics.quantiles(times, n=100)[98] * 1000
