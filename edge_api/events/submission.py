"""Records on their way into a stream, and what is done once their fate is known."""

from collections.abc import Callable, Sequence
from typing import Self

import msgspec

from common.stream_records import StreamRecord, encode_record

#: Told None once the records are durable, else why they are not known to be.
Settle = Callable[[Exception | None], None]


class Submission(msgspec.Struct, frozen=True):
    """The encoded records of one request, of one project; they become durable together or count as failed together."""

    project_id: str
    bodies: tuple[bytes, ...]
    settle: Settle
    #: Whether somebody is told that they are stored; the loss of all others is tolerable.
    is_promised: bool = True

    @classmethod
    def of(cls, records: Sequence[StreamRecord], settle: Settle, *, is_promised: bool = True) -> Self:
        """Encode the records now, where an error would still be the request's own."""
        return cls(records[0].project_id, tuple([encode_record(one) for one in records]), settle, is_promised)

    @property
    def bytes(self) -> int:
        """What the records take up."""
        return sum(map(len, self.bodies))
