"""Records on their way into a stream, and what is done once their fate is known."""

from collections.abc import Callable, Sequence

import msgspec

from common.wire.stream_records import StreamRecord, encode_record

#: Told None once the records are durable, else why they are not known to be.
Settle = Callable[[Exception | None], None]


class PendingWrite(msgspec.Struct, frozen=True, gc=False):
    """The encoded records of one request, of one project; they become durable together or count as failed together."""

    project_id: str
    bodies: tuple[bytes, ...]
    settle: Settle
    #: What the bodies take up.
    bytes: int
    #: Whether somebody is told that they are stored; the loss of all others is tolerable.
    is_promised: bool = True


def pending_write_of(records: Sequence[StreamRecord], settle: Settle, *, is_promised: bool = True) -> PendingWrite:
    """Encode the records now, where an error would still be the request's own."""
    first = records[0]
    if len(records) == 1:
        body = encode_record(first)
        return PendingWrite(first.project_id, (body,), settle, len(body), is_promised)
    bodies = tuple(map(encode_record, records))
    return PendingWrite(first.project_id, bodies, settle, sum(map(len, bodies)), is_promised)
