"""Records, and sinks for them, for tests of the group commit."""

import asyncio
from collections.abc import Awaitable, Sequence

from common.wire.stream_records import EventRecord, ExposureRecord
from edge_api.events.group_commit import PendingWrite


def an_event(event_id: str = "e") -> EventRecord:
    return EventRecord("proj_1", event_id, "flow_started", "phone", 1, 1)


def an_exposure(device_id: str = "phone") -> ExposureRecord:
    return ExposureRecord("proj_1", device_id, "flow_1", 1)


class GatedSink:
    """A sink that holds every group until the gate is open, and keeps the sizes of the groups."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.gate = asyncio.Event()
        self.groups: list[int] = []
        self.failure = failure

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        self.groups.append(len(writes))
        await self.gate.wait()
        for write in writes:
            write.error = self.failure


class RecordingSink:
    """A sink that notes in a diary the groups it takes, and stores them in the next turn of the loop."""

    def __init__(self, diary: list[str]) -> None:
        self._diary = diary

    def append(self, writes: Sequence[PendingWrite]) -> Awaitable[None]:
        self._diary.append(f"sent {len(writes)}")
        return self._store(writes)

    async def _store(self, writes: Sequence[PendingWrite]) -> None:
        await asyncio.sleep(0)
        for write in writes:
            write.error = None


class BrokenSink:
    """A sink with a defect."""

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        """Raise an error that is not foreseen."""
        raise RuntimeError(len(writes))


class OddSink:
    """A sink that fails every second write."""

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        for number, write in enumerate(writes):
            write.error = OSError() if number % 2 else None


class FakeFallback:
    """A fallback that stores everything, and keeps the sizes of the groups it got in either way."""

    def __init__(self, *, is_direct: bool) -> None:
        self.is_direct = is_direct
        self.appended: list[int] = []
        self.failed: list[int] = []

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        """Take a group that must not go to the first sink."""
        self.appended.append(len(writes))
        for write in writes:
            write.error = None

    async def append_failed(self, writes: Sequence[PendingWrite]) -> None:
        """Take writes that the first sink has not confirmed."""
        self.failed.append(len(writes))
        for write in writes:
            write.error = None
