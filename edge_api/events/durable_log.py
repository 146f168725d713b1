"""What the group commit asks of a place where records are made durable."""

from collections.abc import Sequence
from typing import Protocol

from edge_api.events.submission import Submission


class DurableLog(Protocol):
    """Where records are made durable."""

    async def append(self, submissions: Sequence[Submission]) -> list[Exception | None]:
        """Say of each submission, in order, whether it is durable (None) or why that is not known."""
        ...
