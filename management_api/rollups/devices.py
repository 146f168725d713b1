"""The numbers of devices, and the erasures of devices."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.db.models.analytics import digest_of_device

#: Project and device.
DeviceKey = tuple[str, str]

#: Returns the devices that are known, and those that are not and were erased, by their positions. Each is looked up by
#: the key: joined to a list, PostgreSQL might read the whole table instead.
FIND_DEVICES = """
    SELECT incoming.position - 1, known.number, coalesce(known.erased_at, erased.erased_at)
    FROM unnest(%b::text[], %b::text[], %b::bytea[])
        WITH ORDINALITY AS incoming (project_id, device_id, digest, position)
    LEFT JOIN LATERAL (
        SELECT number, erased_at FROM devices
        WHERE devices.project_id = incoming.project_id AND devices.device_id = incoming.device_id
        OFFSET 0
    ) AS known ON true
    LEFT JOIN LATERAL (
        SELECT erased_at FROM erased_devices
        WHERE known.number IS NULL
          AND erased_devices.project_id = incoming.project_id AND erased_devices.digest = incoming.digest
        OFFSET 0
    ) AS erased ON true
    WHERE known.number IS NOT NULL OR erased.erased_at IS NOT NULL
"""
FIND_ERASURES = """
    SELECT incoming.position - 1, erased.erased_at, erased.last_stored_no
    FROM unnest(%b::text[], %b::bytea[]) WITH ORDINALITY AS incoming (project_id, digest, position)
    CROSS JOIN LATERAL (
        SELECT erased_at, last_stored_no FROM erased_devices
        WHERE erased_devices.project_id = incoming.project_id AND erased_devices.digest = incoming.digest
        OFFSET 0
    ) AS erased
"""
#: Locks the numbering of projects until the commit, in the order of their ids, and returns the next number of each.
LOCK_NUMBERING = """
    INSERT INTO project_totals (project_id) SELECT unnest(%s::text[]) ORDER BY 1
    ON CONFLICT (project_id) DO UPDATE SET devices = project_totals.devices
    RETURNING project_id, next_number
"""
STORE_DEVICES = """
    INSERT INTO devices (project_id, device_id, number, erased_at)
    SELECT * FROM unnest(%b::text[], %b::text[], %b::integer[], %b::timestamptz[])
"""
COUNT_DEVICES = """
    UPDATE project_totals AS totals
    SET devices = totals.devices + incoming.devices, next_number = totals.next_number + incoming.devices
    FROM unnest(%s::text[], %s::integer[]) AS incoming (project_id, devices)
    WHERE totals.project_id = incoming.project_id
"""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Cursor = psycopg.Cursor[Any]


class DeviceErasure(NamedTuple):
    """The last erasure of a device; what was stored before it has lower numbers than `last_stored_no`.

    The number is None where release 0.2.0 erased the device.
    """

    erased_at: datetime
    last_stored_no: int | None

    def is_after(self, number: int, stored_at: datetime) -> bool:
        """Return whether rows of that number were stored before the erasure."""
        return stored_at <= self.erased_at if self.last_stored_no is None else number < self.last_stored_no

    def is_after_entry(self, accepted_at_ms: int) -> bool:
        """Return whether an entry was accepted before the erasure (Unix milliseconds), and so must not be stored."""
        return _EPOCH + timedelta(milliseconds=accepted_at_ms) <= self.erased_at


class KnownDevice(NamedTuple):
    """A device that has a number, or that was erased and has none."""

    number: int | None
    erased_at: datetime | None


def find_erasures(cursor: Cursor, devices: Collection[DeviceKey]) -> dict[DeviceKey, DeviceErasure]:
    """Return the last erasure of each device that was erased."""
    incoming = list(devices)
    if not incoming:
        return {}
    digests = [digest_of_device(*device) for device in incoming]
    cursor.execute(FIND_ERASURES, [[project_id for project_id, _ in incoming], digests])
    return {incoming[position]: DeviceErasure(*erasure) for position, *erasure in cursor}


def find_devices(cursor: Cursor, devices: Collection[DeviceKey]) -> dict[DeviceKey, KnownDevice]:
    """Return the devices that have a number or were erased."""
    incoming = list(devices)
    if not incoming:
        return {}
    digests = [digest_of_device(*device) for device in incoming]
    cursor.execute(FIND_DEVICES, [*map(list, zip(*incoming, strict=True)), digests])
    return {incoming[position]: KnownDevice(*known) for position, *known in cursor}


def number_devices(
    cursor: Cursor, devices: Collection[DeviceKey], known: Mapping[DeviceKey, KnownDevice]
) -> dict[DeviceKey, int]:
    """Return the number of each device; new ones are stored, which locks their projects' numbering until the commit.

    `known` has the devices that were known at an earlier moment of the transaction, and the erased ones.
    """
    numbers = _numbers(devices, known)
    missing = [device for device in devices if device not in numbers]
    if not missing:
        return numbers
    cursor.execute(LOCK_NUMBERING, [sorted({project_id for project_id, _ in missing})])
    next_numbers = dict(cursor.fetchall())
    # Another consumer may have numbered some of them before this one locked the numbering.
    known = {**known, **find_devices(cursor, missing)}
    numbers |= _numbers(missing, known)
    new = [device for device in missing if device not in numbers]
    if new:
        for device in new:
            numbers[device] = next_numbers[device[0]]
            next_numbers[device[0]] += 1
        erased = [known[device].erased_at if device in known else None for device in new]
        project_ids, device_ids = map(list, zip(*new, strict=True))
        cursor.execute(STORE_DEVICES, [project_ids, device_ids, [numbers[device] for device in new], erased])
        counts = Counter(project_ids)
        cursor.execute(COUNT_DEVICES, [list(counts), list(counts.values())])
    return numbers


def _numbers(devices: Collection[DeviceKey], known: Mapping[DeviceKey, KnownDevice]) -> dict[DeviceKey, int]:
    found = ((device, known[device].number) for device in devices if device in known)
    return {device: number for device, number in found if number is not None}
