"""The devices of a batch: their numbers, those that are new, and those that were erased."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg

from management_api.database.device_digests import digest_of_device
from management_api.event_consumer.device_rows import COPY_DEVICES, copied_devices

#: Project and device.
DeviceKey = tuple[str, str]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

#: Gives the devices that are known, and those that are not and were erased, by their positions. Looks each up by the
#: key; joined to a list, PostgreSQL might read the whole table instead.
FIND_DEVICES = """
    SELECT given.position - 1, known.number, coalesce(known.erased_at, erased.erased_at)
    FROM unnest(%b::text[], %b::text[], %b::bytea[]) WITH ORDINALITY AS given (project_id, device_id, digest, position)
    LEFT JOIN LATERAL (
        SELECT number, erased_at FROM devices
        WHERE devices.project_id = given.project_id AND devices.device_id = given.device_id
        OFFSET 0
    ) AS known ON true
    LEFT JOIN LATERAL (
        SELECT erased_at FROM erased_devices
        WHERE known.number IS NULL
          AND erased_devices.project_id = given.project_id AND erased_devices.digest = given.digest
        OFFSET 0
    ) AS erased ON true
    WHERE known.number IS NOT NULL OR erased.erased_at IS NOT NULL
"""

#: Counts new devices, and holds the numbering of their projects until the commit, in the order of their ids so that
#: nobody deadlocks; gives the next number of each.
COUNT_DEVICES = """
    INSERT INTO project_totals AS totals (project_id, devices, next_number)
    SELECT project_id, devices, devices FROM unnest(%s::text[], %s::integer[]) AS given (project_id, devices) ORDER BY 1
    ON CONFLICT (project_id) DO UPDATE
    SET devices = totals.devices + excluded.devices, next_number = totals.next_number + excluded.next_number
    RETURNING project_id, next_number
"""

#: Takes some of them back, whose numbering is held.
TAKE_BACK_DEVICES = """
    UPDATE project_totals AS totals
    SET devices = totals.devices - given.devices, next_number = totals.next_number - given.devices
    FROM unnest(%s::text[], %s::integer[]) AS given (project_id, devices)
    WHERE totals.project_id = given.project_id
"""


class _Known(NamedTuple):
    #: None of one that is not known, and was erased.
    number: int | None
    erased_at_ms: int | None


class DeviceList:
    """The devices of a batch, each once, as they are looked up."""

    __slots__ = ("devices", "parameters")

    def __init__(self, devices: Sequence[DeviceKey]) -> None:
        self.devices = devices
        #: Those of `FIND_DEVICES`.
        self.parameters = (
            [project_id for project_id, _ in devices],
            [device_id for _, device_id in devices],
            [digest_of_device(*device) for device in devices],
        )


class BatchDevices:
    """The devices of one batch, in its transaction."""

    def __init__(self, cursor: psycopg.Cursor[Any], devices: DeviceList, next_numbers: Mapping[str, int]) -> None:
        """Look the devices up; `next_numbers` are those of their projects at an earlier moment."""
        self._cursor = cursor
        self._next_numbers = dict(next_numbers)
        self._known = self._find(devices)
        #: Whether any of them was ever erased, which is rare.
        self.has_erased = any(known.erased_at_ms is not None for known in self._known.values())

    def is_of_before_erasure(self, device: DeviceKey, accepted_at_ms: int) -> bool:
        """Tell whether something was accepted before the device was erased, so that it must not come back."""
        known = self._known.get(device)
        erased_at_ms = known.erased_at_ms if known else None
        return erased_at_ms is not None and accepted_at_ms <= erased_at_ms

    def expected_numbers(self, devices: Sequence[DeviceKey]) -> dict[DeviceKey, int]:
        """Give the number of each of the devices, each of which is named once.

        New ones get those that come next, unless somebody else numbers devices of the same project meanwhile.
        """
        numbers: dict[DeviceKey, int] = {}
        following = self._next_numbers.copy()
        for device in devices:
            known = self._known.get(device)
            number = known.number if known else None
            if number is None:
                number = following[device[0]]
                following[device[0]] += 1
            numbers[device] = number
        return numbers

    def store_numbers(self, expected: Mapping[DeviceKey, int]) -> Mapping[DeviceKey, int]:
        """Store those of the devices that are new, which holds their projects until the commit.

        Gives what was expected, the same object, or other numbers where somebody else was quicker.
        """
        new = self._new_among(expected)
        if not new:
            return expected
        counts = Counter(project_id for project_id, _ in new)
        self._cursor.execute(COUNT_DEVICES, [list(counts), list(counts.values())])
        following = {project_id: number - counts[project_id] for project_id, number in self._cursor}
        others = {project_id for project_id, number in following.items() if number != self._next_numbers[project_id]}
        numbers = expected
        if others:
            self._next_numbers |= following
            # Some of these may be among those that somebody else has numbered.
            self._known |= self._find(DeviceList([device for device in new if device[0] in others]))
            new = self._new_among(expected)
            back = counts - Counter(project_id for project_id, _ in new)
            if back:
                self._cursor.execute(TAKE_BACK_DEVICES, [list(back), list(back.values())])
            numbers = self.expected_numbers(list(expected))
        rows = ((*device, numbers[device], self._erased_at_ms(device)) for device in new)
        with self._cursor.copy(COPY_DEVICES) as copy:
            copy.write(copied_devices(rows))
        return numbers

    def _new_among(self, devices: Mapping[DeviceKey, int]) -> list[DeviceKey]:
        known = self._known
        return [device for device in devices if device not in known or known[device].number is None]

    def _erased_at_ms(self, device: DeviceKey) -> int | None:
        known = self._known.get(device)
        return known.erased_at_ms if known else None

    def _find(self, given: DeviceList) -> dict[DeviceKey, _Known]:
        if not given.devices:
            return {}
        self._cursor.execute(FIND_DEVICES, given.parameters)
        return {
            given.devices[position]: _Known(number, _milliseconds(erased_at))
            for position, number, erased_at in self._cursor
        }


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // timedelta(milliseconds=1)
