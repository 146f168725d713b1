"""One entry of an event stream, as Redis delivered it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StreamEntry:
    """`body` is the encoded record; it is empty in an entry that somebody else wrote."""

    stream: str
    entry_id: str
    body: bytes
