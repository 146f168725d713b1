"""What the group commit asks of a place where records are made durable."""

from collections.abc import Awaitable, Sequence
from typing import Protocol

from edge_api.events.pending_write import PendingWrite


class EventSink(Protocol):
    """Where records are made durable."""

    def append(self, submissions: Sequence[PendingWrite]) -> Awaitable[list[Exception | None]]:
        """Say of each submission, in order, whether it is durable (None) or why that is not known.

        What can be sent at once has been sent when this returns, so that others may be told meanwhile.
        """
        ...
