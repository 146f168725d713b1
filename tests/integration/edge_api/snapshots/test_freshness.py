"""Copies are as new as the stored position; nothing is deleted or refused before Redis is known to be complete."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from common.wire.redis_keys import CHANGE_STREAM, SNAPSHOT_FORMAT, snapshot_key
from common.wire.snapshot import CONTENT_VERSION, Snapshot
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.edge_api.snapshots.copied_projects import PROJECTS, CopiedProjects, version, versions
from tests.support.data.disk_snapshots import age_sync, copied_revisions, stored_position
from tests.support.data.snapshots import a_snapshot, announce, mark_complete, next_revision, publish, store
from tests.support.polling import eventually

#: Runs the snapshots of a worker until it is killed.
WORKER = """
import asyncio, sys
from pathlib import Path
from tests.integration.edge_api.running_edge import edge_settings
from tests.integration.edge_api.snapshots.snapshot_worker import running_snapshots

async def run():
    async with running_snapshots(edge_settings(sys.argv[1], edge_snapshot_folder=Path(sys.argv[2]))) as snapshots:
        print(await snapshots.cache.load(sys.argv[3]) is not None, flush=True)
        await asyncio.sleep(600)

asyncio.run(run())
"""


@contextmanager
def other_worker(copied: CopiedProjects) -> Iterator[subprocess.Popen[str]]:
    """Run another worker in a process of its own, which has loaded a project."""
    arguments = [sys.executable, "-c", WORKER, copied.server.url, str(copied.path), copied.snapshots[0].project_id]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as worker:  # noqa: S603 - our own program
        try:
            assert worker.stdout is not None
            assert "True" in iter(lambda: worker.stdout.readline().strip(), "")  # type: ignore[union-attr]
            yield worker
        finally:
            worker.kill()


def lose_all_data(copied: CopiedProjects) -> None:
    """Empty Redis, and wait until the edge has noticed."""
    copied.client.flushall()
    eventually(lambda: stored_position(copied.path) == (None, (0, 0)), within=20)


def test_empty_redis_without_a_publisher_takes_nothing_from_an_edge(copied: CopiedProjects) -> None:
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots[:6]) == {1}
        lose_all_data(copied)
        assert versions(edge, copied.snapshots) == {1}
        assert version(edge, a_snapshot()) == -503
    # No rule depends on the length of an outage: a restart after two hours finds the same.
    age_sync(copied.path, hours=2)
    with running_edge(copied.settings()) as edge:
        assert versions(edge, copied.snapshots) == {1}
        assert edge.get("/health/ready").status_code == 200
    assert len(copied_revisions(copied.path)) == PROJECTS


def test_edge_follows_a_redis_that_is_filled_again(copied: CopiedProjects) -> None:
    kept, deleted = copied.snapshots[:2]
    with running_edge(copied.settings()) as edge:
        assert versions(edge, [kept, deleted]) == {1}
        lose_all_data(copied)
        publish(copied.client, next_revision(kept))
        eventually(lambda: version(edge, kept) == 2)
        assert version(edge, deleted) == 1
        mark_complete(copied.client, "another epoch")
        eventually(lambda: version(edge, deleted) == -401)
        eventually(lambda: copied_revisions(copied.path) == {kept.project_id: 2})


def test_restarted_edge_has_no_copy_that_is_older_than_redis(copied: CopiedProjects) -> None:
    deleted, revoked, changed = copied.snapshots[:3]
    publish(copied.client, Snapshot.tombstone(deleted.project_id, 2))
    publish(copied.client, next_revision(revoked, secret_keys=()))
    publish(copied.client, next_revision(changed, revision=7))
    with running_edge(copied.settings()) as edge:
        assert [version(edge, snapshot) for snapshot in (deleted, revoked, changed)] == [-401, -401, 7]
        eventually(lambda: copied.copied_revision(changed) == 7)
        eventually(lambda: copied.copied_revision(revoked) == 2)
    copied.server.kill()
    with running_edge(copied.settings()) as edge:
        assert [version(edge, snapshot) for snapshot in (deleted, revoked, changed)] == [-401, -401, 7]


def test_copies_are_compared_when_the_stored_position_was_trimmed(copied: CopiedProjects) -> None:
    missed, witness = copied.snapshots[:2]
    store(copied.client, next_revision(missed))
    announce(copied.client, witness)
    copied.client.xtrim(CHANGE_STREAM, maxlen=1, approximate=False)
    with running_edge(copied.settings()):
        eventually(lambda: copied.copied_revision(missed) == 2)


@pytest.mark.parametrize("mark", [None, f"{CONTENT_VERSION} begun", "1"])
def test_comparison_deletes_copies_only_when_redis_is_complete(copied: CopiedProjects, mark: str | None) -> None:
    lost, witness = copied.snapshots[:2]
    copied.client.delete(snapshot_key(lost.project_id), SNAPSHOT_FORMAT)
    if mark is not None:
        copied.client.set(SNAPSHOT_FORMAT, mark)
    store(copied.client, next_revision(witness))
    announce(copied.client, witness)
    copied.client.xtrim(CHANGE_STREAM, maxlen=1, approximate=False)
    with running_edge(copied.settings()) as edge:
        eventually(lambda: copied.copied_revision(witness) == 2)
        if mark == "1":
            eventually(lambda: copied.copied_revision(lost) is None)
        assert version(edge, lost) == (-401 if mark == "1" else 1)


def test_another_worker_writes_the_copies_when_the_writer_is_killed(copied: CopiedProjects) -> None:
    first, second = copied.snapshots[:2]
    with other_worker(copied) as writer, running_edge(copied.settings()) as edge:
        publish(copied.client, next_revision(first))
        eventually(lambda: copied.copied_revision(first) == 2)
        writer.kill()
        publish(copied.client, next_revision(second))
        eventually(lambda: copied.copied_revision(second) == 2)
        assert versions(edge, [first, second]) == {2}


def test_copy_that_is_newer_than_redis_is_served(copied: CopiedProjects) -> None:
    snapshot = copied.snapshots[0]
    publish(copied.client, next_revision(snapshot, revision=5))
    with running_edge(copied.settings()):
        eventually(lambda: copied.copied_revision(snapshot) == 5)
    # A replica that lacked the last change has become the master.
    store(copied.client, next_revision(snapshot, revision=4))
    with running_edge(copied.settings()) as edge:
        assert version(edge, snapshot) == 5


@pytest.mark.usefixtures("long_absences")
def test_missing_project_is_unavailable_until_redis_is_complete(copied: CopiedProjects) -> None:
    made_up = a_snapshot()
    copied.client.delete(SNAPSHOT_FORMAT)
    with running_edge(edge_settings(copied.server.url)) as edge:
        copied.client.config_resetstat()
        assert {version(edge, made_up) for _ in range(5)} == {-503}
        assert copied.client.info("commandstats")["cmdstat_hmget"]["calls"] == 1
        publish(copied.client, made_up)
        eventually(lambda: version(edge, made_up) == 1)


def test_project_loaded_just_before_a_stop_has_a_copy(copied: CopiedProjects) -> None:
    late = a_snapshot()
    publish(copied.client, late)
    with running_edge(copied.settings()) as edge:
        assert version(edge, copied.snapshots[0]) == 1
        eventually(lambda: stored_position(copied.path) is not None)
        assert version(edge, late) == 1
    assert copied.copied_revision(late) == 1


def test_changes_are_applied_from_a_redis_of_the_publisher_before_the_epoch(
    redis_url: str, redis_client: redis.Redis
) -> None:
    redis_client.flushall()
    snapshot = a_snapshot()
    publish(redis_client, snapshot)
    with running_edge(edge_settings(redis_url)) as edge:
        for revision in (1, 2, 3):
            publish(redis_client, next_revision(snapshot, revision=revision))
            eventually(lambda: version(edge, snapshot) == revision)  # noqa: B023 - called at once
