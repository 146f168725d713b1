"""What has become of a worker's events, for metrics: counted by groups, which are fewer."""

from collections.abc import Sequence

from common.telemetry.histogram import Histogram
from edge_api.events.pending_write import PendingWrite


class CommitStats:
    """Records since the worker started: made durable, refused, or dropped where nobody was promised anything."""

    def __init__(self) -> None:
        self.stored = 0
        self.refused = 0
        self.dropped = 0
        #: How long each group took.
        self.durations = Histogram()

    def count(
        self, group: Sequence[PendingWrite], fates: Sequence[Exception | None], records: int, seconds: float
    ) -> None:
        """Count a group of so many records, with the fate of each submission."""
        self.durations.count(seconds)
        if not any(fates):
            self.stored += records
            return
        for submission, fate in zip(group, fates, strict=True):
            if fate is None:
                self.stored += len(submission.bodies)
            elif submission.is_promised:
                self.refused += len(submission.bodies)
            else:
                self.dropped += len(submission.bodies)
