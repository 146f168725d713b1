"""Publishing: committed changes reach Redis, others never do."""

import os
from datetime import timedelta
from pathlib import Path

import orjson
import redis
from sqlalchemy import delete, update

from common.credentials import secret_key_digest
from common.telemetry.tracing import NoSpans
from common.timestamps import utc_now
from common.wire.redis_keys import snapshot_key
from common.wire.snapshot import SecretKeyDigest, Snapshot
from management_api.db.engine import Database
from management_api.db.models.flows import Flow
from management_api.db.models.outbox import Publication, request_publication
from management_api.db.models.projects import Project, QaDevice
from publisher.assets import PageAssetPublisher
from publisher.batch import MAX_PROJECT_BYTES
from publisher.main import Publisher
from publisher.outbox import claim_waiting
from publisher.settings import PublisherSettings
from publisher.snapshot_store import TOMBSTONE_SECONDS, SnapshotStore
from tests.integration.publisher.published import announcements, revisions, stored_body, stored_snapshot
from tests.support.data.rows import (
    add_draft,
    add_flow,
    add_project,
    add_qa_devices,
    add_screen,
    add_secret_key,
    add_theme,
    add_user,
    change_document,
)
from tests.support.data.snapshots import response_of
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer


def add_published_project(database: Database, publisher: Publisher) -> str:
    """Add a project at revision 1 and publish it."""
    with database.transaction() as session:
        project_id = add_project(session).id
    assert publisher.publish_batch() == 1
    return project_id


def test_committed_project_is_published(database: Database, publisher: Publisher, redis_client: redis.Redis) -> None:
    with database.transaction() as session:
        project = add_project(session, name="Shop", platforms=["ios"], analytics_enabled=False)
        theme = add_theme(session, project, is_default=True)
        default = add_flow(session, project, is_default=True, theme_id=theme.id)
        second = add_flow(session, project, priority=1)
        first = add_flow(session, project, priority=2, rollout_buckets=5)
        draft = add_flow(session, project, status="draft")
        add_screen(session, first)
        add_screen(session, draft)
        project_id, default_id = project.id, default.id
        targeted_ids, flow_ids = [first.id, second.id], {default.id, second.id, first.id, draft.id}
    assert publisher.publish_batch() == 1
    snapshot = stored_snapshot(redis_client, project_id)
    assert [flow.flow_id for flow in snapshot.targeted] == targeted_ids
    assert snapshot.default is not None
    assert snapshot.default.flow_id == default_id
    assert snapshot.flow_ids == flow_ids
    assert snapshot.platforms == ("ios",)
    assert not snapshot.analytics_enabled
    assert revisions(database, project_id) == (1, 1)
    assert announcements(redis_client) == [(project_id, 1, "0")]


