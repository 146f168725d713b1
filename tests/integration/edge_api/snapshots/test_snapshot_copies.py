"""The copies on disk follow Redis, contain no secret, and are not served when they are damaged or outdated."""

from pathlib import Path

import pytest
import redis

from common.wire.redis_keys import CHANGE_STREAM, snapshot_key
from common.wire.snapshot import Snapshot, encode_snapshot
from edge_api.snapshots.disk_store import DATABASE_NAME
from publisher.compiler import compress_config
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.edge_api.snapshots.copied_projects import PROJECTS, CopiedProjects, version, versions
from tests.support.data.disk_snapshots import body_of, change_body, copied_revisions
from tests.support.data.snapshots import a_snapshot, announce, next_revision, publish
from tests.support.full_disk import files_up_to
from tests.support.polling import eventually

DAMAGED = b"\xff" * 100


def test_copy_of_a_project_that_is_not_cached_is_renewed(copied: CopiedProjects) -> None:
    first, second = copied.snapshots[:2]
    publish(copied.client, next_revision(first, revision=2))
    with running_edge(copied.settings()):
        eventually(lambda: copied.copied_revision(first) == 2)
        publish(copied.client, next_revision(second, revision=5))
        eventually(lambda: copied.copied_revision(second) == 5)


def test_copy_of_a_deleted_project_is_removed(copied: CopiedProjects) -> None:
    cached, not_cached = copied.snapshots[:2]
    with running_edge(copied.settings()) as edge:
        assert version(edge, cached) == 1
        for snapshot in (cached, not_cached):
            publish(copied.client, Snapshot.tombstone(snapshot.project_id, 2))
        eventually(lambda: copied.copied_revision(cached) is None and copied.copied_revision(not_cached) is None)
        assert versions(edge, [cached, not_cached]) == {-401}
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        # The tombstones are copies, too.
        assert versions(edge, [cached, not_cached]) == {-401}


def test_copy_of_a_project_deleted_while_no_edge_ran_is_removed_after_the_start(copied: CopiedProjects) -> None:
    deleted = copied.snapshots[0]
    publish(copied.client, Snapshot.tombstone(deleted.project_id, 2))
    with running_edge(copied.settings()) as edge:
        eventually(lambda: copied.copied_revision(deleted) is None)
        assert version(edge, deleted) == -401
        assert version(edge, copied.snapshots[1]) == 1


@pytest.mark.parametrize("is_trimmed", [False, True])
def test_project_whose_tombstone_has_expired_is_not_served_from_its_copy(
    copied: CopiedProjects, *, is_trimmed: bool
) -> None:
    deleted, other = copied.snapshots[:2]
    announce(copied.client, Snapshot.tombstone(deleted.project_id, 2))
    copied.client.delete(snapshot_key(deleted.project_id))
    if is_trimmed:
        announce(copied.client, other)
        copied.client.xtrim(CHANGE_STREAM, maxlen=1, approximate=False)
    with running_edge(copied.settings()) as edge:
        assert version(edge, deleted) == -401
        eventually(lambda: copied.copied_revision(deleted) is None)
        assert version(edge, copied.snapshots[1]) == 1


def test_damaged_copies_are_not_served_and_renewed_when_redis_is_back(copied: CopiedProjects) -> None:
    damaged, empty, foreign, sound = copied.snapshots[:4]
    change_body(copied.path, damaged.project_id, DAMAGED)
    change_body(copied.path, empty.project_id, b"")
    change_body(copied.path, foreign.project_id, encode_snapshot(sound))
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, [damaged, empty, foreign]) == {-503}
        assert version(edge, sound) == 1
        assert not any(copied.copied_revision(snapshot) for snapshot in (damaged, empty, foreign))
        copied.server.start()
        eventually(lambda: versions(edge, copied.snapshots) == {1})
        eventually(lambda: len(copied_revisions(copied.path)) == PROJECTS)


def test_damaged_copy_is_healed_from_redis_without_a_request(copied: CopiedProjects) -> None:
    damaged = copied.snapshots[0]
    change_body(copied.path, damaged.project_id, DAMAGED)
    with running_edge(copied.settings()):
        eventually(lambda: body_of(copied.path, damaged.project_id) == encode_snapshot(damaged))
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {1}


def test_edge_with_only_damaged_copies_is_not_ready_while_redis_is_down(copied: CopiedProjects) -> None:
    for snapshot in copied.snapshots:
        change_body(copied.path, snapshot.project_id, DAMAGED)
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {-503}
        assert edge.get("/health/ready").status_code == 503
        copied.server.start()
        eventually(lambda: edge.get("/health/ready").status_code == 200)
        assert versions(edge, copied.snapshots) == {1}


def test_folder_contains_no_secret_and_is_readable_only_by_its_owner(copied: CopiedProjects) -> None:
    files = list(copied.path.iterdir())
    assert DATABASE_NAME in {file.name for file in files}
    assert not any(b"obk_" in file.read_bytes() for file in files)
    assert {file.stat().st_mode & 0o077 for file in [copied.path, *files]} == {0}


def test_edge_with_an_unusable_folder_serves_and_reports_it(
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


def test_full_disk_stops_only_the_copies(redis_url: str, redis_client: redis.Redis, tmp_path: Path) -> None:
    snapshot, folder = a_snapshot(), tmp_path / "copies"
    publish(redis_client, snapshot)
    outgrown = next_revision(snapshot, config=compress_config(b'"' + b"x" * 100_000 + b'"'))
    with running_edge(edge_settings(redis_url, edge_snapshot_folder=folder)) as edge:
        assert version(edge, snapshot) == 1
        eventually(lambda: copied_revisions(folder) == {snapshot.project_id: 1})
        with files_up_to(20_000):
            publish(redis_client, outgrown)
            eventually(lambda: version(edge, snapshot) == 2)
            eventually(lambda: edge.get("/health/ready").json()["snapshots"]["disk_copy"] == "failing")
        # The writer tries again by itself.
        eventually(lambda: copied_revisions(folder) == {snapshot.project_id: 2})
        eventually(lambda: edge.get("/health/ready").json()["snapshots"]["disk_copy"] == "written")
