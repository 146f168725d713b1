"""The copies on disk follow Redis, hold no secret, and are gone when they are damaged, outdated or of no project."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import Snapshot
from publisher.response_bodies import compress_config
from tests.integration.edge_api.copied_projects import PROJECTS, CopiedProjects, version, versions
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.polling import eventually
from tests.snapshots import a_snapshot, next_revision, publish, store


def test_a_copy_of_a_project_that_is_not_in_memory_is_renewed_too(copied: CopiedProjects) -> None:
    first, second = copied.snapshots[:2]
    publish(copied.client, next_revision(first, revision=2))
    with running_edge(copied.settings()):
        eventually(lambda: copied.is_copied(first, 2))
        publish(copied.client, next_revision(second, revision=5))
        eventually(lambda: copied.is_copied(second, 5))


def test_a_deleted_project_is_gone_from_disk_at_once(copied: CopiedProjects) -> None:
    held, unheld = copied.snapshots[:2]
    with running_edge(copied.settings()) as edge:
        assert version(edge, held) == 1
        for snapshot in (held, unheld):
            publish(copied.client, Snapshot.tombstone(snapshot.project_id, 2))
        eventually(lambda: not copied.file_of(held).exists() and not copied.file_of(unheld).exists())
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
    copied.age_contact(days=2)
    with running_edge(copied.settings()) as edge:
        eventually(lambda: not copied.file_of(deleted).exists())
        eventually(lambda: version(edge, deleted) == -401)
        assert version(edge, copied.snapshots[1]) == 1


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
        eventually(lambda: all(copied.is_copied(snapshot, 11) for snapshot in copied.snapshots[:4]))
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
    outgrown = next_revision(snapshot, config=compress_config(b'"' + b"x" * 100_000 + b'"'))
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


@contextmanager
def small_files() -> Iterator[None]:
    """Let this process write no file of more than a few kilobytes, which fails like a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
