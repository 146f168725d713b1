"""Where a worker's records become durable when it has no spool: in Redis or nowhere."""

from collections.abc import Awaitable, Sequence

from edge_api.events.event_streams import EventStreams
from edge_api.events.pending_write import PendingWrite


class DirectSink:
    """What Redis does not take in time is refused."""

    is_direct = True

    def __init__(self, streams: EventStreams, *, patience_seconds: float) -> None:
        self._streams = streams
        self._patience_seconds = patience_seconds

    def append(self, submissions: Sequence[PendingWrite]) -> Awaitable[list[Exception | None]]:
        """Append to the streams, and say of each submission whether it is durable (None) or why that is not known."""
        sent = self._streams.send(submissions, self._patience_seconds)
        return self._streams.append(submissions, self._patience_seconds, sent)
