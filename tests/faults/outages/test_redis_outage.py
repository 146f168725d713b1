"""Redis unavailable under load, the edge restarted meanwhile: all responses are right, changes arrive soon after."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from tests.support.clients.revision_readers import (
    RevisionReaders,
    a_numbered_snapshot,
    numbered_revision,
    revision_readers,
)
from tests.support.data.disk_snapshots import copied_revisions
from tests.support.data.snapshots import publish
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.fault_proxy import FaultProxy
from tests.support.servers.running_server import RunningServer
from tests.support.soak import report, soak_setting

pytestmark = pytest.mark.slow

OUTAGE_SECONDS = soak_setting("OUTAGE_SECONDS", 2, 300)
WORKERS = soak_setting("OUTAGE_WORKERS", 2, 4)
PROJECTS = 10
NEWEST = 5
#: The longest time until all workers serve the newest revision, once they reach Redis: 2 s on an idle machine.
RETURN_SECONDS = soak_setting("RETURN_SECONDS", 10, 2)
#: The short run takes the first.
FAULTS: list[Callable[[FaultProxy], None]] = [FaultProxy.black_hole, FaultProxy.refuse]


def read_on(readers: RevisionReaders, seconds: float) -> None:
    """Let the readers read for so long, and at least 100 responses."""
    until, enough = time.monotonic() + seconds, readers.right + 100
    eventually(lambda: time.monotonic() > until and readers.right > enough, within=seconds + 30)


@pytest.mark.timeout(OUTAGE_SECONDS * 2 + 240)
@pytest.mark.parametrize("fault", FAULTS[: soak_setting("OUTAGES", 1, 2)])
def test_redis_outage_changes_no_response_and_ends_with_the_newest(
    private_redis_server: RunningServer, tmp_path: Path, fault: Callable[[FaultProxy], None]
) -> None:
    snapshots = [a_numbered_snapshot() for _ in range(PROJECTS)]
    folder = tmp_path / "copies"
    with (
        redis.Redis.from_url(private_redis_server.url) as client,
        FaultProxy(private_redis_server.url) as proxy,
        StartedEdge(proxy.url, tmp_path, workers=WORKERS, edge_snapshot_folder=str(folder)) as edge,
    ):
        for snapshot in snapshots:
            publish(client, snapshot)
        with revision_readers(edge, snapshots, of_each_worker=8 // WORKERS) as readers:
            eventually(lambda: readers.all_serve(1), within=20)
            eventually(lambda: copied_revisions(folder) == {snapshot.project_id: 1 for snapshot in snapshots})
            fault(proxy)
            private_redis_server.kill()
            read_on(readers, OUTAGE_SECONDS / 4)
            assert readers.unreached == 0
            for end in (edge.terminate, edge.kill):
                end()
                edge.start()
                read_on(readers, OUTAGE_SECONDS / 4)
            edge.kill_a_worker()
            read_on(readers, OUTAGE_SECONDS / 4)
        assert readers.wrong == []
        eventually(edge.has_all_workers, within=30)

        with revision_readers(edge, snapshots, of_each_worker=8 // WORKERS) as watchers:
            eventually(lambda: watchers.all_serve(1))
            # Redis is back and has been published to, before the edge can reach it.
            private_redis_server.start()
            for revision in range(2, NEWEST + 1):
                for snapshot in snapshots:
                    publish(client, numbered_revision(snapshot, revision))
            assert watchers.all_serve(1)
            proxy.heal()
            healed = time.monotonic()
            eventually(lambda: watchers.all_serve(NEWEST), within=RETURN_SECONDS)
            took = time.monotonic() - healed
            read_on(watchers, 0)
        assert (watchers.wrong, watchers.unreached) == ([], 0)
    measured = {"seconds": OUTAGE_SECONDS, "right": readers.right, "wrong": 0, "newest after": f"{took:.2f} s"}
    report("Redis unavailable, the edge restarted twice", measured)
