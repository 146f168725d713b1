"""What four workers admit together, at five times the limit: over the end of an hour, and with one of them killed."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.faults.moved_clock import FILE, PROGRAM, MovedClock
from tests.faults.soak import report, soaked
from tests.polling import eventually
from tests.snapshots import a_snapshot, publish, sdk_headers
from tests.started_edge import StartedEdge

LIMIT = soaked("LIMIT", 400)
LEASE = LIMIT // 100
WORKERS = 4
TIMES_THE_LIMIT = 5
#: A lease that the kernel or a busy machine holds up must not make a worker count alone.
PATIENT_MS = "10000"


class Senders:
    """Clients of one project and one address who resolve without pause; every answer is counted in its hour."""

    def __init__(self, connections: list[HTTPConnection], snapshot: Snapshot) -> None:
        self.unreached = 0
        self._headers = {**sdk_headers(snapshot), "Content-Type": "application/json"}
        self._counts: Counter[tuple[int, int]] = Counter()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._send, args=(connection,)) for connection in connections]

    def admitted(self, window_end: int) -> int:
        """Tell how many were admitted in the hour that ends then."""
        return self._counts[window_end, 200]

    def sent(self, window_end: int) -> int:
        """Tell how many were answered in the hour that ends then."""
        with self._lock:
            return sum(count for (end, _), count in self._counts.items() if end == window_end)

    def statuses(self) -> set[int]:
        """Tell which answers there were."""
        return {status for _, status in self._counts}

    def begin(self) -> None:
        """Start to send."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Stop to send."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _send(self, connection: HTTPConnection) -> None:
        while not self._over.is_set():
            try:
                connection.request("POST", "/api/onboarding/resolve", b'{"deviceId": "phone"}', self._headers)
                answer = connection.getresponse()
                answer.read()
            except (OSError, HTTPException):
                self.unreached += 1
                connection.close()
                continue
            with self._lock:
                self._counts[int(answer.headers["X-RateLimit-Reset"]), answer.status] += 1
        connection.close()


@contextmanager
def senders(edge: StartedEdge, snapshot: Snapshot) -> Iterator[Senders]:
    """Send to every worker for the length of the block."""
    made = Senders(edge.connections(of_each_worker=2), snapshot)
    made.begin()
    try:
        yield made
    finally:
        made.end()


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MovedClock]:
    """Give the clock that the edge counts by."""
    monkeypatch.setenv(FILE, str(tmp_path / "clock"))
    clock = MovedClock(tmp_path / "clock")
    clock.start()
    yield clock
    clock.close()


def test_four_workers_admit_the_limit_in_each_hour_and_a_killed_one_takes_its_lease_with_it(
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
            rate_limit_redis_timeout_ms=PATIENT_MS,
        ) as edge,
        senders(edge, snapshot) as crowd,
    ):
        first = clock.window_end
        eventually(lambda: crowd.sent(first) >= TIMES_THE_LIMIT * LIMIT, within=60)
        clock.near_the_end_of_the_hour()
        second = clock.window_end + 3600
        eventually(lambda: crowd.admitted(second) > LIMIT // 10, within=30)
        edge.kill_a_worker()
        eventually(lambda: crowd.sent(second) >= TIMES_THE_LIMIT * LIMIT, within=60)
        eventually(edge.has_all_workers, within=30)
    assert crowd.statuses() == {200, 429}
    assert crowd.admitted(first) == LIMIT
    # What the killed one had leased is gone; an answer that was on its way then was admitted and is not seen.
    assert LIMIT - WORKERS * LEASE - crowd.unreached <= crowd.admitted(second) <= LIMIT
    admitted = f"{crowd.admitted(first)}, {crowd.admitted(second)} in the hour of the kill"
    sent = f"{crowd.sent(first)}, {crowd.sent(second)}"
    report("Rate limit over 4 workers", {"limit": LIMIT, "sent": sent, "admitted": admitted})
