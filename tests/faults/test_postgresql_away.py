"""PostgreSQL away while events go on: Redis keeps them, all within bounds, and the consumer catches up by itself.

`SOAK_BACKLOG` is how many events come meanwhile: 360,000 are an hour of a hundred a second. How long it takes them to
come matters less: a consumer that has waited for ten seconds tries every five, however long that goes on.
"""

import time
from pathlib import Path

import psutil
import pytest
import redis
from pydantic import SecretStr

from deploy.local.stack_programs import Connections
from management_api.database.transactions import Database
from management_api.event_consumer.settings import ConsumerSettings
from tests.database_outage import database_outage
from tests.faults.soak import report, soaked
from tests.faults.stored_events import flow_of, rollups_differ, stored_count, stored_ids, waiting
from tests.faults.stubborn_clients import ClientLog, StubbornClients
from tests.polling import eventually
from tests.rows import add_project
from tests.running_server import RunningServer
from tests.snapshots import a_snapshot, publish, sdk_headers
from tests.started_edge import StartedEdge
from tests.started_process import StartedProcess

BACKLOG = soaked("BACKLOG", 2000)
#: For the slowest machine, at a hundred events a second.
DRAIN_SECONDS = 60 + BACKLOG / 100
#: What an event of a few members may take of Redis until PostgreSQL has it.
MOST_BYTES_IN_REDIS = 512
#: What a process of ours may grow by, however much waits: batches and buffers, but never the backlog.
MOST_GROWTH_MB = 100
EVENTS_AT_ONCE = 2000


def a_known_project(database_url: str, redis_url: str) -> tuple[str, dict[str, str]]:
    """Give a project that both sides know, and what its SDK sends."""
    snapshot = a_snapshot()
    database = Database(ConsumerSettings(database_url=SecretStr(database_url), redis_url=SecretStr(redis_url)))
    with database.transaction() as session:
        add_project(session, id=snapshot.project_id)
    database.close()
    with redis.Redis.from_url(redis_url) as client:
        publish(client, snapshot)
    return snapshot.project_id, sdk_headers(snapshot)


def bytes_in(redis_url: str) -> int:
    """Give what Redis holds."""
    with redis.Redis.from_url(redis_url) as client:
        return int(client.info("memory")["used_memory"])


class Growth:
    """By how much each process has grown at most, in MB."""

    def __init__(self, **pids: int) -> None:
        self._processes = {name: psutil.Process(pid) for name, pid in pids.items()}
        self._before = self._megabytes()
        self.most = dict.fromkeys(pids, 0.0)

    def look(self) -> None:
        """Take note of what they hold now; a process that has ended is an error."""
        for name, now in self._megabytes().items():
            self.most[name] = max(self.most[name], now - self._before[name])

    def _megabytes(self) -> dict[str, float]:
        return {name: process.memory_info().rss / 1_000_000 for name, process in self._processes.items()}


@pytest.mark.timeout(300 + BACKLOG / 50)
def test_a_backlog_of_events_waits_in_bounds_and_is_stored_once_postgresql_is_back(
    database_url: str, private_redis_server: RunningServer, tmp_path: Path
) -> None:
    servers = Connections(database_url, private_redis_server.url)
    project_id, keys = a_known_project(database_url, servers.redis_url)
    environment = {"ONBOARDING_DATABASE_URL": database_url, "ONBOARDING_REDIS_URL": servers.redis_url}
    log_file = tmp_path / "consumer.log"
    with (
        StartedProcess("management_api.event_consumer.main", "ConsumerSettings", environment, log_file) as consumer,
        StartedEdge(servers.redis_url, tmp_path, workers=2) as edge,
    ):
        clients = StubbornClients(edge.url, keys, flow_of(edge.url, keys))
        log = clients.post(300)
        eventually(lambda: stored_count(servers, project_id) >= len(log.acknowledged), within=30)
        eventually(lambda: waiting(servers.redis_url) == 0)
        growth, empty = Growth(edge=min(edge.workers()), consumer=consumer.pid), bytes_in(servers.redis_url)

        with database_outage(database_url):
            gone = time.monotonic()
            backlog = ClientLog()
            while len(backlog.acknowledged) < BACKLOG:
                backlog.add(clients.post(min(BACKLOG - len(backlog.acknowledged), EVENTS_AT_ONCE)))
                growth.look()
            away = time.monotonic() - gone
            assert waiting(servers.redis_url) >= BACKLOG
            bytes_of_each = (bytes_in(servers.redis_url) - empty) / waiting(servers.redis_url)
        back = time.monotonic()
        log.add(backlog)

        def is_caught_up() -> bool:
            growth.look()
            return waiting(servers.redis_url) == 0

        eventually(is_caught_up, within=DRAIN_SECONDS)
        took = time.monotonic() - back
        assert stored_ids(servers, project_id) == log.acknowledged
        assert rollups_differ(servers) == []
        assert (backlog.failed_posts, consumer.terminate()) == (0, 0)
    assert bytes_of_each < MOST_BYTES_IN_REDIS
    left = bytes_in(servers.redis_url) - empty
    assert left < 2_000_000 + BACKLOG * bytes_of_each / 10
    assert max(growth.most.values()) < MOST_GROWTH_MB
    report(
        "PostgreSQL away",
        {
            "seconds": round(away),
            "events": len(backlog.acknowledged),
            "failed posts": 0,
            "bytes in Redis for each": round(bytes_of_each),
            "left in Redis": f"{left / 1_000_000:.1f} MB",
            "grown by at most": ", ".join(f"{name} {grown:.0f} MB" for name, grown in growth.most.items()),
            "caught up after": f"{took:.1f} s",
            "missing": 0,
            "twice": 0,
        },
    )
