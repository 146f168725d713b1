"""The spool of a worker: records that Redis could not take, on disk, in the order in which they came."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from common.errors import UnavailableError
from edge_api.event_figures import SpoolFigures
from edge_api.events.pending_write import PendingWrite
from edge_api.events.spool.batch import Batch, submissions_in
from edge_api.events.spool.frame import CorruptRange, Frame, pack_frame
from edge_api.events.spool.segment import Segment, inspect_segment, is_shortage, read_segment, remove_segment
from edge_api.events.spool.segment_writer import SEGMENT_BYTES, SegmentWriter
from edge_api.events.spool.spool_folder import OwnedFolder, SpoolFolder

_LOG = structlog.stdlib.get_logger(__name__)

_RECORDS_PER_BATCH = 1000
_BYTES_PER_BATCH = 1024 * 1024
#: A disk that fails may recover; what is behind a segment that cannot be read waits for no more reads of it than these.
_READS_OF_ONE_PLACE = 5


class Spool:
    """Bounded by its bytes on disk, those of spools that were taken over included."""

    def __init__(
        self,
        folder: SpoolFolder,
        *,
        limit_bytes: int,
        segment_bytes: int = SEGMENT_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Put it together; `clock` gives the Unix time."""
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._clock = clock
        self._writer = SegmentWriter(folder, min(segment_bytes, max(1, limit_bytes // 4)))
        #: What was taken over comes first.
        self._segments: deque[Segment] = deque()
        self._taken_over: dict[Path, OwnedFolder] = {}
        self._bytes = 0
        self._replayed = self._refused = self._damaged = self._torn = 0
        #: Set while there may be something to replay.
        self.filled = asyncio.Event()

    @property
    def is_drained(self) -> bool:
        """Whether everything has been replayed."""
        return not any(segment.has_more for segment in self._segments)

    @property
    def records(self) -> int:
        """How many wait to be replayed."""
        return sum(segment.records for segment in self._segments)

    async def open(self) -> None:
        """Get ready to write, and take over what dead workers have left; a disk that fails now may recover."""
        try:
            await self._writer.open()
        except OSError:
            _LOG.warning("spool_not_opened")
        await self.take_over()

    async def append(self, submissions: Sequence[PendingWrite]) -> list[Exception | None]:
        """Write all records down, and say of each submission whether it is durable (None) or why not."""
        fates: list[Exception | None] = []
        frames: list[bytes] = []
        now_ms = int(self._clock() * 1000)
        room = self._limit_bytes - self._bytes
        for submission in submissions:
            frame = pack_frame(submission.project_id, submission.bodies, now_ms)
            # What nobody was promised leaves the other half to what was.
            if len(frame) > (room if submission.is_promised else room - self._limit_bytes // 2):
                fates.append(UnavailableError("The spool is full"))
                self._refused += len(submission.bodies)
                continue
            room -= len(frame)
            frames.append(frame)
            fates.append(None)
        if not frames:
            return fates
        records = sum(len(one.bodies) for one, fate in zip(submissions, fates, strict=True) if fate is None)
        try:
            await self._write(b"".join(frames), records, now_ms)
        except OSError as error:
            self._refused += records
            return [fate or error for fate in fates]
        return fates

    async def next_batch(self) -> Batch | None:
        """Give the oldest records that were not replayed yet; None when there are none.

        Raises OSError when the disk fails; to be called again then, until what cannot be read is given up.
        """
        for segment in list(self._segments):
            while segment.has_more:
                batch = await self._read(segment)
                if batch is not None:
                    return batch
            await self._finish(segment)
        if self.is_drained:
            self.filled.clear()
        return None

    async def confirm(self, batch: Batch, count: int) -> None:
        """Take note that Redis has the first so many submissions of a batch."""
        if not count:
            return
        segment = batch.segment
        replayed = sum(len(one.bodies) for one in batch.submissions[:count])
        segment.position = batch.ends[count - 1]
        segment.records -= replayed
        self._replayed += replayed
        if not segment.has_more:
            await self._finish(segment)

    async def take_over(self) -> None:
        """Take over the spools of workers that are no more."""
        try:
            left = await asyncio.to_thread(lambda: list(self._folder.take_over()))
        except OSError as error:
            _LOG.warning("spools_not_looked_at", reason=type(error).__name__)
            return
        for owned in left:
            found = await self._segments_of(owned)
            if found:
                self._take_over(owned, found)
            else:
                await asyncio.to_thread(owned.release)

    def close(self) -> None:
        """Let go; what waits is replayed by whoever takes it over."""
        self._writer.close()
        for owned in self._taken_over.values():
            owned.release()
        self._taken_over.clear()

    def figures(self) -> SpoolFigures:
        """Tell how it stands."""
        waiting = [segment for segment in self._segments if segment.has_more]
        oldest = min((one.oldest_ms for one in waiting if one.oldest_ms is not None), default=None)
        return SpoolFigures(
            state="failing" if self._writer.is_failing else "empty" if self.is_drained else "filled",
            records=self.records,
            bytes=self._bytes,
            limit_bytes=self._limit_bytes,
            oldest_seconds=None if oldest is None else max(0.0, self._clock() - oldest / 1000),
            replayed=self._replayed,
            refused=self._refused,
            damaged=self._damaged,
            torn=self._torn,
        )

    async def _write(self, content: bytes, records: int, now_ms: int) -> None:
        try:
            segment = await self._writer.write(content, self._segments.append)
        finally:
            # If it failed, a segment without anything in it may have to be cleared away.
            self.filled.set()
        segment.records += records
        if segment.oldest_ms is None:
            segment.oldest_ms = now_ms
        self._bytes += len(content)

    async def _read(self, segment: Segment) -> Batch | None:
        """Read the next records; None when what comes next cannot be read, and is passed over."""
        start, end = segment.position, segment.size
        try:
            content = await asyncio.to_thread(read_segment, segment.path, start, end)
        except OSError as error:
            if is_shortage(error):
                raise
            segment.failed_reads += 1
            if not isinstance(error, FileNotFoundError) and segment.failed_reads < _READS_OF_ONE_PLACE:
                raise
            self._give_up(segment, end, type(error).__name__)
            return None
        segment.failed_reads = 0
        batch = self._batch_in(segment, content)
        if batch is None and len(content) < end - start:
            self._give_up(segment, end, "truncated")
        return batch

    def _give_up(self, segment: Segment, end: int, reason: str) -> None:
        """Pass over all that was durable in a segment, as somebody or the disk has taken it away since."""
        _LOG.error("spool_segment_given_up", file=segment.path.name, records=segment.records, reason=reason)
        segment.position = end
        segment.records = 0
        segment.is_damaged = True
        self._damaged += 1

    def _batch_in(self, segment: Segment, content: bytes) -> Batch | None:
        """Read frames up to the next gap; a gap at the beginning is passed over for good."""
        offset = segment.position
        submissions: list[PendingWrite] = []
        ends: list[int] = []
        records = size = 0
        for place, submission in submissions_in(content):
            if submission is None:
                if not ends:
                    self._pass_over(segment, place, offset)
                    continue
                break
            submissions.append(submission)
            ends.append(offset + place.end)
            if len(ends) == 1 and isinstance(place, Frame):
                segment.oldest_ms = place.spooled_at_ms
            records += len(submission.bodies)
            size += submission.bytes
            if records >= _RECORDS_PER_BATCH or size >= _BYTES_PER_BATCH:
                break
        return Batch(segment, submissions, ends) if ends else None

    def _pass_over(self, segment: Segment, place: Frame | CorruptRange, offset: int) -> None:
        segment.position = offset + place.end
        segment.is_damaged = True
        self._damaged += 1
        if isinstance(place, Frame):
            segment.records -= place.records
        _LOG.error(
            "spool_frame_damaged",
            file=segment.path.name,
            first_byte=offset + place.start,
            bytes=place.end - place.start,
        )

    async def _finish(self, segment: Segment) -> None:
        """Remove a segment that has been replayed to its end, unless more is coming."""
        if segment is self._writer.segment:
            if self._writer.is_busy:
                return
            self._writer.seal()
        self._segments.remove(segment)
        self._bytes -= segment.size
        try:
            await asyncio.to_thread(remove_segment, segment, self._folder.damaged)
        except OSError as error:
            # It will be replayed once more by whoever takes it over, and its records are known by their ids.
            _LOG.warning("spool_segment_not_removed", reason=type(error).__name__)
        owned = self._taken_over.get(segment.path.parent)
        if owned is not None and not any(one.path.parent == owned.path for one in self._segments):
            del self._taken_over[owned.path]
            await asyncio.to_thread(owned.release)

    async def _segments_of(self, owned: OwnedFolder) -> list[Segment]:
        """Look at what a dead worker has left; nothing is given if that cannot be seen now, in its order."""
        found: list[Segment] = []
        path = owned.path
        try:
            for path in await asyncio.to_thread(owned.segment_files):
                found += await self._inspected(path)
        except OSError as error:
            _LOG.warning("spool_not_taken_over", file=path.name, reason=type(error).__name__)
            return []
        return found

    async def _inspected(self, path: Path) -> list[Segment]:
        try:
            segment, torn = await asyncio.to_thread(inspect_segment, path)
        except OSError as error:
            if is_shortage(error):
                raise
            # It stays where it is, and is looked at again when the others are replayed.
            _LOG.warning("spool_segment_not_read", file=path.name, reason=type(error).__name__)
            return []
        if torn is not None:
            self._torn += 1
            _LOG.warning("spool_tail_cut_off", file=path.name, bytes=torn.end - torn.start)
        return [segment]

    def _take_over(self, owned: OwnedFolder, found: Sequence[Segment]) -> None:
        self._taken_over[owned.path] = owned
        self._segments.extendleft(reversed(found))
        self._bytes += sum(segment.size for segment in found)
        _LOG.info("spool_taken_over", records=sum(segment.records for segment in found))
        self.filled.set()
