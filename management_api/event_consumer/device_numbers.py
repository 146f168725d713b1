"""The devices of a batch: their numbers, those that are new, and those that were erased."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.database.device_digests import digest_of_device

#: Project and device.
DeviceKey = tuple[str, str]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: Looks each device up by the key; joined to a list, PostgreSQL might read the whole table instead.
FIND_DEVICES = """
    SELECT given.project_id, given.device_id, found.number, found.erased_at
    FROM unnest(%b::text[], %b::text[]) AS given (project_id, device_id)
    CROSS JOIN LATERAL (
        SELECT number, erased_at FROM devices
        WHERE devices.project_id = given.project_id AND devices.device_id = given.device_id
        OFFSET 0
    ) AS found
"""

FIND_ERASURES = """
    SELECT given.project_id, given.device_id, found.erased_at
    FROM unnest(%b::text[], %b::text[], %b::bytea[]) AS given (project_id, device_id, digest)
    CROSS JOIN LATERAL (
        SELECT erased_at FROM erased_devices
        WHERE erased_devices.project_id = given.project_id AND erased_devices.digest = given.digest
        OFFSET 0
    ) AS found
"""

#: Holds the numbering of the projects until the commit, in the order of their ids so that nobody deadlocks; gives the
#: next number of each.
HOLD_NUMBERING = """
    INSERT INTO project_totals (project_id)
    SELECT project_id FROM unnest(%s::text[]) AS given (project_id) ORDER BY 1
    ON CONFLICT (project_id) DO UPDATE SET devices = project_totals.devices
    RETURNING project_id, next_number
"""

#: Numbers devices that have none.
NUMBER_DEVICES = """
    WITH added AS (
        INSERT INTO devices (project_id, device_id, number, erased_at)
        SELECT given.project_id, given.device_id,
            totals.next_number - 1 + row_number() OVER (PARTITION BY given.project_id ORDER BY given.position),
            given.erased_at
        FROM unnest(%b::text[], %b::text[], %b::timestamptz[]) WITH ORDINALITY
            AS given (project_id, device_id, erased_at, position)
        JOIN project_totals AS totals USING (project_id)
        RETURNING project_id, device_id, number
    ), counted AS (
        UPDATE project_totals AS totals
        SET devices = totals.devices + added.devices, next_number = totals.next_number + added.devices
        FROM (SELECT project_id, count(*) AS devices FROM added GROUP BY 1) AS added
        WHERE totals.project_id = added.project_id
    )
    SELECT project_id, device_id, number FROM added
"""


class _Known(NamedTuple):
    number: int
    erased_at_ms: int | None


class BatchDevices:
    """The devices of one batch, in its transaction."""

    def __init__(
        self, cursor: psycopg.Cursor[Any], devices: Iterable[DeviceKey], next_numbers: Mapping[str, int]
    ) -> None:
        """Look the devices up; `next_numbers` are those of their projects at an earlier moment."""
        self._cursor = cursor
        self._next_numbers = next_numbers
        wanted = list(dict.fromkeys(devices))
        self._known = self._find(wanted)
        self._erased = self._find_erasures([device for device in wanted if device not in self._known])
        #: Whether any of them was ever erased, which is rare.
        self.has_erased = bool(self._erased) or any(known.erased_at_ms is not None for known in self._known.values())

    def is_of_before_erasure(self, device: DeviceKey, received_at_ms: int) -> bool:
        """Tell whether something was received before the device was erased, so that it must not come back."""
        known = self._known.get(device)
        erased_at_ms = known.erased_at_ms if known else self._erased.get(device)
        return erased_at_ms is not None and received_at_ms <= erased_at_ms

    def numbers(self, devices: Iterable[DeviceKey]) -> Mapping[DeviceKey, int]:
        """Give the number of each of the devices; the new ones get one, which holds their projects until the commit."""
        wanted = dict.fromkeys(devices)
        numbers = {device: self._known[device].number for device in wanted if device in self._known}
        new = [device for device in wanted if device not in numbers]
        if not new:
            return numbers
        self._cursor.execute(HOLD_NUMBERING, [sorted({project_id for project_id, _ in new})])
        others = {project_id for project_id, number in self._cursor if number != self._next_numbers[project_id]}
        # Where somebody else has numbered devices since, some of these may be among them.
        again = self._find([device for device in new if device[0] in others])
        numbers |= {device: known.number for device, known in again.items()}
        new = [device for device in new if device not in numbers]
        erased_at = [_moment(self._erased.get(device)) for device in new]
        self._cursor.execute(NUMBER_DEVICES, [*_columns(new), erased_at])
        return numbers | {(project_id, device_id): number for project_id, device_id, number in self._cursor}

    def _find(self, devices: list[DeviceKey]) -> dict[DeviceKey, _Known]:
        if not devices:
            return {}
        self._cursor.execute(FIND_DEVICES, [*_columns(devices)])
        return {
            (project_id, device_id): _Known(number, _milliseconds(erased_at))
            for project_id, device_id, number, erased_at in self._cursor
        }

    def _find_erasures(self, devices: list[DeviceKey]) -> dict[DeviceKey, int | None]:
        if not devices:
            return {}
        digests = [digest_of_device(*device) for device in devices]
        self._cursor.execute(FIND_ERASURES, [*_columns(devices), digests])
        return {(project_id, device_id): _milliseconds(erased_at) for project_id, device_id, erased_at in self._cursor}


def _columns(devices: list[DeviceKey]) -> tuple[list[str], list[str]]:
    return [project_id for project_id, _ in devices], [device_id for _, device_id in devices]


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // timedelta(milliseconds=1)


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else _EPOCH + timedelta(milliseconds=milliseconds)
