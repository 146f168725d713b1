"""Records on their way into a stream, and what is done once their fate is known."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from common.redis_keys import event_stream_of
from common.stream_records import StreamRecord, encode_record

#: Told None once the records are durable, else why they are not known to be.
Settle = Callable[[Exception | None], None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One encoded record and the stream that it goes to."""

    stream: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Submission:
    """The records of one request, of one project; they become durable together or count as failed together."""

    entries: tuple[Entry, ...]
    settle: Settle

    @classmethod
    def of(cls, records: Iterable[StreamRecord], settle: Settle) -> Self:
        """Encode the records now, where an error would still be the request's own."""
        return cls(
            tuple(Entry(event_stream_of(record.project_id), encode_record(record)) for record in records), settle
        )
