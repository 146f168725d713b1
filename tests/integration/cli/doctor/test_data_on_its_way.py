"""The doctor on changes to the edge, events to PostgreSQL, and keys."""

import re
import time
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import redis
from pydantic import SecretStr
from sqlalchemy import text

from cli.doctor.checks.environment import check_settings
from cli.doctor.checks.events import (
    check_dead_letters,
    check_event_streams,
    check_lost_streams,
    check_maintenance,
    check_quotas,
    check_spool,
)
from cli.doctor.checks.keys import check_master_key
from cli.doctor.checks.publishing import check_pages, check_publishers, check_snapshots
from cli.doctor.installation import Installation
from cli.doctor.result import Level
from common.wire.redis_keys import (
    EVENT_FIELD,
    INSTALLATION,
    SNAPSHOT_FORMAT,
    USED_QUOTAS,
    event_stream,
    snapshot_key,
)
from common.wire.snapshot import CONTENT_VERSION, Snapshot
from common.wire.used_quotas import STATE_FIELD, UsedQuotas
from deploy.local.loopback_ports import free_port
from management_api.background.health import record_failure, record_success
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Project
from management_api.db.psycopg_connection import driver_connection
from management_api.event_consumer.known_streams import KnownStreams
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import EventStream, StreamEntry, connect
from publisher.main import rebuild_all
from publisher.settings import PublisherSettings
from publisher.snapshot_store import SnapshotStore
from tests.integration.cli.doctor.results import results_of
from tests.support.data.pages import publish_assets
from tests.support.data.rows import add_project, add_secret_key
from tests.support.data.snapshots import a_snapshot

_OLD = "UPDATE publications SET updated_at = now() - interval '1 minute'"


@pytest.fixture
def project_id(database: Database, master_key: str) -> str:
    """Return a project with encrypted keys that waits to be published."""
    with database.transaction() as session:
        project = add_project(session)
        sealed = KeyVault(SecretStr(master_key)).encrypt("obk_pk_public", owner_id=project.id)
        session.get_one(Project, project.id).public_key_sealed = sealed
        add_secret_key(session, project, master_key)
        return project.id


@pytest.fixture
def published_id(database_url: str, redis_url: str, master_key: str, project_id: str) -> str:
    settings = PublisherSettings(
        database_url=SecretStr(database_url), redis_url=SecretStr(redis_url), master_key=SecretStr(master_key)
    )
    assert rebuild_all(settings, lambda _done, _total: None) == 1
    return project_id


@pytest.mark.usefixtures("project_id")
def test_changes_without_a_publisher_are_wrong(installation: Installation, database_url: str) -> None:
    [(level, sentence)] = results_of(check_publishers, installation)
    assert (level, sentence.startswith("No publisher listens")) == (Level.WARNING, True)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(_OLD)
        [(level, sentence)] = results_of(check_publishers, installation)
        assert level is Level.ERROR
        assert "1 project waits to be published, the oldest change for 60 s." in sentence
        connection.execute("LISTEN publications")
        [(level, sentence)] = results_of(check_publishers, installation)
        assert (level, sentence.startswith("1 project waits")) == (Level.ERROR, True)


