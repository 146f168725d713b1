"""Records and a log for them, for tests of the group commit."""

import asyncio
from collections.abc import Awaitable, Sequence

from common.wire.stream_records import EventRecord, ExposureRecord
from edge_api.events.pending_write import PendingWrite


def an_event(event_id: str = "e") -> EventRecord:
    """Give an event."""
    return EventRecord("proj_1", event_id, "flow_started", "phone", 1, 1)


def an_exposure(device_id: str = "phone") -> ExposureRecord:
    """Give an exposure."""
    return ExposureRecord("proj_1", device_id, "flow_1", 1)


class GatedLog:
    """A log that holds every group until the gate is open, and remembers the groups."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.gate = asyncio.Event()
        self.groups: list[int] = []
        self.failure = failure

    async def append(self, submissions: Sequence[PendingWrite]) -> list[Exception | None]:
        """Take the group."""
        self.groups.append(len(submissions))
        await self.gate.wait()
        return [self.failure] * len(submissions)


class AnsweringLog:
    """A log that notes in a diary what it takes, and has it in the next turn of the loop."""

    def __init__(self, diary: list[str]) -> None:
        self._diary = diary

    def append(self, submissions: Sequence[PendingWrite]) -> Awaitable[list[Exception | None]]:
        """Take the group."""
        self._diary.append(f"sent {len(submissions)}")
        return asyncio.sleep(0, [None] * len(submissions))


class BrokenLog:
    """A log with a defect."""

    async def append(self, submissions: Sequence[PendingWrite]) -> list[Exception | None]:
        """Fail in a way that nobody foresaw."""
        raise RuntimeError(len(submissions))