def test_overrides_are_published_with_the_screens_of_their_flows(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        project = add_project(session)
        draft = add_flow(session, project, status="draft")
        archived = add_flow(session, project, status="archived")
        add_screen(session, draft)
        add_screen(session, archived)
        add_qa_devices(session, project, {"d2": draft.id, "d1": draft.id, "d3": archived.id})
        project_id, overridden = project.id, [(draft.id, ("d1", "d2")), (archived.id, ("d3",))]
    assert publisher.publish_batch() == 1
    snapshot = stored_snapshot(redis_client, project_id)
    assert [(flow.flow_id, flow.device_ids) for flow in snapshot.overrides] == sorted(overridden)
    assert [len(orjson.loads(response_of(snapshot, flow))["flow"]["screens"]) for flow in snapshot.overrides] == [1, 1]
    assert snapshot.targeted == ()


def test_nothing_waits_when_all_is_published(database: Database, publisher: Publisher) -> None:
    add_published_project(database, publisher)
    assert publisher.publish_batch() == 0


def test_rolled_back_change_is_never_published(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    project_id = add_published_project(database, publisher)
    with database.transaction() as session:
        session.execute(update(Project).values(name="Never"))
        request_publication(session, project_id)
        session.flush()
        assert publisher.publish_batch() == 0
        session.rollback()
    assert publisher.publish_batch() == 0
    assert stored_snapshot(redis_client, project_id).revision == 1


def test_many_changes_are_one_publication(database: Database, publisher: Publisher, redis_client: redis.Redis) -> None:
    project_id = add_published_project(database, publisher)
    for _ in range(5):
        with database.transaction() as session:
            request_publication(session, project_id)
    assert publisher.publish_batch() == 1
    assert announcements(redis_client) == [(project_id, 1, "0"), (project_id, 6, "0")]


def test_deleted_project_leaves_a_tombstone_that_expires(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    project_id = add_published_project(database, publisher)
    assert redis_client.ttl(snapshot_key(project_id)) == -1
    with database.transaction() as session:
        session.execute(delete(Project))
        request_publication(session, project_id, deleted=True)
    assert publisher.publish_batch() == 1
    assert stored_snapshot(redis_client, project_id) == Snapshot.tombstone(project_id, 2)
    assert announcements(redis_client)[-1] == (project_id, 2, "1")
    assert 0 < redis_client.ttl(snapshot_key(project_id)) <= TOMBSTONE_SECONDS


def test_claim_of_a_dead_publisher_expires_and_is_published_again(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        project_id = add_project(session).id
    # This one claims, writes and dies.
    assert claim_waiting(database, batch_size=10, seconds=60) == [project_id]
    SnapshotStore(redis_client).write([Snapshot.tombstone(project_id, 1)])
    assert publisher.publish_batch() == 0
    with database.transaction() as session:
        session.execute(update(Publication).values(claimed_until=utc_now() - timedelta(seconds=1)))
    assert publisher.publish_batch() == 1
    assert not stored_snapshot(redis_client, project_id).deleted
    assert revisions(database, project_id) == (1, 1)


def test_secret_keys_travel_as_digests_only(
    database: Database, publisher: Publisher, redis_client: redis.Redis, master_key: str
) -> None:
    with database.transaction() as session:
        project = add_project(session)
        alive, key = add_secret_key(session, project, master_key)
        add_secret_key(session, project, master_key, expires_at=utc_now())
        project_id, key_id = project.id, alive.id
    publisher.publish_batch()
    assert stored_snapshot(redis_client, project_id).secret_keys == (
        SecretKeyDigest(key_id, secret_key_digest(key), None),
    )
    assert key.encode() not in (stored_body(redis_client, project_id) or b"")


def test_project_that_cannot_be_compiled_waits_while_the_others_go_on(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        broken = add_project(session)
        flow = add_flow(session, broken, conditions=[{"attribute": 7}])
        sound_id, broken_id, flow_id = add_project(session).id, broken.id, flow.id
    assert publisher.publish_batch() == 2
    assert stored_snapshot(redis_client, sound_id).revision == 1
    assert stored_body(redis_client, broken_id) is None
    # It is neither forgotten nor tried without a pause.
    assert publisher.publish_batch() == 0
    assert revisions(database, broken_id) == (1, 0)
    with database.transaction() as session:
        change_document(session, session.get_one(Flow, flow_id), targeting={"percentage": 100, "conditions": []})
    assert eventually(publisher.publish_batch) == 1
    assert stored_snapshot(redis_client, broken_id).revision == 1


def test_project_that_cannot_be_read_waits_while_the_others_go_on(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        flow = add_flow(session, add_project(session))
        # No release stores a screen without its type.
        add_draft(session, flow, add_user(session), {"screens": [{"id": "screen_a"}]})
        session.add(QaDevice(project_id=flow.project_id, device_id="a", flow_id=flow.id, draft=True))
        sound_id, broken_id = add_project(session).id, flow.project_id
    assert publisher.publish_batch() == 2
    assert stored_snapshot(redis_client, sound_id).revision == 1
    assert (revisions(database, broken_id), publisher.metrics.failed) == ((1, 0), 1)


def test_snapshot_above_the_limit_of_redis_waits_while_the_others_go_on(
    settings: PublisherSettings, database: Database, private_redis_server: RunningServer
) -> None:
    with database.transaction() as session:
        large = add_project(session)
        add_screen(session, add_flow(session, large), content={"text": os.urandom(1_000_000).hex()})
        sound_ids, large_id = [add_project(session).id for _ in range(3)], large.id
    with redis.Redis.from_url(private_redis_server.url) as client:
        client.config_set("proto-max-bulk-len", 1024 * 1024)
        assets = PageAssetPublisher(client, Path("/nowhere"))
        publisher = Publisher(settings, database, SnapshotStore(client), assets, NoSpans())
        assert publisher.publish_batch() == 4
        assert [stored_snapshot(client, project_id).revision for project_id in sound_ids] == [1, 1, 1]
    assert (revisions(database, large_id), publisher.metrics.failed) == ((1, 0), 1)


def test_project_above_the_largest_size_waits_while_the_others_go_on(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        flow = add_flow(session, add_project(session))
        for _ in range(4):
            # Compressed by PostgreSQL to a hundredth.
            add_screen(session, flow, content={"text": "large " * (MAX_PROJECT_BYTES // 20)})
        sound_id, large_id = add_project(session).id, flow.project_id
    assert publisher.publish_batch() == 2
    assert stored_snapshot(redis_client, sound_id).revision == 1
    assert (revisions(database, large_id), publisher.metrics.failed) == ((1, 0), 1)


def test_database_restored_from_a_backup_catches_up_with_the_revisions_that_are_out(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    project_id = add_published_project(database, publisher)
    SnapshotStore(redis_client).write([Snapshot.tombstone(project_id, 40)])
    with database.transaction() as session:
        request_publication(session, project_id)
    assert publisher.publish_batch() == 1
    assert publisher.publish_batch() == 1
    assert stored_snapshot(redis_client, project_id).revision == 41
    assert revisions(database, project_id) == (41, 41)
    assert not stored_snapshot(redis_client, project_id).deleted


def test_large_numbers_of_postgresql_keep_their_values(
    database: Database, publisher: Publisher, redis_client: redis.Redis
) -> None:
    with database.transaction() as session:
        project = add_project(session)
        add_screen(session, add_flow(session, project), content={"huge": 1e30, "tiny": 1e-7})
        project_id = project.id
    publisher.publish_batch()
    (part,) = stored_snapshot(redis_client, project_id).flow_parts
    assert b'"content":{"huge":1e+30,"tiny":1e-7}' in part.body