@pytest.mark.usefixtures("published_id")
def test_idle_publisher_is_well(installation: Installation, database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("LISTEN publications")
        assert results_of(check_publishers, installation) == [(Level.OK, "1 publisher listens. Nothing waits.")]


def test_missing_or_older_snapshot_is_wrong(
    installation: Installation, redis_client: redis.Redis, published_id: str
) -> None:
    assert [level for level, _ in results_of(check_snapshots, installation)] == [Level.OK]
    redis_client.hset(snapshot_key(published_id), "revision", "0")
    [(level, sentence)] = results_of(check_snapshots, installation)
    assert (level, published_id in sentence, "older" in sentence) == (Level.ERROR, True, True)
    redis_client.delete(snapshot_key(published_id))
    assert results_of(check_snapshots, installation) == [
        (Level.ERROR, f"Redis lacks the published snapshot of {published_id}.")
    ]


def test_snapshot_of_a_project_that_the_database_lacks_is_wrong(
    installation: Installation, redis_client: redis.Redis, published_id: str
) -> None:
    assert published_id
    SnapshotStore(redis_client).write(
        [a_snapshot(project_id="proj_lost", revision=7), Snapshot.tombstone("proj_deleted", 2)]
    )
    assert results_of(check_snapshots, installation) == [
        (
            Level.ERROR,
            "Redis has snapshots of 1 project that the database does not have: proj_lost. Edges serve them.",
        )
    ]


def test_snapshots_of_another_format_are_wrong(
    installation: Installation, redis_client: redis.Redis, published_id: str
) -> None:
    assert published_id
    redis_client.set(SNAPSHOT_FORMAT, CONTENT_VERSION + 1)
    [(level, sentence), _] = results_of(check_snapshots, installation)
    assert (level, "format" in sentence) == (Level.ERROR, True)


def test_redis_of_another_database_is_wrong(installation: Installation, redis_client: redis.Redis) -> None:
    redis_client.set(INSTALLATION, "0" * 32)
    [(level, sentence)] = results_of(check_snapshots, installation)
    assert (level, sentence.startswith("Redis has the snapshots of another database")) == (Level.ERROR, True)


def test_events_without_a_consumer_are_wrong_and_late_ones_a_warning(
    installation: Installation, redis_client: redis.Redis, redis_url: str
) -> None:
    assert results_of(check_event_streams, installation) == [
        (Level.ERROR, "No event consumer is running. Nothing waits.")
    ]
    with connect(redis_url) as client:
        group = EventStream(client, event_stream(0), "somebody")
        group.create_group()
        group.send_heartbeat()
        assert results_of(check_event_streams, installation) == [
            (Level.OK, "1 event consumer is running. Nothing waits.")
        ]
        # An entry of 1970.
        redis_client.xadd(event_stream(0), {EVENT_FIELD: b"late"}, id="1-1")
        [(level, sentence)] = results_of(check_event_streams, installation)
        assert (level, sentence.startswith("1 event waits for PostgreSQL")) == (Level.WARNING, True)


def test_lost_event_streams_are_a_warning_for_a_week(installation: Installation, database: Database) -> None:
    streams = KnownStreams(database)
    streams.add(event_stream(0))
    assert [level for level, _ in results_of(check_lost_streams, installation)] == [Level.OK]
    with database.transaction() as session:
        session.execute(text("UPDATE event_streams SET added_at = added_at - interval '1 day'"))
    assert streams.record_loss(event_stream(0), made_seconds_ago=1.0)
    assert [level for level, _ in results_of(check_lost_streams, installation)] == [Level.WARNING]
    with database.transaction() as session:
        session.execute(text("UPDATE event_streams SET lost_at = lost_at - interval '8 days'"))
    assert [level for level, _ in results_of(check_lost_streams, installation)] == [Level.OK]


def test_dead_letters_are_a_warning_by_kind(installation: Installation, database: Database) -> None:
    assert [level for level, _ in results_of(check_dead_letters, installation)] == [Level.OK]
    BatchStore(database).store_dead_letter(StreamEntry("stream", "1-0", b"\xff"), "Odd: whatever the reason says")
    assert results_of(check_dead_letters, installation) == [
        (Level.WARNING, "Some events could not be stored (Odd: 1).")
    ]


def test_events_of_unknown_projects_are_a_warning_of_their_own(installation: Installation, database: Database) -> None:
    BatchStore(database).store_dead_letter(
        StreamEntry("stream", "1-0", b"\xff"), "UnknownProject: proj_1 was never here"
    )
    assert results_of(check_dead_letters, installation) == [
        (Level.WARNING, "1 event is kept as dead letters because the project was never in this database.")
    ]


def test_maintenance_that_fails_is_a_warning_and_after_half_an_hour_wrong(
    installation: Installation, database: Database
) -> None:
    assert [level for level, _ in results_of(check_maintenance, installation)] == [Level.NOT_CHECKED]
    with database.transaction() as session:
        record_success(driver_connection(session), "compaction")
        record_success(driver_connection(session), "retention")
    assert [level for level, _ in results_of(check_maintenance, installation)] == [Level.OK]
    with database.transaction() as session:
        record_failure(driver_connection(session), "compaction", "ValueError: a damaged row")
    [(level, sentence)] = results_of(check_maintenance, installation)
    assert (level, "compaction" in sentence, "ValueError: a damaged row" in sentence) == (Level.WARNING, True, True)
    with database.transaction() as session:
        session.execute(text("UPDATE maintenance_chores SET succeeded_at = now() - interval '31 min'"))
    assert results_of(check_maintenance, installation) == [
        (
            Level.ERROR,
            "The maintenance chore compaction has not succeeded for 31 min, because of ValueError: a damaged row.",
        ),
        (Level.ERROR, "The maintenance chore retention has not succeeded for 31 min, and no process has tried since."),
    ]


def test_events_in_the_spool_are_a_warning_and_damage_is_wrong(installation: Installation, tmp_path: Path) -> None:
    assert [level for level, _ in results_of(check_spool, installation)] == [Level.NOT_CHECKED]
    folder = tmp_path / "spool"
    installation = Installation(installation.settings.model_copy(update={"edge_spool_folder": folder}))
    folder.mkdir()
    assert [level for level, _ in results_of(check_spool, installation)] == [Level.OK]
    (folder / "1.sqlite").write_bytes(b"events")
    (folder / "1.sqlite-wal").write_bytes(b"their log")
    assert results_of(check_spool, installation) == [(Level.WARNING, f"15 bytes of events wait on disk in {folder}.")]
    (folder / "damaged").mkdir()
    (folder / "damaged" / "2.sqlite").touch()
    assert [level for level, _ in results_of(check_spool, installation)] == [Level.ERROR, Level.WARNING]


@pytest.mark.usefixtures("project_id")
def test_wrong_master_key_is_wrong_and_a_former_one_a_warning(installation: Installation, master_key: str) -> None:
    assert results_of(check_master_key, installation) == [
        (Level.OK, "The master key decrypts 2 of 2 secrets in the sample.")
    ]
    another = "A" * 43 + "="
    wrongly = with_master_key(installation, another)
    assert results_of(check_master_key, wrongly) == [
        (Level.ERROR, "The master key decrypts 0 of 2 secrets in the sample.")
    ]
    rotating = with_master_key(installation, f"{another},{master_key}")
    assert results_of(check_master_key, rotating) == [
        (Level.WARNING, "A former master key is still needed for 2 of 2 secrets in the sample.")
    ]
    assert [level for level, _ in results_of(check_master_key, with_master_key(installation, None))] == [
        Level.NOT_CHECKED
    ]


def test_invalid_settings_are_wrong_and_unknown_ones_a_warning(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [level for level, _ in results_of(check_settings, installation)] == [Level.OK]
    monkeypatch.setenv("ONBOARDING_EDGE_WORKERS", "0")
    monkeypatch.setenv("ONBOARDING_EDGE_WORKER", "2")
    (wrong, what), (warned, of) = results_of(check_settings, installation)
    assert (wrong, what.startswith("A setting is invalid: ONBOARDING_EDGE_WORKERS: ")) == (Level.ERROR, True)
    assert (warned, of) == (Level.WARNING, "ONBOARDING_EDGE_WORKER is set, and no process reads it.")


def with_master_key(installation: Installation, master_key: str | None) -> Installation:
    """Return the installation with that key in the environment, or with none."""
    key = None if master_key is None else SecretStr(master_key)
    return replace(installation, settings=installation.settings.model_copy(update={"master_key": key}))


def test_missing_assets_of_pages_are_a_warning(installation: Installation) -> None:
    [(level, sentence)] = results_of(check_pages, installation)
    assert (level, "not published" in sentence) == (Level.WARNING, True)


def test_public_url_that_leads_to_no_edge_is_reported(installation: Installation, redis_client: redis.Redis) -> None:
    publish_assets(redis_client)
    [(level, _)] = results_of(check_pages, installation)
    assert level == Level.OK
    settings = installation.settings.model_copy(update={"edge_public_url": f"http://127.0.0.1:{free_port()}"})
    [(level, sentence)] = results_of(check_pages, replace(installation, settings=settings))
    assert (level, "does not answer" in sentence) == (Level.WARNING, True)


def test_projects_past_a_quota_are_a_warning_until_midnight(installation: Installation) -> None:
    assert [level for level, _ in results_of(check_quotas, installation)] == [Level.OK]
    quotas = {f"proj_{number:02}": frozenset({"events", "new_devices"}) for number in range(12)}
    for resets_in, expected in ((600, Level.WARNING), (-1, Level.OK)):
        _, state = UsedQuotas(int(time.time()) + resets_in, quotas).encode()
        with redis.Redis.from_url(installation.redis_url) as client:
            client.hset(USED_QUOTAS, STATE_FIELD, state)
        [(level, sentence)] = results_of(check_quotas, installation)
        assert level is expected
        if level is Level.WARNING:
            assert "of proj_00 (events, new_devices), proj_01" in sentence
            assert re.search(r" and \d+ more\.$", sentence)
