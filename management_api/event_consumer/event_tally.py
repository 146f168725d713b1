"""What has become of the events of committed batches, for metrics."""

import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Events by outcome: stored, stored before, deleted or erased, of a project that was never in the database."""

    new: int = 0
    repeated: int = 0
    dropped: int = 0
    unknown: int = 0


class EventTally:
    """Adds up the counts of all lanes, whose threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.counts = EventCounts()

    def add(self, more: EventCounts) -> None:
        """Count a batch, once it is committed."""
        with self._lock:
            now = self.counts
            self.counts = EventCounts(
                now.new + more.new,
                now.repeated + more.repeated,
                now.dropped + more.dropped,
                now.unknown + more.unknown,
            )
