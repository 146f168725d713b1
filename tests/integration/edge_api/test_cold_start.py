"""An edge that starts with Redis away serves from the copies on disk, and never goes back to an older revision."""

import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import redis

from common.credentials import KeyPrefix, generate_key
from common.redis_keys import snapshot_key
from common.settings import EdgeSettings
from common.snapshot import ConfigDocument, Snapshot
from edge_api.snapshots.snapshot_file import HEADER_BYTES, read_header
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.polling import eventually
from tests.running_server import RunningServer
from tests.snapshots import a_snapshot, next_revision, publish, sdk_headers, store

PROJECTS = 12


class CopiedProjects:
    """Projects that were published to a Valkey, and a folder that edges copy them to."""

    def __init__(self, server: RunningServer, client: redis.Redis, path: Path) -> None:
        self.server = server
        self.client = client
        self.path = path / "copies"
        self.snapshots = [a_snapshot() for _ in range(PROJECTS)]
        for snapshot in self.snapshots:
            publish(client, snapshot)

    def settings(self, **fields: object) -> EdgeSettings:
        """Give the settings of an edge on them."""
        return edge_settings(self.server.url, edge_snapshot_folder=self.path, **fields)

    def file_of(self, snapshot: Snapshot) -> Path:
        """Give where the copy of a project is."""
        return self.path / f"{snapshot.project_id}.snapshot"

    def copy_all(self) -> None:
        """Have an edge serve and copy all of them, and stop."""
        with running_edge(self.settings()) as edge:
            assert versions(edge, self.snapshots) == {1}
            eventually((self.path / "last-contact").exists)


@pytest.fixture
def copied(private_redis_server: RunningServer, tmp_path: Path) -> Iterator[CopiedProjects]:
    """Give projects that an edge has served and copied."""
    with redis.Redis.from_url(private_redis_server.url) as client:
        projects = CopiedProjects(private_redis_server, client, tmp_path)
        projects.copy_all()
        yield projects


def config(edge: httpx.Client, snapshot: Snapshot) -> httpx.Response:
    """Ask for a project's configuration."""
    return edge.get("/api/config", headers=sdk_headers(snapshot))


def version(edge: httpx.Client, snapshot: Snapshot) -> int:
    """Resolve a device and tell which revision answered; minus the status of an answer that is not right."""
    response = edge.post("/api/onboarding/resolve", headers=sdk_headers(snapshot), json={"deviceId": "phone"})
    is_right = response.status_code == 200 and response.json()["flowId"] == "flow_default"
    return int(response.headers["X-Config-Version"]) if is_right else -response.status_code


def versions(edge: httpx.Client, snapshots: list[Snapshot]) -> set[int]:
    """Tell which revisions answer."""
    return {version(edge, snapshot) for snapshot in snapshots}


@contextmanager
def watched(edge: httpx.Client, snapshot: Snapshot) -> Iterator[list[int]]:
    """Ask for a project's revision without pause for the length of the block."""
    seen: list[int] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            seen.append(version(edge, snapshot))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield seen
    finally:
        over.set()
        reader.join()


def test_a_restarted_edge_serves_all_known_projects_with_redis_away(copied: CopiedProjects) -> None:
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        health = edge.get("/health/ready")
        assert health.status_code == 200
        assert (health.json()["status"], health.json()["redis"]) == ("degraded", "away")
        assert health.json()["snapshots"]["held"] == 0
        assert health.json()["snapshots"]["age_seconds"] < 60
        for _ in range(10):
            assert versions(edge, copied.snapshots) == {1}
        assert edge.get("/health/ready").json()["snapshots"]["held"] == PROJECTS
        assert version(edge, a_snapshot()) == -503
        wrong_key = sdk_headers(copied.snapshots[0], generate_key(KeyPrefix.SECRET))
        assert edge.get("/api/config", headers=wrong_key).status_code == 401


def test_projects_are_loaded_from_disk_within_the_bound_of_memory(copied: CopiedProjects) -> None:
    large = [a_snapshot(config=ConfigDocument.of(b'"' + b"x" * 400_000 + b'"')) for _ in range(5)]
    for snapshot in large:
        publish(copied.client, snapshot)
    with running_edge(copied.settings(edge_snapshot_memory_mb=1)) as edge:
        assert versions(edge, large) == {1}
    copied.server.kill()
    with running_edge(copied.settings(edge_snapshot_memory_mb=1)) as edge:
        assert versions(edge, large * 2) == {1}
        assert edge.get("/health/ready").json()["snapshots"]["held"] < 5


