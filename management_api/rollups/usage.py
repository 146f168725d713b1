"""The use of quotas by projects on the present UTC day (contract, Quotas of a project; decision 115).

It is counted in the transaction that counts the events. So an event that was sent twice is counted once, and a kill
counts nothing twice or never. The day is that on which an event was stored.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

import psycopg

from common.settings.shared import QuotaSettings
from common.wire.used_quotas import MAX_PROJECTS, DailyQuota, UsedQuotas
from management_api.rollups.uncounted import UncountedBatch

#: The usage of a day that has ended is replaced; batches of such a day are late and not counted.
ADD = """
    INSERT INTO project_usage (project_id, day, events, property_bytes, new_devices)
    SELECT * FROM unnest(%s::text[], %s::date[], %s::bigint[], %s::bigint[], %s::bigint[]) ORDER BY 1
    ON CONFLICT (project_id) DO UPDATE SET
        day = excluded.day,
        events = excluded.events + CASE WHEN project_usage.day = excluded.day THEN project_usage.events ELSE 0 END,
        property_bytes = excluded.property_bytes
            + CASE WHEN project_usage.day = excluded.day THEN project_usage.property_bytes ELSE 0 END,
        new_devices = excluded.new_devices
            + CASE WHEN project_usage.day = excluded.day THEN project_usage.new_devices ELSE 0 END
    WHERE project_usage.day <= excluded.day
"""
FIND_USED_UP = """
    SELECT project_id, events >= %(events)s, property_bytes >= %(property_bytes)s, new_devices >= %(new_devices)s
    FROM project_usage
    WHERE day = %(day)s AND (
        events >= %(events)s OR property_bytes >= %(property_bytes)s OR new_devices >= %(new_devices)s
    )
    ORDER BY project_id LIMIT %(limit)s
"""
READ_DAY = "SELECT (now() AT TIME ZONE 'UTC')::date"

Cursor = psycopg.Cursor[Any]


class Usage(NamedTuple):
    """The use of each quota, or its maximum. The names are those of `DailyQuota`."""

    events: int
    property_bytes: int
    new_devices: int


def quotas_of(settings: QuotaSettings) -> Usage:
    """Return the maximum of each quota."""
    return Usage(
        settings.quota_events_per_day, settings.quota_property_bytes_per_day, settings.quota_new_devices_per_day
    )


def add_usage(cursor: Cursor, batches: Sequence[UncountedBatch], new_devices: Mapping[str, int]) -> None:
    """Add what batches use, and the new devices of each project in them."""
    days: dict[str, date] = {}
    for batch in batches:
        days[batch.project_id] = max(batch.stored_at.date(), days.get(batch.project_id, date.min))
    events: Counter[str] = Counter()
    property_bytes: Counter[str] = Counter()
    for batch in batches:
        if batch.stored_at.date() == days[batch.project_id]:
            events[batch.project_id] += batch.records.event_count
            property_bytes[batch.project_id] += batch.records.property_bytes
    cursor.execute(
        ADD,
        [
            list(days),
            list(days.values()),
            [events[project_id] for project_id in days],
            [property_bytes[project_id] for project_id in days],
            [new_devices.get(project_id, 0) for project_id in days],
        ],
    )


def find_used_quotas(cursor: Cursor, quotas: Usage) -> UsedQuotas:
    """Return the projects that have used up a quota of the present day, by the clock of PostgreSQL."""
    [(day,)] = cursor.execute(READ_DAY).fetchall()
    cursor.execute(FIND_USED_UP, {**quotas._asdict(), "day": day, "limit": MAX_PROJECTS})
    projects = {
        project_id: frozenset(quota.value for quota, is_used_up in zip(DailyQuota, used_up, strict=True) if is_used_up)
        for project_id, *used_up in cursor
    }
    return UsedQuotas(int(end_of_day(day).timestamp()), projects)


def end_of_day(day: date) -> datetime:
    """Return the moment at which the quotas of a UTC day are free again."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)
