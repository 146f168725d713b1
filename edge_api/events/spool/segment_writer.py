"""Writes frames to the newest segment of a spool, in a thread, and says when they are durable."""

import asyncio
import errno
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import structlog

from edge_api.events.spool.segment import SUFFIX, Segment, begin_segment, write_durably
from edge_api.events.spool.spool_folder import OwnedFolder, SpoolFolder

_LOG = structlog.stdlib.get_logger(__name__)

SEGMENT_BYTES = 4 * 1024 * 1024
#: A disk that takes longer than this for one write does not work; those who wait are told so.
_DISK_SECONDS = 10.0
#: After a failure the disk is left alone for so long.
_PAUSE_SECONDS = 1.0

Given = TypeVar("Given")


class SegmentWriter:
    """One write at a time. A file on which anything has failed is never written to again.

    After a failed fsync the kernel may count pages as clean that never reached the disk, so that the next fsync of the
    same file would say nothing.
    """

    def __init__(self, folder: SpoolFolder, segment_bytes: int) -> None:
        self._folder = folder
        self._segment_bytes = segment_bytes
        self._own: OwnedFolder | None = None
        self._number = 0
        self._descriptor: int | None = None
        self._thread = ThreadPoolExecutor(1, "spool")
        self._job: asyncio.Future[object] | None = None
        self._is_writing = False
        self._failure: OSError | None = None
        self._next_attempt_at = 0.0
        #: What is being written to.
        self.segment: Segment | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a write is under way, and until the segment's size tells of it.

        The thread is done some turns of the loop before: the segment must not seem replayed to its end between.
        """
        return self._is_writing or (self._job is not None and not self._job.done())

    @property
    def is_failing(self) -> bool:
        """Whether the last write has failed."""
        return self._failure is not None

    async def open(self) -> None:
        """Make the worker's own folder. Raises OSError."""
        if self._own is None:
            self._own = await self._run(self._folder.make_own)

    async def write(self, content: bytes, begun: Callable[[Segment], None]) -> Segment:
        """Make the content durable; `begun` is told of each new segment. Raises OSError.

        Gives the segment that has it.
        """
        if self.is_busy or (self._failure is not None and asyncio.get_running_loop().time() < self._next_attempt_at):
            raise OSError(errno.EBUSY, "the disk of the spool failed or hangs") from self._failure
        self._is_writing = True
        try:
            return await self._write(content, begun)
        finally:
            self._is_writing = False

    def seal(self) -> None:
        """Write no more to the present segment; not to be called while a write is under way."""
        self.segment = None
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def close(self) -> None:
        """Let go of everything; the folder goes when it is empty."""
        if not self.is_busy:
            self.seal()
        self._thread.shutdown(wait=False)
        if self._own is not None:
            self._own.release()
            self._own = None

    async def _write(self, content: bytes, begun: Callable[[Segment], None]) -> Segment:
        if self.segment is not None and self.segment.size >= self._segment_bytes:
            self.seal()
        if self.segment is None or self._descriptor is None:
            self.segment = await self._begin()
            begun(self.segment)
        segment, descriptor = self.segment, self._descriptor
        if descriptor is None:
            raise OSError(errno.EBADF, "the spool is closed")
        await self._run(partial(write_durably, descriptor, content))
        segment.size += len(content)
        self._failure = None
        return segment

    async def _begin(self) -> Segment:
        await self.open()
        if self._own is None:
            raise OSError(errno.ENOENT, "the spool has no folder")
        self._number += 1
        path = self._own.path / f"{self._number:08}{SUFFIX}"
        self._descriptor = await self._run(partial(begin_segment, path))
        return Segment(path)

    async def _run(self, work: Callable[[], Given]) -> Given:
        job = asyncio.get_running_loop().run_in_executor(self._thread, work)
        self._job = job  # type: ignore[assignment]  # what it gives is nobody's business but ours
        try:
            async with asyncio.timeout(_DISK_SECONDS):
                return await asyncio.shield(job)
        except BaseException as error:
            self._abandon(error, job)
            raise

    def _abandon(self, error: BaseException, job: asyncio.Future[Given]) -> None:
        """Leave the segment as it is, its last durable size included."""
        if isinstance(error, OSError):
            if self._failure is None:
                _LOG.error("spool_not_written", reason=type(error).__name__, errno=error.errno)
            self._failure = error
            self._next_attempt_at = asyncio.get_running_loop().time() + _PAUSE_SECONDS
        if isinstance(error, FileNotFoundError) and self._own is not None:
            # Somebody has deleted the folder: the next write makes another.
            self._own.release()
            self._own = None
        self.segment = None
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            # It may still be in use by a write that hangs.
            job.add_done_callback(lambda _: os.close(descriptor))