def test_redis_back_the_newest_revision_is_served_within_two_seconds_and_never_an_older_one(
    copied: CopiedProjects,
) -> None:
    first = copied.snapshots[0]
    # What an edge that was cut off has on disk: Redis has moved on without it.
    for revision in (2, 3):
        publish(copied.client, next_revision(first, revision=revision))
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        with watched(edge, first) as seen:
            eventually(lambda: len(seen) > 20)
            copied.server.start()
            eventually(lambda: seen[-1] == 3, within=2)
        assert set(seen) == {1, 3}
        assert seen == sorted(seen)
        # What was confirmed by itself may be there a moment before the change stream is followed again.
        eventually(lambda: edge.get("/health/ready").json()["status"] == "ready")
        eventually(lambda: _copy_is_of(copied, first, 3))


def test_a_copy_of_a_project_that_is_not_in_memory_is_renewed_too(copied: CopiedProjects) -> None:
    first, second = copied.snapshots[:2]
    publish(copied.client, next_revision(first, revision=2))
    with running_edge(copied.settings()):
        eventually(lambda: _copy_is_of(copied, first, 2))
        publish(copied.client, next_revision(second, revision=5))
        eventually(lambda: _copy_is_of(copied, second, 5))


def test_a_deleted_project_is_gone_from_disk_at_once(copied: CopiedProjects) -> None:
    held, unheld = copied.snapshots[:2]
    with running_edge(copied.settings()) as edge:
        assert version(edge, held) == 1
        for snapshot in (held, unheld):
            publish(copied.client, Snapshot.tombstone(snapshot.project_id, 2))
        eventually(lambda: not copied.file_of(held).exists() and not copied.file_of(unheld).exists(), within=2)
        assert versions(edge, [held, unheld]) == {-401}
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, [held, unheld]) == {-503}


def test_a_project_deleted_while_no_edge_ran_is_gone_from_disk_after_the_next_start(copied: CopiedProjects) -> None:
    deleted = copied.snapshots[0]
    # Told by nothing but the tombstone.
    store(copied.client, Snapshot.tombstone(deleted.project_id, 2))
    with running_edge(copied.settings()) as edge:
        eventually(lambda: not copied.file_of(deleted).exists())
        assert version(edge, deleted) == -401
        assert version(edge, copied.snapshots[1]) == 1


def test_a_project_whose_tombstone_has_expired_is_not_brought_back_by_its_copy(copied: CopiedProjects) -> None:
    deleted = copied.snapshots[0]
    copied.client.delete(snapshot_key(deleted.project_id))
    _age_contact(copied, days=2)
    with running_edge(copied.settings()) as edge:
        eventually(lambda: not copied.file_of(deleted).exists())
        eventually(lambda: version(edge, deleted) == -401)
        assert version(edge, copied.snapshots[1]) == 1


def test_projects_that_redis_has_lost_are_served_from_disk(copied: CopiedProjects) -> None:
    copied.client.flushall()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {1}
        assert edge.get("/health/ready").json()["status"] == "ready"
        publish(copied.client, next_revision(copied.snapshots[0]))
        eventually(lambda: version(edge, copied.snapshots[0]) == 2)


def test_damaged_copies_are_skipped_and_removed(copied: CopiedProjects) -> None:
    damaged, empty, foreign, sound = copied.snapshots[:4]
    content = bytearray(copied.file_of(damaged).read_bytes())
    content[-1] ^= 1
    copied.file_of(damaged).write_bytes(content)
    copied.file_of(empty).write_bytes(b"")
    copied.file_of(foreign).write_bytes(copied.file_of(sound).read_bytes())
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, [damaged, empty, foreign]) == {-503}
        assert version(edge, sound) == 1
        assert not any(copied.file_of(one).exists() for one in (damaged, empty, foreign))
        copied.server.start()
        eventually(lambda: versions(edge, copied.snapshots) == {1})
        eventually(lambda: copied.file_of(damaged).exists())


def test_the_folder_holds_no_secret_and_nobody_else_can_read_it(copied: CopiedProjects) -> None:
    files = list(copied.path.iterdir())
    assert sum(file.name.endswith(".snapshot") for file in files) == PROJECTS
    assert not any(b"obk_" in file.read_bytes() for file in files)
    assert {file.stat().st_mode & 0o077 for file in [copied.path, *files]} == {0}


