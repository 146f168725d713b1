"""Republishing everything."""

from pathlib import Path

import redis
from pydantic import SecretStr
from sqlalchemy import delete, update

from common.telemetry.tracing import NoSpans
from common.wire.redis_keys import SNAPSHOT_FORMAT, snapshot_key
from common.wire.snapshot import Snapshot
from management_api.db.engine import Database
from management_api.db.models.flows import Flow
from management_api.db.models.outbox import Publication, request_publication
from management_api.db.models.projects import Project
from publisher.assets import PageAssetPublisher
from publisher.main import Publisher, rebuild_all
from publisher.settings import PublisherSettings
from publisher.snapshot_store import TOMBSTONE_SECONDS, SnapshotStore
from tests.integration.publisher.published import announcements, stored_body, stored_snapshot
from tests.support.data.rows import add_flow, add_project, add_screen, add_secret_key, change_document
from tests.support.data.snapshots import a_snapshot
from tests.support.servers.running_server import RunningServer


def no_progress(_done: int, _total: int) -> None:
    """Listen to no progress."""


def test_flushed_redis_is_restored_at_higher_revisions(
    settings: PublisherSettings,
    database: Database,
    publisher: Publisher,
    redis_client: redis.Redis,
    master_key: str,
    assets_folder: Path,
) -> None:
    with database.transaction() as session:
        ids = []
        for _ in range(5):
            project = add_project(session)
            add_secret_key(session, project, master_key)
            add_screen(session, add_flow(session, project, is_default=True))
            ids.append(project.id)
        session.execute(delete(Project).where(Project.id == ids[0]))
        request_publication(session, ids[0], deleted=True)
    assert publisher.publish_batch() == 5
    before = [stored_snapshot(redis_client, project_id) for project_id in ids]
    redis_client.flushall()
    assert rebuild_all(settings, no_progress, assets_folder) == 5
    after = [stored_snapshot(redis_client, project_id) for project_id in ids]
    assert after[0] == before[0]
    assert after[0].deleted
    assert [snapshot.revision for snapshot in after[1:]] == [2, 2, 2, 2]
    assert [snapshot.secret_keys for snapshot in after] == [snapshot.secret_keys for snapshot in before]


def test_progress_has_a_line_for_every_batch(
    settings: PublisherSettings, database: Database, assets_folder: Path
) -> None:
    with database.transaction() as session:
        for _ in range(5):
            add_project(session)
    heard: list[tuple[int, int]] = []
    small_batches = settings.model_copy(update={"publisher_batch_size": 2})
    rebuild_all(small_batches, lambda done, total: heard.append((done, total)), assets_folder)
    assert heard == [(2, 5), (4, 5), (5, 5)]


def test_project_that_cannot_be_compiled_does_not_count(
    settings: PublisherSettings, database: Database, assets_folder: Path
) -> None:
    with database.transaction() as session:
        add_flow(session, add_project(session), conditions=[{"attribute": 7}])
        add_project(session)
    assert rebuild_all(settings, no_progress, assets_folder) == 1


def test_project_that_fails_in_a_rebuild_waits_for_the_next_attempt(
    publisher: Publisher, database: Database, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        project = add_project(session)
        flow_id, project_id = add_flow(session, project).id, project.id
    assert publisher.publish_batch() == 1
    redis_client.flushall()
    with database.transaction() as session:
        broken = {"percentage": 100, "conditions": [{"attribute": 7}]}
        change_document(session, session.get_one(Flow, flow_id), targeting=broken)
    assert [progress.failed for progress in publisher.rebuild()] == [1]
    with database.transaction() as session:
        change_document(session, session.get_one(Flow, flow_id), targeting={"percentage": 100, "conditions": []})
    assert publisher.publish_batch() == 1
    assert stored_snapshot(redis_client, project_id).revision == 1


def test_change_during_a_rebuild_is_published_before_its_end(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    one_by_one = settings.model_copy(update={"publisher_batch_size": 1})
    store, assets = SnapshotStore(redis_client), PageAssetPublisher(redis_client, assets_folder)
    publisher = Publisher(one_by_one, database, store, assets, NoSpans())
    with database.transaction() as session:
        *_, last_id = (add_project(session, id=f"proj_{number}").id for number in range(5))
    # As with a new build of the page assets: every project waits for its next revision.
    publisher.request_all()
    restoring = publisher.restore()
    assert next(restoring).done == 1
    with database.transaction() as session:
        request_publication(session, last_id)
    assert next(restoring).done == 2
    assert stored_snapshot(redis_client, last_id).revision == 3
    assert [progress.done for progress in restoring] == [3, 4, 5]


def test_rebuild_is_not_complete_when_redis_loses_its_data_meanwhile(
    publisher: Publisher, database: Database, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        add_project(session)
    for _ in publisher.rebuild():
        redis_client.flushall()
    assert redis_client.get(SNAPSHOT_FORMAT) is None


def test_project_deleted_long_ago_is_left_out(
    settings: PublisherSettings, database: Database, redis_client: redis.Redis, assets_folder: Path
) -> None:
    with database.transaction() as session:
        project_id = add_project(session).id
        session.execute(delete(Project))
        session.execute(update(Publication).values(deleted=True, updated_at="2020-01-01T00:00:00Z"))
    assert rebuild_all(settings, no_progress, assets_folder) == 0
    assert stored_body(redis_client, project_id) is None


def test_snapshots_of_projects_that_the_database_lacks_become_tombstones(
    settings: PublisherSettings,
    database: Database,
    publisher: Publisher,
    redis_client: redis.Redis,
    assets_folder: Path,
) -> None:
    with database.transaction() as session:
        kept_id, deleted_id = add_project(session).id, add_project(session).id
    SnapshotStore(redis_client).write([a_snapshot(project_id="proj_lost", revision=7)])
    assert publisher.publish_batch() == 2
    with database.transaction() as session:
        session.execute(delete(Project).where(Project.id == deleted_id))
    rebuild_all(settings, no_progress, assets_folder)
    assert stored_snapshot(redis_client, "proj_lost") == Snapshot.tombstone("proj_lost", 8)
    assert 0 < redis_client.ttl(snapshot_key("proj_lost")) <= TOMBSTONE_SECONDS
    assert ("proj_lost", 8, "1") in announcements(redis_client)
    assert not stored_snapshot(redis_client, kept_id).deleted
    # Its publication stays, so it is no orphan.
    assert stored_snapshot(redis_client, deleted_id).revision == 2
    rebuild_all(settings, no_progress, assets_folder)
    assert stored_snapshot(redis_client, "proj_lost").revision == 8


def test_snapshots_stay_while_the_database_has_no_publication(
    settings: PublisherSettings, redis_client: redis.Redis, assets_folder: Path
) -> None:
    SnapshotStore(redis_client).write([a_snapshot(project_id="proj_a", revision=7)])
    assert rebuild_all(settings, no_progress, assets_folder) == 0
    assert stored_snapshot(redis_client, "proj_a").revision == 7


def test_a_user_of_redis_without_scan_publishes_as_before(
    settings: PublisherSettings, database: Database, private_redis_server: RunningServer, assets_folder: Path
) -> None:
    with database.transaction() as session:
        project_id = add_project(session).id
    with redis.Redis.from_url(private_redis_server.url) as client:
        client.execute_command("ACL", "SETUSER", "default", "-scan")
        own = settings.model_copy(update={"redis_url": SecretStr(private_redis_server.url)})
        assert rebuild_all(own, no_progress, assets_folder) == 1
        assert stored_snapshot(client, project_id).revision == 2
