"""An edge that starts while Redis is down serves the copies on disk, and no older revision afterwards."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from common.credentials import KeyPrefix, generate_key
from common.wire.snapshot import Snapshot
from publisher.compiler import compress_config
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.edge_api.snapshots.copied_projects import PROJECTS, CopiedProjects, version, versions
from tests.support.background import in_background
from tests.support.data.disk_snapshots import age_sync
from tests.support.data.snapshots import a_snapshot, next_revision, publish, sdk_headers
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer


def config(edge: httpx.Client, snapshot: Snapshot) -> httpx.Response:
    return edge.get("/api/config", headers=sdk_headers(snapshot))


@contextmanager
def watched(edge: httpx.Client, snapshot: Snapshot) -> Iterator[list[int]]:
    """Read a project's revision without pause until the block ends."""
    seen: list[int] = []

    def read(stop: threading.Event) -> None:
        while not stop.is_set():
            seen.append(version(edge, snapshot))

    with in_background(threading.Event(), read):
        yield seen


def test_restarted_edge_serves_all_copied_projects_while_redis_is_down(copied: CopiedProjects) -> None:
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        health = edge.get("/health/ready")
        assert health.status_code == 200
        assert (health.json()["status"], health.json()["redis_reachable"]) == ("degraded", False)
        assert health.json()["snapshots"]["projects"] == 0
        assert health.json()["snapshots"]["age_seconds"] < 60
        for _ in range(10):
            assert versions(edge, copied.snapshots) == {1}
        assert edge.get("/health/ready").json()["snapshots"]["projects"] == PROJECTS
        assert version(edge, a_snapshot()) == -503
        wrong_key = sdk_headers(copied.snapshots[0], generate_key(KeyPrefix.SECRET))
        assert edge.get("/api/config", headers=wrong_key).status_code == 401


def test_loads_from_disk_keep_the_limit_of_memory(copied: CopiedProjects) -> None:
    large = [a_snapshot(config=compress_config(b'"' + b"x" * 400_000 + b'"')) for _ in range(5)]
    for snapshot in large:
        publish(copied.client, snapshot)
    with running_edge(copied.settings(edge_snapshot_memory_mb=1)) as edge:
        assert versions(edge, large) == {1}
    copied.server.kill()
    with running_edge(copied.settings(edge_snapshot_memory_mb=1)) as edge:
        assert versions(edge, large * 2) == {1}
        assert edge.get("/health/ready").json()["snapshots"]["projects"] < 5


def test_newest_revision_is_served_after_an_outage_of_redis(
    copied: CopiedProjects,
) -> None:
    first = copied.snapshots[0]
    # The copies of an edge that was cut off are older than Redis.
    for revision in (2, 3):
        publish(copied.client, next_revision(first, revision=revision))
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        with watched(edge, first) as seen:
            eventually(lambda: len(seen) > 20)
            copied.server.start()
            # The fault tests measure the time that this takes.
            eventually(lambda: seen[-1] == 3)
        assert set(seen) == {1, 3}
        assert seen == sorted(seen)
        # The periodic comparison may fetch it before the change stream is read again.
        eventually(lambda: edge.get("/health/ready").json()["status"] == "ready")
        eventually(lambda: copied.copied_revision(first) == 3)


def test_projects_lost_by_redis_are_served_from_disk(copied: CopiedProjects) -> None:
    copied.client.flushall()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {1}
        assert edge.get("/health/ready").json()["status"] == "ready"
        publish(copied.client, next_revision(copied.snapshots[0]))
        eventually(lambda: version(edge, copied.snapshots[0]) == 2)


def test_keys_are_rejected_when_redis_is_down_for_longer_than_allowed(copied: CopiedProjects) -> None:
    first = copied.snapshots[0]
    with running_edge(copied.settings(edge_max_stale_seconds=2.5)) as edge:
        assert version(edge, first) == 1
        copied.server.kill()
        assert version(edge, first) == 1
        eventually(lambda: version(edge, first) == -503)
        response = config(edge, first)
        assert (response.json()["code"], response.headers["Retry-After"]) == ("UNAVAILABLE", "1")
        assert edge.get("/health/ready").status_code == 503
        copied.server.start()
        eventually(lambda: version(edge, first) == 1, within=4)
        assert edge.get("/health/ready").status_code == 200


def test_copies_older_than_allowed_are_not_served(copied: CopiedProjects) -> None:
    copied.server.kill()
    age_sync(copied.path, hours=24)
    with running_edge(copied.settings(edge_max_stale_seconds=3600)) as edge:
        assert versions(edge, copied.snapshots) == {-503}
        assert edge.get("/health/ready").status_code == 503
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {1}


def test_edge_with_an_empty_folder_is_not_ready(private_redis_server: RunningServer, tmp_path: Path) -> None:
    private_redis_server.kill()
    with running_edge(edge_settings(private_redis_server.url, edge_snapshot_folder=tmp_path / "copies")) as edge:
        assert edge.get("/health/ready").status_code == 503