def test_two_edges_share_a_folder(copied: CopiedProjects) -> None:
    with running_edge(copied.settings()) as one, running_edge(copied.settings()) as other:
        for revision in range(2, 12):
            for snapshot in copied.snapshots[:4]:
                publish(copied.client, next_revision(snapshot, revision=revision))
            assert max(versions(one, copied.snapshots[:4]) | versions(other, copied.snapshots[:4])) <= revision
        eventually(lambda: all(_copy_is_of(copied, snapshot, 11) for snapshot in copied.snapshots[:4]))
        publish(copied.client, Snapshot.tombstone(copied.snapshots[0].project_id, 12))
        eventually(lambda: versions(one, copied.snapshots[:1]) | versions(other, copied.snapshots[:1]) == {-401})
        eventually(lambda: not copied.file_of(copied.snapshots[0]).exists())
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots[1:4]) == {11}
        assert version(edge, copied.snapshots[0]) == -503


def test_an_edge_whose_folder_cannot_be_used_goes_on_without_it_and_says_so(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    with running_edge(edge_settings(redis_url, edge_snapshot_folder=tmp_path / "file" / "copies")) as edge:
        assert version(edge, snapshot) == 1
        eventually(lambda: edge.get("/health/ready").json()["snapshots"]["disk_copy"] == "failing")
        publish(redis_client, next_revision(snapshot))
        eventually(lambda: version(edge, snapshot) == 2)


def test_a_full_disk_costs_the_copies_and_nothing_else(
    redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    outgrown = next_revision(snapshot, config=ConfigDocument.of(b'"' + b"x" * 100_000 + b'"'))
    file = tmp_path / "copies" / f"{snapshot.project_id}.snapshot"
    with running_edge(edge_settings(redis_url, edge_snapshot_folder=tmp_path / "copies")) as edge:
        assert version(edge, snapshot) == 1
        eventually(file.exists)
        with small_files():
            publish(redis_client, outgrown)
            eventually(lambda: version(edge, snapshot) == 2)
            eventually(lambda: edge.get("/health/ready").json()["snapshots"]["disk_copy"] == "failing")
        # Rather none than one that is older than what was served.
        assert not file.exists()
        publish(redis_client, next_revision(outgrown))
        eventually(lambda: edge.get("/health/ready").json()["snapshots"]["disk_copy"] == "written")
        assert file.exists()


def test_keys_are_not_honoured_once_redis_has_been_away_for_longer_than_allowed(copied: CopiedProjects) -> None:
    first = copied.snapshots[0]
    with running_edge(copied.settings(edge_max_stale_seconds=2.5)) as edge:
        assert version(edge, first) == 1
        copied.server.kill()
        assert version(edge, first) == 1
        eventually(lambda: version(edge, first) == -503)
        answer = config(edge, first)
        assert (answer.json()["code"], answer.headers["Retry-After"]) == ("UNAVAILABLE", "1")
        assert edge.get("/health/ready").status_code == 503
        copied.server.start()
        eventually(lambda: version(edge, first) == 1, within=4)
        assert edge.get("/health/ready").status_code == 200


def test_copies_that_are_older_than_allowed_are_not_served(copied: CopiedProjects) -> None:
    copied.server.kill()
    _age_contact(copied, days=1)
    with running_edge(copied.settings(edge_max_stale_seconds=3600)) as edge:
        assert versions(edge, copied.snapshots) == {-503}
        assert edge.get("/health/ready").status_code == 503
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {1}


def test_an_empty_folder_makes_no_edge_ready(private_redis_server: RunningServer, tmp_path: Path) -> None:
    private_redis_server.kill()
    with running_edge(edge_settings(private_redis_server.url, edge_snapshot_folder=tmp_path / "copies")) as edge:
        assert edge.get("/health/ready").status_code == 503


@contextmanager
def small_files() -> Iterator[None]:
    """Let this process write no file of more than a few kilobytes, which fails like a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _copy_is_of(copied: CopiedProjects, snapshot: Snapshot, revision: int) -> bool:
    content = copied.file_of(snapshot).read_bytes()
    return read_header(content[:HEADER_BYTES], len(content)).revision == revision


def _age_contact(copied: CopiedProjects, *, days: int) -> None:
    file = copied.path / "last-contact"
    at = file.stat().st_mtime - days * 86_400
    os.utime(file, (at, at))
