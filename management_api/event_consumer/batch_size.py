"""How many entries to read at once: as many as come while there are few, ever more while there is a backlog."""

from collections.abc import Sequence

from management_api.event_consumer.stream_entry import StreamEntry

#: What a stream's first read takes, and what every read may take whatever the size of the entries.
FEW = 200

#: Entries of many kilobytes are read in smaller numbers, so that a batch stays about so large. A lane has two of them
#: while it reads ahead.
MAX_BYTES = 4 * 1024 * 1024


class BatchSize:
    """The count of the next read of one stream; memory stays bounded by bytes, not only by entries."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.count = min(FEW, limit)
        #: Whether the last batch was all that was asked for, so that more is waiting.
        self.was_full = False

    def note(self, entries: Sequence[StreamEntry]) -> None:
        """Learn from a batch: twice as many after a full one, as far as the bytes allow."""
        self.was_full = len(entries) >= self.count
        if not self.was_full:
            return
        average = sum(len(entry.body) for entry in entries) // len(entries) + 1
        self.count = max(min(self.count * 2, self._limit, MAX_BYTES // average), 1)
