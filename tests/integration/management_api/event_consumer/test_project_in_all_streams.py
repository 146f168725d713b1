"""The events of one project are in all streams, and several consumers store them at once: each counts once."""

import redis

from common.timestamps import utc_now
from common.wire.redis_keys import event_stream_of, event_streams
from common.wire.stream_records import EventRecord
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_cursor
from management_api.event_consumer.settings import ConsumerSettings
from management_api.rollups.erasure import begin_erasure
from tests.integration.management_api.event_consumer.running_consumer import is_exact, running, stored, waiting
from tests.integration.management_api.event_consumer.stream_records import DAY_MS, an_event, send
from tests.support.polling import eventually

EVENTS = 400
DEVICES = 50


def events_of(project_id: str, *, received_days_ago: tuple[int, ...] = (0,), turn: int = 0) -> list[EventRecord]:
    """Return an event for each id. The device of an id differs from turn to turn, and so does the stream."""
    now_ms = int(utc_now().timestamp() * 1000)
    return [
        an_event(
            project_id,
            event_id=f"evt_{number}",
            device_id=f"device {(number + turn) % DEVICES}",
            received_at_ms=now_ms - received_days_ago[number % len(received_days_ago)] * DAY_MS,
        )
        for number in range(EVENTS)
    ]


def assert_stored_once(settings: ConsumerSettings, database: Database, client: redis.Redis) -> None:
    """Have two consumers store all entries, and compare the result with the ids."""
    with running(settings), running(settings):
        eventually(lambda: waiting(client) == 0, within=30)
        eventually(lambda: is_exact(database), within=30)
    assert (stored(database), stored(database, "dead_letters")) == (EVENTS, 0)


def test_id_that_two_devices_send_at_once_counts_once(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_id: str
) -> None:
    first, again = events_of(project_id), events_of(project_id, turn=1)
    pairs = list(zip(first, again, strict=True))
    assert any(stream_of(one) != stream_of(other) for one, other in pairs)
    assert {stream_of(record) for record in first} == set(event_streams())
    send(redis_client, [record for pair in pairs for record in pair])
    # Release 0.2.0 sends all events of a project to one stream.
    send(redis_client, first, stream=event_streams()[0])
    assert_stored_once(settings, database, redis_client)


def test_late_events_of_all_streams_count_once(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_id: str
) -> None:
    # Of this week and of those before it, and again by other devices with a receipt of another week.
    send(redis_client, events_of(project_id, received_days_ago=(0, 7, 10)))
    send(redis_client, events_of(project_id, received_days_ago=(7, 0, 10), turn=1))
    assert_stored_once(settings, database, redis_client)


def test_erased_device_leaves_no_event_of_any_stream(
    settings: ConsumerSettings, database: Database, redis_client: redis.Redis, project_id: str
) -> None:
    erased = [an_event(project_id, device_id="erased") for _ in range(40)]
    for stream in event_streams():
        send(redis_client, erased[:10], stream=stream)
        erased = erased[10:]
    send(redis_client, events_of(project_id))
    with database.transaction() as session:
        begin_erasure(driver_cursor(session), project_id, "erased", utc_now())
    send(redis_client, events_of(project_id, turn=1))
    with running(settings), running(settings):
        eventually(lambda: waiting(redis_client) == 0, within=30)
    assert stored(database) == EVENTS


def stream_of(record: EventRecord) -> str:
    """Return the stream that the edge puts an event into."""
    return event_stream_of(record.project_id, record.device_id)
