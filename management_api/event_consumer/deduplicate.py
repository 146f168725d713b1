"""Stores the ids of a batch's events, and finds the events that were never stored before.

An id belongs to the week in which its event was received. A redelivered entry has the same week, and conflicts with
itself at the key. A client may send an event again for seven days, so a second receipt is of the same week or of one
beside it, and those two are looked up. Two batches that store the same id in different weeks would not see each other;
so a batch owns the projects that have an event of another week than the present one, and near the border of two weeks
all of its projects (:func:`projects_to_own`).

An event may come later, from a spool, or from an edge whose clock is wrong: its id then belongs to the nearest of the
last, the present and the next week, and is looked up in all weeks.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import psycopg

from management_api.db.models.event_ids import project_key
from management_api.event_consumer.decode import DecodedEvent

DAY_MS = 86_400_000
#: The clocks of batches that run at the same time differ by less, as they are all PostgreSQL's.
BORDER_MS = 3_600_000
#: Day 0 is a Thursday.
_FIRST_MONDAY = date(1969, 12, 29)

#: Each id is looked up by the key: OFFSET 0 keeps the planner from reading whole partitions for a join.
STORE_IDS = """
    INSERT INTO event_ids (project, digest, week)
    SELECT incoming.project, incoming.digest, %(week)s
    FROM unnest(%(projects)b::bigint[], %(digests)b::bytea[]) AS incoming (project, digest)
    WHERE NOT EXISTS (
        SELECT FROM event_ids AS known
        WHERE known.week IN (%(week_before)s, %(week_after)s)
          AND known.project = incoming.project AND known.digest = incoming.digest
        OFFSET 0
    )
    ON CONFLICT DO NOTHING
    RETURNING digest
"""
FIND_IDS = """
    SELECT incoming.digest FROM unnest(%(projects)b::bigint[], %(digests)b::bytea[]) AS incoming (project, digest)
    WHERE EXISTS (
        SELECT FROM event_ids AS known WHERE known.project = incoming.project AND known.digest = incoming.digest
        OFFSET 0
    )
"""

Cursor = psycopg.Cursor[Any]
#: By digest, which differs between projects.
EventsById = Mapping[bytes, DecodedEvent]


def week_number(moment_ms: int) -> int:
    """Return the number of the week of a moment; weeks begin on Monday, in UTC."""
    return (moment_ms // DAY_MS + 3) // 7


def projects_to_own(events: Iterable[DecodedEvent], now_ms: int) -> set[str]:
    """Return the projects with an event whose id another batch might store in another week.

    `now_ms` is PostgreSQL's clock. Near the border of two weeks these are all projects.
    """
    week = week_number(now_ms - BORDER_MS)
    is_near_border = week != week_number(now_ms + BORDER_MS)
    records = (event.record for event in events)
    return {record.project_id for record in records if is_near_border or week_number(record.received_at_ms) != week}


def store_new_ids(cursor: Cursor, events: Sequence[DecodedEvent], now_ms: int) -> list[DecodedEvent]:
    """Store the ids of events, and return the events whose ids were new, in their order.

    Of events with the same id the first one stays. An id that another batch is storing is waited for.
    """
    this_week = week_number(now_ms)
    by_week: defaultdict[int, dict[bytes, DecodedEvent]] = defaultdict(dict)
    moved: dict[bytes, DecodedEvent] = {}
    unique: dict[bytes, DecodedEvent] = {}
    for event in events:
        if unique.setdefault(event.digest, event) is event:
            week = week_number(event.record.received_at_ms)
            if abs(week - this_week) > 1:
                week = this_week + 1 if week > this_week else this_week - 1
                moved[event.digest] = event
            by_week[week][event.digest] = event
    for digest in _find(cursor, moved) if moved else ():
        for ids in by_week.values():
            ids.pop(digest, None)
    new = {digest for week, ids in sorted(by_week.items()) for digest in _insert(cursor, week, ids)}
    return [event for digest, event in unique.items() if digest in new]


def _insert(cursor: Cursor, week: int, ids: EventsById) -> Collection[bytes]:
    """Store ids of one week, and return those that were new."""
    if not ids:
        return ()
    monday = _FIRST_MONDAY + timedelta(weeks=week)
    weeks = {"week": monday, "week_before": monday - timedelta(weeks=1), "week_after": monday + timedelta(weeks=1)}
    cursor.execute(STORE_IDS, {**_arrays(ids), **weeks})
    # Nearly always all are new.
    return ids.keys() if cursor.rowcount == len(ids) else [digest for (digest,) in cursor]


def _find(cursor: Cursor, ids: EventsById) -> list[bytes]:
    """Return the ids that are known in any week."""
    cursor.execute(FIND_IDS, _arrays(ids))
    return [digest for (digest,) in cursor]


def _arrays(ids: EventsById) -> dict[str, list[Any]]:
    """Return the parameters of both statements, in one order for all consumers, so that they do not deadlock."""
    keys = {project_id: project_key(project_id) for project_id in {event.record.project_id for event in ids.values()}}
    pairs = sorted((keys[event.record.project_id], digest) for digest, event in ids.items())
    return {"projects": [project for project, _ in pairs], "digests": [digest for _, digest in pairs]}
