"""One entry of an event stream, as Redis delivered it."""

import msgspec


class StreamEntry(msgspec.Struct, frozen=True, gc=False):
    """`body` is the encoded record; it is empty in an entry that somebody else wrote.

    An entry that was a dead letter before carries the letter's id and how often it has failed.
    """

    stream: str
    entry_id: str
    body: bytes
    letter_id: int | None = None
    failures: int = 0
    #: The milliseconds that it lay in a spool before.
    age_ms: int = 0

    @property
    def accepted_at_ms(self) -> int:
        """When the edge accepted it, by the clock of Redis, which numbers the entries."""
        return int(self.entry_id.partition("-")[0]) - self.age_ms
