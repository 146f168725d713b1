"""Fills a project with very many events, faster than the consumer: raw rows by COPY, and compacted rollups of days."""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

from common.wire.stream_records import EventRecord
from management_api.db.engine import Database
from management_api.db.psycopg_connection import driver_connection
from management_api.event_consumer.decode import DecodedEvent
from management_api.event_consumer.store import copy_events
from management_api.rollups.compaction import compact_day
from management_api.rollups.event_keys import event_key
from management_api.rollups.rollup import DAY_MS, RollupCounter, all_time_rollups
from management_api.rollups.storage import write_rollups

NUMBER_DEVICES = "COPY devices (project_id, device_id, number) FROM STDIN"
COUNT_DEVICES = """
    INSERT INTO project_totals (project_id, devices, next_number) VALUES (%(project)s, %(count)s, %(count)s)
"""
Connection = psycopg.Connection[Any]


def fill(database: Database, project_id: str, batches: Iterable[Sequence[EventRecord]]) -> int:
    """Store batches in the order of their days, for a project without events, and return the number of events."""
    numbers: dict[str, int] = {}
    count, current, stored = RollupCounter(), 0, 0
    for batch in batches:
        day = batch[0].occurred_at_ms // DAY_MS
        if day != current:
            _write_rollups(database, project_id, count)
            count, current = RollupCounter(), day
        with database.transaction() as session, driver_connection(session).cursor() as cursor:
            copy_events(cursor, [DecodedEvent.from_record(record) for record in batch])
        for record in batch:
            count.add_event(
                numbers.setdefault(record.device_id, len(numbers)), record.occurred_at_ms, event_key(record)
            )
        stored += len(batch)
    _write_rollups(database, project_id, count)
    with database.transaction() as session:
        _finish(driver_connection(session), project_id, numbers)
    return stored


def _write_rollups(database: Database, project_id: str, count: RollupCounter) -> None:
    with database.transaction() as session:
        by_day = dict(count.rollups())
        rollups = ((project_id, key, rollup) for key, rollup in (by_day | all_time_rollups(by_day)).items())
        write_rollups(driver_connection(session).cursor(), rollups, is_compacted=True)


def _finish(connection: Connection, project_id: str, numbers: dict[str, int]) -> None:
    connection.execute("SET LOCAL statement_timeout = '10min'")
    with connection.cursor() as cursor:
        with cursor.copy(NUMBER_DEVICES.encode()) as copy:
            for device_id, number in numbers.items():
                copy.write_row((project_id, device_id, number))
        cursor.execute(COUNT_DEVICES, {"project": project_id, "count": len(numbers)})
        days = cursor.execute(
            "SELECT DISTINCT day - date '1970-01-01' FROM activity_cells WHERE project_id = %s", [project_id]
        ).fetchall()
        # Sessions that pass midnight have left a second piece.
        for (day,) in days:
            compact_day(cursor, project_id, day)
