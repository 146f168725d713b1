"""Counts records that are stored and not counted yet: the deltas of rollups, and the numbers of new devices.

One transaction deletes the uncounted batches of some projects and adds what they count, so a kill in the middle changes
nothing. One process counts a project at a time; others pass it over.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import psycopg

from management_api.db.models.event_ids import project_key
from management_api.db.project_locks import lock_free_projects
from management_api.rollups.devices import DeviceErasure, DeviceKey, find_devices, find_erasures, number_devices
from management_api.rollups.limits import EventTypes, limit_keys
from management_api.rollups.rollup import NO_DEVICE, Rollup, RollupCounter, RollupKey, all_time_rollups
from management_api.rollups.storage import write_rollups
from management_api.rollups.totals import refresh_totals
from management_api.rollups.uncounted import UncountedBatch, decode_batches
from management_api.rollups.usage import add_usage

#: Separates the locks of counting from the other advisory locks by project.
_COUNTING = 0x636F_756E_7469_6E67

#: The next projects with uncounted batches, in the order of their ids, each found by one look into the index.
FIND_PROJECTS = """
    WITH RECURSIVE found (project_id) AS (
        (SELECT project_id FROM uncounted_batches WHERE project_id > %(after)s ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (
            SELECT project_id FROM uncounted_batches AS next WHERE next.project_id > found.project_id
            ORDER BY project_id LIMIT 1
        ) FROM found WHERE found.project_id IS NOT NULL
    )
    SELECT project_id, (
        SELECT coalesce(sum(events), 0) FROM (
            SELECT events FROM uncounted_batches AS waiting WHERE waiting.project_id = found.project_id
            ORDER BY stored_no LIMIT %(batches)s
        ) AS oldest
    ) FROM found WHERE project_id IS NOT NULL LIMIT %(limit)s
"""
TRY_LOCKS = "SELECT id FROM unnest(%s::text[], %s::bigint[]) AS given (id, key) WHERE pg_try_advisory_xact_lock(key)"
#: The oldest batches of each project with so many records at most, and one batch at least.
TAKE = """
    DELETE FROM uncounted_batches AS batch USING (
        SELECT claimed.project_id, stored_no
        FROM unnest(%(projects)s::text[]) AS claimed (project_id)
        CROSS JOIN LATERAL (
            SELECT stored_no, sum(events) OVER (ORDER BY stored_no) - events AS before FROM uncounted_batches AS waiting
            WHERE waiting.project_id = claimed.project_id ORDER BY stored_no LIMIT %(batches)s
        ) AS oldest
        WHERE before < %(records)s
    ) AS taken
    WHERE batch.project_id = taken.project_id AND batch.stored_no = taken.stored_no
    RETURNING batch.project_id, batch.stored_no, batch.stored_at, batch.records
"""
MAX_BATCHES, MAX_RECORDS = 1000, 100_000

Cursor = psycopg.Cursor[Any]


class Counted(NamedTuple):
    """The number of keys of the new deltas by project and day (None: all days), and whether a portion was full."""

    keys: dict[tuple[str, int | None], int]
    has_more: bool


def uncounted_projects(cursor: Cursor, after: str, limit: int) -> list[tuple[str, int]]:
    """Return projects with uncounted batches whose ids are above `after`, in order, and the number of records."""
    cursor.execute(FIND_PROJECTS, {"after": after, "limit": limit, "batches": MAX_BATCHES})
    return cursor.fetchall()


def lock_counting(cursor: Cursor, project_id: str) -> None:
    """Wait until no process counts the project, and keep others from it until the transaction ends."""
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_lock_of(project_id)])


def count_projects(cursor: Cursor, project_ids: Collection[str], max_keys: int) -> Counted:
    """Count the oldest uncounted batches of projects, as far as no other process does.

    Raises msgspec.DecodeError for a damaged batch.
    """
    cursor.execute(TRY_LOCKS, [list(project_ids), [_lock_of(project_id) for project_id in project_ids]])
    # No project is deleted until the transaction ends.
    shared = lock_free_projects(cursor, [project_id for (project_id,) in cursor])
    cursor.execute(TAKE, {"projects": sorted(shared.held), "batches": MAX_BATCHES, "records": MAX_RECORDS})
    batches = decode_batches(cursor.fetchall())
    if not batches:
        return Counted({}, has_more=False)
    rollups = count_batches(cursor, batches, max_keys=max_keys)
    write_rollups(
        cursor,
        ((project_id, key, rollup) for project_id, found in rollups.items() for key, rollup in found.items()),
    )
    refresh_totals(
        cursor, [project_id for project_id, found in rollups.items() if any(key.day is None for key in found)]
    )
    counts = Counter(batch.project_id for batch in batches)
    records = sum(batch.records.count for batch in batches)
    return Counted(
        Counter((project_id, key.day) for project_id, found in rollups.items() for key in found),
        has_more=records >= MAX_RECORDS or max(counts.values()) >= MAX_BATCHES,
    )


def count_batches(
    cursor: Cursor, batches: Sequence[UncountedBatch], *, max_keys: int | None
) -> Mapping[str, dict[RollupKey, Rollup]]:
    """Return the rollups of each project that batches add.

    New devices get numbers, and new event types and the use of quotas are stored. If `max_keys` is None nothing is
    stored, and new devices are not counted.
    """
    if not batches:
        return {}
    numbers, new_devices, erasures = _number(cursor, batches, numbers_new=max_keys is not None)
    types = EventTypes(cursor, sorted({batch.project_id for batch in batches}))
    counters: defaultdict[str, RollupCounter] = defaultdict(RollupCounter)
    for batch in batches:
        project_id, counter = batch.project_id, counters[batch.project_id]
        devices = [
            numbers.get((project_id, device_id), NO_DEVICE) if _is_present(batch, device_id, erasures) else NO_DEVICE
            for device_id in batch.records.devices
        ]
        keys = [types.counted(project_id, key) for key in batch.records.event_keys()]
        for device, key, moment in batch.records.events():
            counter.add_event(devices[device], moment, keys[key])
        for device, day, flow_id in batch.records.exposures:
            counter.add_exposure(devices[device], day, flow_id)
    if max_keys is not None:
        types.store()
        add_usage(cursor, batches, new_devices)
    rollups = {}
    for project_id, counter in counters.items():
        by_day = limit_keys(cursor, project_id, dict(counter.rollups()), max_keys)
        rollups[project_id] = by_day | all_time_rollups(by_day)
    return rollups


def _number(
    cursor: Cursor, batches: Sequence[UncountedBatch], *, numbers_new: bool
) -> tuple[Mapping[DeviceKey, int], Mapping[str, int], Mapping[DeviceKey, DeviceErasure]]:
    """Return the numbers of devices, the number of new ones by project, and the erasures of erased ones."""
    devices = {(batch.project_id, device_id) for batch in batches for device_id in batch.records.devices}
    known = find_devices(cursor, devices)
    erasures = find_erasures(cursor, [device for device, found in known.items() if found.erased_at is not None])
    if numbers_new:
        present = dict.fromkeys(
            (batch.project_id, device_id)
            for batch in batches
            for device_id in batch.records.devices
            if _is_present(batch, device_id, erasures)
        )
        new = Counter(device[0] for device in present if device not in known or known[device].number is None)
        return number_devices(cursor, present, known), new, erasures
    return {device: found.number for device, found in known.items() if found.number is not None}, {}, erasures


def _is_present(batch: UncountedBatch, device_id: str, erasures: Mapping[DeviceKey, DeviceErasure]) -> bool:
    """Return whether the device was not erased after the batch was stored."""
    erasure = erasures.get((batch.project_id, device_id)) if erasures else None
    return erasure is None or not erasure.is_after(batch.stored_no, batch.stored_at)


def _lock_of(project_id: str) -> int:
    return project_key(project_id) ^ _COUNTING
