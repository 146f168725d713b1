"""Maintenance: partitions made and dropped, days compacted, interrupted erasures completed."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, text, update

from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from common.wire.stream_records import EventRecord
from management_api.background import chores
from management_api.db.engine import Database
from management_api.db.models.analytics import ActivityRollup
from management_api.db.models.users import IdempotencyKey, User
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.rollups.erasure import begin_erasure, complete_erasures
from management_api.rollups.rebuild import rebuild_project
from tests.integration.management_api.event_consumer.stored_tables import count, rollups_of
from tests.integration.management_api.event_consumer.stream_records import an_event, entries_of
from tests.support.chores import chore_runner, run_chores

NOW = datetime(2026, 6, 15, tzinfo=UTC)


def do_all_chores(database: Database, now: datetime, *, keep_days: int = 400) -> None:
    run_chores(database, keep_days=keep_days, now=lambda: now)


def partitions(database: Database) -> dict[str, int]:
    with database.transaction() as session:
        query = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1"
        return {name: count(session, name) for name in session.scalars(text(query))}


def received(project_id: str, moment: datetime, **fields: object) -> EventRecord:
    milliseconds = int(moment.timestamp() * 1000)
    return an_event(project_id, received_at_ms=milliseconds, occurred_at_ms=milliseconds, **fields)


def test_partitions_are_made_ahead_and_take_what_had_none(
    database: Database, store: BatchStore, project_id: str
) -> None:
    store.store(entries_of([received(project_id, NOW)]))
    assert partitions(database) == {"events_default": 1}
    do_all_chores(database, NOW)
    do_all_chores(database, NOW)
    months = {"events_2026_06": 1, "events_2026_07": 0, "events_2026_08": 0}
    assert partitions(database) == {**months, "events_default": 0}
    store.store(entries_of([received(project_id, NOW + timedelta(days=20)), received(project_id, NOW)]))
    assert partitions(database) == {**months, "events_2026_06": 2, "events_2026_07": 1, "events_default": 0}


def test_old_events_are_dropped_and_stay_counted(database: Database, store: BatchStore, project_id: str) -> None:
    do_all_chores(database, NOW)
    old, new = NOW, NOW + timedelta(days=50)
    store.store(entries_of([received(project_id, old, device_id="a"), received(project_id, new, device_id="b")]))
    store.store(entries_of([received(project_id, NOW - timedelta(days=100), device_id="c")]))
    with database.transaction() as session:
        rollups = [(key, events, len(devices)) for key, events, devices in rollups_of(session)]
    do_all_chores(database, NOW + timedelta(days=46), keep_days=30)
    assert partitions(database)["events_2026_07"] == 0
    do_all_chores(database, datetime(2026, 8, 1, tzinfo=UTC) + timedelta(days=31), keep_days=31)
    assert {name: events for name, events in partitions(database).items() if events} == {"events_2026_08": 1}
    with database.transaction() as session:
        assert [(key, events, len(devices)) for key, events, devices in rollups_of(session)] == rollups
    assert rebuild_project(database, project_id, repair=False) == []


def test_an_erasure_that_was_interrupted_is_completed(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([an_event(project_id, device_id="a"), an_event(project_id, device_id="b")]))
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "a", NOW)
        session.execute(text("UPDATE pending_erasures SET noted_at = noted_at - interval '1 hour'"))
    do_all_chores(database, NOW)
    with database.transaction() as session:
        assert session.scalars(text("SELECT device_id FROM events")).all() == ["b"]
        assert count(session, "pending_erasures") == 0
    assert rebuild_project(database, project_id, repair=False) == []


def test_recompute_finds_and_corrects_differences(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([an_event(project_id, device_id="a"), an_event(project_id, device_id="b")]))
    with database.transaction() as session:
        right = rollups_of(session)
        session.execute(text("DELETE FROM activity_cells WHERE breakdown = 'platform'"))
        session.execute(text("UPDATE activity_cells SET events = events + 1 WHERE breakdown = 'all'"))
        session.execute(text("UPDATE project_totals SET devices = 7"))
    for repair in (False, True):
        found = rebuild_project(database, project_id, repair=repair)
        assert {difference.subject for difference in found} == {"devices", "all", "platform"}
    assert rebuild_project(database, project_id, repair=False) == []
    with database.transaction() as session:
        assert rollups_of(session) == right


def test_expired_idempotency_keys_are_deleted_in_portions(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chores, "KEYS_AT_ONCE", 2)
    rows = (
        "INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body_sealed, created_at)"
        " SELECT :user_id, 'key ' || hours, '', 201, '', now() - hours * interval '1 hour'"
        " FROM generate_series(20, 28) AS hours"
    )
    with database.transaction() as session:
        user = User(id=new_id(IdPrefix.USER), issuer="issuer", subject="subject")
        session.add(user)
        session.flush()
        session.execute(text(rows), {"user_id": user.id})
    do_all_chores(database, NOW)
    with database.transaction() as session:
        assert session.scalar(select(func.max(IdempotencyKey.key))) == "key 23"


def test_old_audit_entries_are_deleted_in_portions(
    database: Database, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chores, "ENTRIES_AT_ONCE", 2)
    rows = (
        "INSERT INTO audit_entries (id, project_id, at, user_id, action, entity_type, entity_id)"
        " SELECT 'audit_' || days, :project_id, :now - days * interval '1 day', '', '', '', ''"
        " FROM generate_series(96, 104) AS days"
    )
    with database.transaction() as session:
        session.execute(text(rows), {"project_id": project_id, "now": NOW})
    chore_runner(database, keep_audit_days=100, now=lambda: NOW).run_all()
    with database.transaction() as session:
        kept = session.scalars(text("SELECT id FROM audit_entries WHERE id LIKE 'audit_%' ORDER BY at")).all()
    assert kept == ["audit_100", "audit_99", "audit_98", "audit_97", "audit_96"]


def test_deleting_a_project_leaves_nothing(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([an_event(project_id)]))
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "another", utc_now())
        session.execute(text("DELETE FROM projects WHERE id = :id"), {"id": project_id})
        for table in (
            "events", "exposures", "devices", "activity_cells", "result_cells", "link_cells", "locale_cells",
            "project_totals", "project_usage", "uncounted_batches", "event_types", "erased_devices", "pending_erasures",
            "event_ids",
        ):  # fmt: skip
            assert count(session, table) == 0


@pytest.mark.parametrize("column", ["devices", "moments"])
def test_recompute_replaces_damaged_rollups(
    database: Database, store: BatchStore, project_id: str, column: str
) -> None:
    store.store(entries_of([an_event(project_id, device_id=f"device_{number}") for number in range(3)]))
    with database.transaction() as session:
        before = rollups_of(session)
        session.execute(update(ActivityRollup).where(ActivityRollup.moments.is_not(None)).values({column: b"\1\2\3\4"}))
    found = rebuild_project(database, project_id, repair=True)
    assert {difference.stored for difference in found} == {"a damaged row"}
    with database.transaction() as session:
        assert rollups_of(session) == before
    assert rebuild_project(database, project_id, repair=False) == []


def test_recompute_numbers_devices_without_a_number(database: Database, store: BatchStore, project_id: str) -> None:
    store.store(entries_of([an_event(project_id, device_id=device) for device in "abc"]))
    with database.transaction() as session:
        session.execute(text("DELETE FROM devices WHERE device_id IN ('a', 'b')"))
    found = rebuild_project(database, project_id, repair=True)
    unnumbered = next(discrepancy for discrepancy in found if discrepancy.subject == "devices without a number")
    assert (unnumbered.stored, unnumbered.recomputed) == ("none", "2")
    assert rebuild_project(database, project_id, repair=False) == []
    # A number that the repair has given is not given again.
    store.store(entries_of([an_event(project_id, device_id="d")]))
    assert rebuild_project(database, project_id, repair=False) == []
    with database.transaction() as session:
        numbers = session.scalars(text("SELECT number FROM devices")).all()
        assert sorted(numbers) == sorted(set(numbers))
        assert len(numbers) == 4
        assert {device for _, _, named in rollups_of(session) for device in named} == {"a", "b", "c", "d"}


def test_recompute_beside_an_erasure_leaves_the_right_rollups(
    database: Database, store: BatchStore, project_id: str
) -> None:
    store.store(entries_of([an_event(project_id, device_id=device) for device in "ab"]))
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "a", datetime(1970, 1, 1, tzinfo=UTC))
    store.store(entries_of([an_event(project_id, device_id="a", event_id="again")]))
    assert rebuild_project(database, project_id, repair=True) == []
    complete_erasures(database, project_id)
    assert rebuild_project(database, project_id, repair=False) == []
    with database.transaction() as session:
        assert session.scalars(text("SELECT event_id FROM events WHERE device_id = 'a'")).all() == ["again"]
