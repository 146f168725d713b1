"""Four workers at five times the limit exceed it by a lease each: across the end of an hour, beside a killed worker."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.support.background import in_background
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.faults.moved_clock import FILE, PROGRAM, MovedClock
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

LIMIT = soak_setting("LIMIT", 400, 1000)
LEASE = LIMIT // 100
WORKERS = 4
TIMES_THE_LIMIT = 5
#: A lease that a busy machine delays must not make a worker limit locally.
LONG_TIMEOUT_MS = "10000"


class Senders:
    """Clients of a project and an address that resolve without pause; every response is counted in its hour."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.unreached = 0
        self._headers = {**sdk_headers(snapshot), "Content-Type": "application/json"}
        self._counts: Counter[tuple[int, int]] = Counter()
        self._lock = threading.Lock()

    def admitted(self, window_end: int) -> int:
        """Return the number of admitted requests in the hour with that end."""
        return self._counts[window_end, 200]

    def sent(self, window_end: int) -> int:
        """Return the number of responses in the hour with that end."""
        with self._lock:
            return sum(count for (end, _), count in self._counts.items() if end == window_end)

    def statuses(self) -> set[int]:
        return {status for _, status in self._counts}

    def send(self, connection: HTTPConnection, stop: threading.Event) -> None:
        """Send requests until the stop."""
        while not stop.is_set():
            try:
                connection.request("POST", "/api/onboarding/resolve", b'{"deviceId": "phone"}', self._headers)
                response = connection.getresponse()
                response.read()
            except (OSError, HTTPException):
                self.unreached += 1
                connection.close()
                continue
            with self._lock:
                self._counts[int(response.headers["X-RateLimit-Reset"]), response.status] += 1
        connection.close()


@contextmanager
def senders(edge: StartedEdge, snapshot: Snapshot) -> Iterator[Senders]:
    """Send to every worker until the block ends."""
    crowd = Senders(snapshot)
    works = [partial(crowd.send, connection) for connection in edge.connections(of_each_worker=2)]
    with in_background(threading.Event(), *works):
        yield crowd


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MovedClock]:
    monkeypatch.setenv(FILE, str(tmp_path / "clock"))
    clock = MovedClock(tmp_path / "clock")
    clock.start()
    yield clock
    clock.close()


def test_four_workers_exceed_the_limit_by_no_more_than_a_lease_each(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path, clock: MovedClock
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    with (
        StartedEdge(
            redis_url,
            tmp_path,
            workers=WORKERS,
            program=PROGRAM,
            rate_limit_per_secret_key=str(LIMIT),
            rate_limit_redis_timeout_ms=LONG_TIMEOUT_MS,
        ) as edge,
        senders(edge, snapshot) as crowd,
    ):
        first = clock.window_end
        eventually(lambda: crowd.sent(first) >= TIMES_THE_LIMIT * LIMIT, within=60)
        clock.move_to_end_of_hour()
        second = clock.window_end + 3600
        eventually(lambda: crowd.admitted(second) > LIMIT // 10, within=30)
        edge.kill_a_worker()
        eventually(lambda: crowd.sent(second) >= TIMES_THE_LIMIT * LIMIT, within=60)
        eventually(edge.has_all_workers, within=30)
    assert crowd.statuses() == {200, 429}
    assert LIMIT <= crowd.admitted(first) <= LIMIT + WORKERS * LEASE
    # The killed worker loses its lease and its reports; a response under way then was admitted, but not counted here.
    assert crowd.admitted(second) >= LIMIT - WORKERS * LEASE - crowd.unreached
    assert crowd.admitted(second) <= LIMIT + (WORKERS + 1) * LEASE
    admitted = f"{crowd.admitted(first)}, {crowd.admitted(second)} in the hour of the kill"
    sent = f"{crowd.sent(first)}, {crowd.sent(second)}"
    report("Rate limit over 4 workers", {"limit": LIMIT, "sent": sent, "admitted": admitted})
