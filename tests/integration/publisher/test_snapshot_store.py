"""Snapshots in Redis: revisions never go back, and orphans are found."""

from typing import Any

import redis

from common.wire.redis_keys import SNAPSHOT_FORMAT, is_complete
from common.wire.snapshot import CONTENT_VERSION, Snapshot
from publisher.snapshot_store import SnapshotState, SnapshotStore
from tests.integration.publisher.published import announcements, stored_snapshot
from tests.support.data.snapshots import a_snapshot


def test_older_revision_never_replaces_a_newer_one(redis_client: redis.Redis) -> None:
    store = SnapshotStore(redis_client)
    assert store.write([Snapshot.tombstone("proj_x", 9)]) == [9]
    # Compared as numbers: as text, "10" would come before "9".
    assert store.write([Snapshot.tombstone("proj_x", 10)]) == [10]
    assert store.write([Snapshot.tombstone("proj_x", 9)]) == [10]
    assert stored_snapshot(redis_client, "proj_x").revision == 10
    assert announcements(redis_client) == [("proj_x", 9, "1"), ("proj_x", 10, "1")]


def test_same_revision_may_be_written_again(redis_client: redis.Redis) -> None:
    store = SnapshotStore(redis_client)
    assert store.write([Snapshot.tombstone("proj_x", 9)]) == [9]
    assert store.write([Snapshot.tombstone("proj_x", 9)]) == [9]
    assert announcements(redis_client) == [("proj_x", 9, "1")] * 2


def test_orphans_are_the_snapshots_without_a_publication_that_are_no_tombstones(redis_client: redis.Redis) -> None:
    store = SnapshotStore(redis_client)
    store.write([a_snapshot(project_id="proj_a", revision=3), a_snapshot(project_id="proj_b", revision=4)])
    store.write([Snapshot.tombstone("proj_c", 5)])
    assert [orphan for page in store.orphans(lambda _: {"proj_a"}) for orphan in page] == [("proj_b", 4)]


def test_rebuild_keeps_a_complete_redis_complete_for_edges(redis_client: redis.Redis) -> None:
    store = SnapshotStore(redis_client)
    marks = []
    # An empty Redis, one that is complete, and one of the release before.
    for begin in (None, str(CONTENT_VERSION), str(CONTENT_VERSION - 1)):
        redis_client.delete(SNAPSHOT_FORMAT)
        if begin is not None:
            redis_client.set(SNAPSHOT_FORMAT, begin)
        store.mark_rebuild_started()
        mark: Any = redis_client.get(SNAPSHOT_FORMAT)
        marks.append((is_complete(mark), store.state("database") is SnapshotState.INCOMPLETE))
    assert marks == [(False, True), (True, True), (True, True)]
