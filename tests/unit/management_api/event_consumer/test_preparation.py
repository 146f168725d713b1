"""A batch can be made ready at once, or step by step beside something else: it is the same batch."""

from itertools import islice

import pytest

from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecord, encode_record
from management_api.event_consumer.preparation import Preparation, PreparedBatch, prepare_batch
from management_api.event_consumer.stream_entry import StreamEntry

RECORDS: list[StreamRecord] = [
    *(
        EventRecord(
            project_id=f"proj_{number % 3}",
            event_id=f"evt_{number % 90}",
            event_type="flow_started",
            device_id=f"device_{number % 7}",
            occurred_at_ms=1_790_000_000_000 + number,
            received_at_ms=1_790_000_000_000 + number,
            secret_key_id=f"key_{number % 2}",
        )
        for number in range(100)
    ),
    ExposureRecord("proj_0", "device_9", "flow_1", 1_790_000_000_000, secret_key_id="key_3"),
]
ENTRIES = [
    *(StreamEntry("stream", f"{number}-0", encode_record(record)) for number, record in enumerate(RECORDS)),
    StreamEntry("stream", "999-0", b"?"),
]


def said_of(batch: PreparedBatch) -> tuple[object, ...]:
    activity = batch.activity
    return (
        batch.entries,
        batch.unreadable,
        batch.project_ids,
        batch.used_keys,
        [event.copied for event in activity.ids.events],
        activity.ids.listed[0].uuids,
        activity.ids.listed[1:],
        activity.devices.devices,
        activity.count.devices,
    )


@pytest.mark.parametrize("steps", [0, 1, 3, 6, 1000])
def test_it_is_the_same_after_however_many_steps(steps: int) -> None:
    preparation = Preparation(ENTRIES)
    assert list(islice(preparation, steps)) == [None] * min(steps, len(list(Preparation(ENTRIES))))
    assert said_of(preparation.finish()) == said_of(prepare_batch(ENTRIES))
    assert preparation.finish() is preparation.finish()
    assert not list(preparation)


def test_a_key_was_used_last_at_the_latest_moment() -> None:
    batch = prepare_batch(ENTRIES)
    assert {(project_id, key_id): at_ms for project_id, key_id, at_ms in batch.used_keys} == {
        (project_id, key_id): max(
            record.received_at_ms if isinstance(record, EventRecord) else record.exposed_at_ms
            for record in RECORDS
            if (record.project_id, record.secret_key_id) == (project_id, key_id)
        )
        for project_id, key_id in {(record.project_id, record.secret_key_id) for record in RECORDS}
    }
