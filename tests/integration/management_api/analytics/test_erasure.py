"""Erasures beside edges whose clocks are wrong, beside each other, and after a crash."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from urllib.parse import quote

import psycopg
import pytest

from common.timestamps import utc_now
from common.wire.stream_records import EventRecord, encode_record
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.store import BatchStore
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.erasure import begin_erasure, complete_erasures
from management_api.rollups.rebuild import rebuild_project
from management_api.rollups.storage import lock_rollups
from tests.support.clients.management import Management, User
from tests.support.data.analytics_events import add_events, an_event
from tests.support.polling import eventually

EVENTS = 40


@pytest.fixture
def alice(management: Management) -> User:
    return management.user("alice")


@pytest.fixture
def project_id(alice: User) -> str:
    return str(alice.create_project()["id"])


@pytest.fixture
def connection(database_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


def store(management: Management, project_id: str, device_id: str, *, edge_ahead: float = 0.0) -> None:
    """Store events of a device from an edge whose clock is ahead by this number of seconds."""
    received_at = utc_now() + timedelta(seconds=edge_ahead)
    with management.database.transaction() as session:
        add_events(session, project_id, [an_event(received_at, device_id=device_id) for _ in range(EVENTS)])


def events_of(connection: psycopg.Connection, device_id: str) -> int:
    row = connection.execute("SELECT count(*) FROM events WHERE device_id = %s", [device_id]).fetchone()
    assert row is not None
    return int(row[0])


def request_erasure(user: User, project_id: str, device_id: str) -> None:
    assert user.delete(f"/api/projects/{project_id}/devices/{device_id}").status_code == 200


def waiting_erasures(connection: psycopg.Connection) -> list[tuple[str]]:
    return connection.execute("SELECT device_id FROM pending_erasures ORDER BY id").fetchall()


def waiting_statements(connection: psycopg.Connection) -> int:
    """Return the number of statements that wait for a lock."""
    row = connection.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    ).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("edge_ahead", [-60.0, 0.2, 60.0])
def test_erasure_removes_stored_events_for_any_clock_of_the_edge(
    management: Management, connection: psycopg.Connection, alice: User, project_id: str, edge_ahead: float
) -> None:
    store(management, project_id, "erased", edge_ahead=edge_ahead)
    store(management, project_id, "kept", edge_ahead=edge_ahead)
    request_erasure(alice, project_id, "erased")
    complete_erasures(management.database, project_id)
    assert events_of(connection, "erased") == 0
    assert events_of(connection, "kept") == EVENTS
    assert rebuild_project(management.database, project_id, repair=False) == []


def test_erasure_keeps_events_stored_after_it_began(
    management: Management, connection: psycopg.Connection, alice: User, project_id: str
) -> None:
    store(management, project_id, "erased", edge_ahead=60)
    with management.database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "erased", utc_now() - timedelta(hours=1))
    store(management, project_id, "erased", edge_ahead=-60)
    complete_erasures(management.database, project_id)
    assert events_of(connection, "erased") == EVENTS
    assert rebuild_project(management.database, project_id, repair=False) == []
    request_erasure(alice, project_id, "erased")
    complete_erasures(management.database, project_id)
    assert events_of(connection, "erased") == 0
    assert rebuild_project(management.database, project_id, repair=False) == []


@pytest.mark.parametrize("edge_ahead_ms", [-60_000, 0, 60_000])
@pytest.mark.parametrize(("seconds_later", "age_seconds", "expected"), [(-5, 0, 0), (5, 0, 1), (5, 30, 0)])
def test_consumer_drops_events_accepted_before_an_erasure_at_any_edge_clock(
    management: Management,
    connection: psycopg.Connection,
    project_id: str,
    edge_ahead_ms: int,
    seconds_later: int,
    age_seconds: int,
    expected: int,
) -> None:
    erased_at = utc_now()
    with management.database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "erased", erased_at)
    appended_at_ms = int((erased_at.timestamp() + seconds_later) * 1000)
    received_at_ms = appended_at_ms - age_seconds * 1000 + edge_ahead_ms
    event = EventRecord(project_id, "evt_1", "opened", "erased", received_at_ms, received_at_ms)
    entry = StreamEntry("stream", f"{appended_at_ms}-0", encode_record(event), age_ms=age_seconds * 1000)
    BatchStore(management.database).store([entry])
    assert events_of(connection, "erased") == expected


def test_request_answers_beside_a_pass_and_a_repeat_waits_for_the_next_one(
    management: Management, connection: psycopg.Connection, alice: User, project_id: str
) -> None:
    store(management, project_id, "erased")
    request_erasure(alice, project_id, "erased")
    with ThreadPoolExecutor(1) as passes:
        with management.database.transaction() as session:
            # The pass waits for this lock, as if it had much to do.
            lock_rollups(driver_cursor(session), project_id)
            first = passes.submit(complete_erasures, management.database, project_id)
            eventually(lambda: waiting_statements(connection) == 1)
            store(management, project_id, "erased")
            request_erasure(alice, project_id, "erased")
            assert alice.put(f"/api/projects/{project_id}", {"name": "Edited"}).status_code == 200
        first.result()
    assert {device for (device,) in waiting_erasures(connection)} == {"erased"}
    complete_erasures(management.database, project_id)
    assert (waiting_erasures(connection), events_of(connection, "erased")) == ([], 0)
    assert rebuild_project(management.database, project_id, repair=False) == []


def test_repeated_request_adds_nothing(
    management: Management, connection: psycopg.Connection, alice: User, project_id: str
) -> None:
    store(management, project_id, "erased")
    for _ in range(3):
        request_erasure(alice, project_id, "erased")
    assert waiting_erasures(connection) == [("erased",)]


def test_one_pass_erases_all_waiting_devices_of_a_project_and_keeps_later_events(
    management: Management, connection: psycopg.Connection, alice: User, project_id: str
) -> None:
    devices = [f"device {number}" for number in range(12)]
    for device in [*devices, "kept"]:
        store(management, project_id, device)
    for device in devices:
        request_erasure(alice, project_id, quote(device))
    store(management, project_id, devices[0])
    complete_erasures(management.database, project_id)
    assert waiting_erasures(connection) == []
    left: dict[str, int] = dict(
        connection.execute("SELECT device_id, count(*) FROM events GROUP BY device_id").fetchall()
    )
    assert left == {devices[0]: EVENTS, "kept": EVENTS}
    assert rebuild_project(management.database, project_id, repair=False) == []
