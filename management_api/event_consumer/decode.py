"""Decodes stream entries into records one by one, so that an unreadable entry affects no other."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import orjson

from common.wire.stream_records import EventRecord, ExposureRecord, StreamRecordError, decode_record
from management_api.db.models.event_ids import event_id_digest
from management_api.event_consumer.stream import StreamEntry
from management_api.rollups.devices import DeviceKey

QUESTION_ANSWERED = "question_answered"
_ANSWER = "answer"
#: Hosted pages send these with each answer.
_HOSTED_ANSWER = frozenset({_ANSWER, "answer_key", "question_type"})


class DecodedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event with the values that several statements need."""

    record: EventRecord
    device: DeviceKey
    #: The digest of the id.
    digest: bytes
    #: As JSON.
    properties: bytes

    @property
    def has_hosted_answer(self) -> bool:
        """Whether the event has an answer in the form of hosted pages; apps may report answers in other forms."""
        record = self.record
        return record.event_type == QUESTION_ANSWERED and record.properties.keys() >= _HOSTED_ANSWER

    def without_answer(self) -> "DecodedEvent":
        """Return the event without the answer, whose question stays."""
        properties = {name: value for name, value in self.record.properties.items() if name != _ANSWER}
        return msgspec.structs.replace(self, properties=orjson.dumps(properties))

    @classmethod
    def from_record(cls, record: EventRecord) -> "DecodedEvent":
        """Prepare an event. Raises orjson.JSONEncodeError for properties that JSON does not have."""
        project_id = record.project_id
        return cls(
            record,
            (project_id, record.device_id),
            event_id_digest(project_id, record.event_id),
            orjson.dumps(record.properties),
        )


@dataclass(frozen=True, slots=True)
class DecodedBatch:
    """The records of a batch in its order, and the entries that are none, each with the reason."""

    entries: Sequence[StreamEntry]
    events: list[DecodedEvent] = field(default_factory=list)
    exposures: list[ExposureRecord] = field(default_factory=list)
    unreadable: dict[StreamEntry, str] = field(default_factory=dict)

    @property
    def project_ids(self) -> list[str]:
        """The projects of all records, in the order in which their rows are locked."""
        return sorted(
            {event.record.project_id for event in self.events} | {exposure.project_id for exposure in self.exposures}
        )

    @property
    def has_dead_letters(self) -> bool:
        """Whether any of the entries was a dead letter before."""
        return any(entry.dead_letter_id is not None for entry in self.entries)


def decode_batch(entries: Sequence[StreamEntry]) -> DecodedBatch:
    """Decode every entry of a batch. Never raises for the content of an entry."""
    batch = DecodedBatch(entries)
    for entry in entries:
        try:
            record = decode_record(entry.body)
            if isinstance(record, EventRecord):
                batch.events.append(DecodedEvent.from_record(record))
            else:
                batch.exposures.append(record)
        # Bytes that are no record, members that JSON does not have, nesting beyond every limit.
        except (StreamRecordError, orjson.JSONEncodeError) as error:
            batch.unreadable[entry] = f"{type(error).__name__}: {error}"
    return batch
