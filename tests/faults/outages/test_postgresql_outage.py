"""While PostgreSQL is down, Redis stores the events within bounds; the consumer catches up by itself.

`SOAK_BACKLOG` is the number of events meanwhile: 360,000 are an hour of a hundred a second. The length of the outage
matters less: after ten seconds a consumer tries every five.
"""

import time
from pathlib import Path

import psutil
import pytest
import redis
from pydantic import SecretStr

from deploy.local.service_processes import Connections
from management_api.db.engine import Database
from management_api.event_consumer.settings import ConsumerSettings
from tests.support.data.rows import add_project
from tests.support.data.snapshots import a_snapshot, publish, sdk_headers
from tests.support.databases.outages import database_outage
from tests.support.faults.retrying_clients import ClientLog, RetryingClients
from tests.support.faults.stored_events import differing_rollups, flow_of, stored_count, stored_ids, waiting
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.running_server import RunningServer
from tests.support.servers.service_process import StartedProcess
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

BACKLOG = soak_setting("BACKLOG", 2000, 360_000)
#: Enough for a slow machine that stores a hundred events a second.
DRAIN_SECONDS = 60 + BACKLOG / 100
#: Maximum memory of Redis for a small event until PostgreSQL has it.
MAX_BYTES_IN_REDIS = 512
#: Maximum growth of a process with any backlog: batches and buffers, but not the backlog.
MAX_GROWTH_MB = 100
EVENTS_AT_ONCE = 2000


def published_project(database_url: str, redis_url: str) -> tuple[str, dict[str, str]]:
    """Return the id of a project in PostgreSQL and Redis, and the headers of its SDK."""
    snapshot = a_snapshot()
    database = Database(ConsumerSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url)))
    with database.transaction() as session:
        add_project(session, id=snapshot.project_id)
    database.close()
    with redis.Redis.from_url(redis_url) as client:
        publish(client, snapshot)
    return snapshot.project_id, sdk_headers(snapshot)


def bytes_in(redis_url: str) -> int:
    with redis.Redis.from_url(redis_url) as client:
        return int(client.info("memory")["used_memory"])


class Growth:
    """The maximum growth of each process, in MB."""

    def __init__(self, **pids: int) -> None:
        self._processes = {name: psutil.Process(pid) for name, pid in pids.items()}
        self._before = self._megabytes()
        self.maxima = dict.fromkeys(pids, 0.0)

    def measure(self) -> None:
        """Update the maxima. Raise an error for a process that has ended."""
        for name, now in self._megabytes().items():
            self.maxima[name] = max(self.maxima[name], now - self._before[name])

    def _megabytes(self) -> dict[str, float]:
        return {name: process.memory_info().rss / 1_000_000 for name, process in self._processes.items()}


@pytest.mark.timeout(300 + BACKLOG / 50)
def test_backlog_of_events_is_bounded_and_stored_once_after_an_outage(
    database_url: str, private_redis_server: RunningServer, tmp_path: Path
) -> None:
    servers = Connections(database_url, private_redis_server.url)
    project_id, keys = published_project(database_url, servers.redis_url)
    environment = {"ONBOARDING_DATABASE_URL": database_url, "ONBOARDING_REDIS_URL": servers.redis_url}
    log_file = tmp_path / "consumer.log"
    with (
        StartedProcess("management_api.event_consumer.main", "ConsumerSettings", environment, log_file) as consumer,
        StartedEdge(servers.redis_url, tmp_path, workers=2) as edge,
    ):
        clients = RetryingClients(edge.url, keys, flow_of(edge.url, keys))
        log = clients.post(300)
        eventually(lambda: stored_count(servers, project_id) >= len(log.acknowledged), within=30)
        eventually(lambda: waiting(servers.redis_url) == 0)
        growth, empty = Growth(edge=min(edge.workers()), consumer=consumer.pid), bytes_in(servers.redis_url)

        with database_outage(database_url):
            began = time.monotonic()
            backlog = ClientLog()
            while len(backlog.acknowledged) < BACKLOG:
                backlog.add(clients.post(min(BACKLOG - len(backlog.acknowledged), EVENTS_AT_ONCE)))
                growth.measure()
            outage_seconds = time.monotonic() - began
            assert waiting(servers.redis_url) >= BACKLOG
            bytes_of_each = (bytes_in(servers.redis_url) - empty) / waiting(servers.redis_url)
        back = time.monotonic()
        log.add(backlog)

        def is_caught_up() -> bool:
            growth.measure()
            return waiting(servers.redis_url) == 0

        eventually(is_caught_up, within=DRAIN_SECONDS)
        took = time.monotonic() - back
        assert stored_ids(servers, project_id) == log.acknowledged
        eventually(lambda: differing_rollups(servers) == [], within=DRAIN_SECONDS)
        assert (backlog.failed_posts, consumer.terminate()) == (0, 0)
    assert bytes_of_each < MAX_BYTES_IN_REDIS
    left = bytes_in(servers.redis_url) - empty
    assert left < 2_000_000 + BACKLOG * bytes_of_each / 10
    assert max(growth.maxima.values()) < MAX_GROWTH_MB
    report(
        "PostgreSQL outage",
        {
            "seconds": round(outage_seconds),
            "events": len(backlog.acknowledged),
            "failed posts": 0,
            "bytes in Redis for each": round(bytes_of_each),
            "left in Redis": f"{left / 1_000_000:.1f} MB",
            "grown by at most": ", ".join(f"{name} {grown:.0f} MB" for name, grown in growth.maxima.items()),
            "caught up after": f"{took:.1f} s",
            "missing": 0,
            "twice": 0,
        },
    )
