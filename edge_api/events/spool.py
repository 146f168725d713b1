"""The spool of a worker: writes that Redis could not take wait on disk, in the order in which they came.

All files are used by one thread, so a disk that hangs stops the spool and not the event loop.
"""

import asyncio
import errno
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import structlog

from common.errors import UnavailableError
from edge_api.events.group_commit import PendingWrite
from edge_api.events.spool_file import (
    DISK_ERRORS,
    SUFFIX,
    SpoolFile,
    StoredWrite,
    is_damage,
    is_locked,
    make_folder,
    pack_write,
    quarantine,
    reason_of,
    row_bytes,
    shard_of,
)
from edge_api.events.status import SpoolStatus

_LOG = structlog.stdlib.get_logger(__name__)

DAMAGED = "damaged"
#: Part of the bound: a file's log, with the largest group in it, lies beside its rows.
_LOG_BYTES = 3 * 1024 * 1024
#: A disk that takes longer than this for one group does not work; the waiting clients get 503.
_DISK_SECONDS = 10.0
#: The pause after a failure, in which the disk is not tried.
_PAUSE_SECONDS = 1.0
#: An empty file that is younger may be one that its worker is about to lock.
_EMPTY_SECONDS = 60.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SpoolBatch:
    """Writes to be replayed, of one file."""

    file: SpoolFile
    stored: Sequence[StoredWrite]

    @property
    def writes(self) -> list[PendingWrite]:
        """The writes without their places in the file."""
        return [stored.write for stored in self.stored]


class Spool:
    """Bounded by its bytes on disk, those of adopted files included."""

    def __init__(self, folder: Path, *, limit_bytes: int, shard: int | None = None, adopts_all: bool = True) -> None:
        """Configure the spool; files are created later.

        `shard` is the number of the only stream that the writes belong to, None for all streams; it is in the names of
        the files. With `adopts_all` the spool adopts every orphan, else only those with the same shard.
        """
        self.shard = shard
        self._folder = folder
        self._adopts_all = adopts_all
        self._limit_bytes = limit_bytes
        #: The room for rows.
        self._payload_limit = max(limit_bytes // 2, limit_bytes - _LOG_BYTES)
        self._thread = ThreadPoolExecutor(1, "spool")
        #: In the order of replay. The thread replaces the tuple, so the event loop never sees a change in progress.
        self._files: tuple[SpoolFile, ...] = ()
        #: The file that new writes go to, one of the above.
        self._current: SpoolFile | None = None
        self._hanging: asyncio.Future[object] | None = None
        self._failure: Exception | None = None
        self._next_attempt_at = 0.0
        self._replayed = self._rejected = self._damaged = 0
        #: Set while there may be something to replay.
        self.filled = asyncio.Event()

    @property
    def is_drained(self) -> bool:
        """Whether Redis has all writes."""
        return not any(file.has_more for file in self._files)

    @property
    def records(self) -> int:
        """The number of records that wait."""
        return sum(file.records for file in self._files)

    async def append(self, writes: Sequence[PendingWrite]) -> None:
        """Make writes durable on disk, and set the error of each."""
        admitted, payloads = self._admit(writes)
        if not admitted:
            return
        counts = [len(write.bodies) for write in admitted]
        error: Exception | None = self._blocked()
        if error is None:
            try:
                await self._run(partial(self._append, payloads, counts, int(time.time() * 1000)), _DISK_SECONDS)
            except DISK_ERRORS as failure:
                error = failure
                self._record_failure(failure)
            else:
                self._failure = None
            # Also after a failure: a file without rows may have to be removed.
            self.filled.set()
        if error is not None:
            self._rejected += sum(counts)
        for write in admitted:
            write.error = error

    async def next_batch(self) -> SpoolBatch | None:
        """Return the oldest writes; None when there are none. Raises DISK_ERRORS: try again later."""
        batch = await self._run(self._read)
        if batch is None and self.is_drained:
            self.filled.clear()
        return batch

    async def confirm(self, batch: SpoolBatch) -> None:
        """Delete the writes of a batch, because Redis has them."""
        await self._run(partial(self._confirm, batch.file, batch.stored))
        self._replayed += sum(len(stored.write.bodies) for stored in batch.stored)

    async def adopt_orphans(self) -> None:
        """Take over the files of workers that have ended."""
        if self._hanging is not None:
            return
        try:
            await self._run(self._adopt_orphans, _DISK_SECONDS)
        except DISK_ERRORS as error:
            _LOG.warning("spool_not_adopted", folder=str(self._folder), reason=reason_of(error))
        if not self.is_drained:
            self.filled.set()
        elif self._failure is not None and self._blocked() is None:
            await self._try_disk()

    async def aclose(self) -> None:
        """Close the files; other workers adopt those that have events."""
        if self._hanging is None:
            try:
                await self._run(self._close, _DISK_SECONDS)
            except DISK_ERRORS as error:
                _LOG.warning("spool_not_closed", reason=reason_of(error))
        self._thread.shutdown(wait=False)

    def status(self) -> SpoolStatus:
        """Return counts for metrics and health."""
        waiting = [file for file in self._files if file.has_more]
        oldest_ms = min((file.oldest_ms for file in waiting if file.oldest_ms is not None), default=None)
        return SpoolStatus(
            state="failing" if self._failure is not None else "filled" if waiting else "empty",
            records=self.records,
            bytes=self._bytes,
            limit_bytes=self._limit_bytes,
            fill=min(1.0, self._bytes / self._payload_limit) if self._payload_limit else 0.0,
            oldest_seconds=None if oldest_ms is None else max(0.0, time.time() - oldest_ms / 1000),
            replayed=self._replayed,
            rejected=self._rejected,
            damaged=self._damaged + sum(file.damaged for file in self._files),
        )

    @property
    def _bytes(self) -> int:
        return sum(file.bytes for file in self._files)

    def _admit(self, writes: Sequence[PendingWrite]) -> tuple[list[PendingWrite], list[bytes]]:
        """Return the writes that have room, with their payloads; the others get their error."""
        room = self._payload_limit - self._bytes
        admitted: list[PendingWrite] = []
        payloads: list[bytes] = []
        for write in writes:
            payload = pack_write(write.project_id, write.bodies)
            size = row_bytes(payload)
            # The last half is for required writes.
            if size > (room if write.is_required else room - self._payload_limit // 2):
                write.error = UnavailableError("The spool is full")
                self._rejected += len(write.bodies)
                continue
            room -= size
            admitted.append(write)
            payloads.append(payload)
        return admitted, payloads

    def _blocked(self) -> Exception | None:
        """Return the error of writes that are not tried, because the disk hangs or has failed a moment ago."""
        is_pause = self._failure is not None and asyncio.get_running_loop().time() < self._next_attempt_at
        return OSError(errno.EBUSY, "the disk of the spool failed or hangs") if self._hanging or is_pause else None

    def _record_failure(self, error: Exception) -> None:
        if self._failure is None:
            _LOG.error("spool_not_written", reason=reason_of(error))
        self._failure = error
        self._next_attempt_at = asyncio.get_running_loop().time() + _PAUSE_SECONDS

    async def _try_disk(self) -> None:
        """Create a file and remove it: a disk with room again is not reported as failing until the next outage."""
        try:
            await self._run(lambda: SpoolFile.create(self._folder, self.shard).remove(), _DISK_SECONDS)
        except DISK_ERRORS as error:
            self._record_failure(error)
        else:
            self._failure = None

    async def _run(self, work: Callable[[], T], timeout_seconds: float | None = None) -> T:
        """Run a job in the thread. Raises TimeoutError, and then the spool is not used until the job has ended."""
        job = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            async with asyncio.timeout(timeout_seconds):
                return await asyncio.shield(job)
        except TimeoutError:
            if not job.done():
                self._hanging = job  # type: ignore[assignment]  # its result is not used
                job.add_done_callback(self._recovered)
            raise

    def _recovered(self, job: asyncio.Future[T]) -> None:
        self._hanging = None
        if not job.cancelled():
            job.exception()
        self.filled.set()

    # The methods below run in the thread.

    def _append(self, payloads: Sequence[bytes], counts: Sequence[int], now_ms: int) -> None:
        file = self._current
        if file is None or not file.is_writable:
            file = self._current = SpoolFile.create(self._folder, self.shard)
            self._files = (*self._files, file)
        file.append(payloads, counts, now_ms)

    def _read(self) -> SpoolBatch | None:
        for file in self._files:
            if file.has_more:
                damaged = file.damaged
                stored = file.read()
                if file.damaged > damaged:
                    _LOG.error("spool_damaged", file=file.path.name, places=file.damaged - damaged)
                if stored:
                    return SpoolBatch(file, stored)
            self._remove(file)
        return None

    def _confirm(self, file: SpoolFile, confirmed: Sequence[StoredWrite]) -> None:
        file.confirm(confirmed)
        if not file.has_more:
            self._remove(file)

    def _remove(self, file: SpoolFile) -> None:
        """Remove a file that was replayed; a damaged one is set aside."""
        if file is self._current:
            self._current = None
        try:
            if file.damaged:
                file.close()
                quarantine(file.path, self._folder / DAMAGED)
            else:
                file.remove()
        except OSError as error:
            # It stays open and locked: if another worker adopted it, it would be replayed for ever.
            _LOG.warning("spool_file_not_removed", file=file.path.name, reason=reason_of(error))
            return
        self._files = tuple(other for other in self._files if other is not file)
        self._damaged += file.damaged

    def _adopt_orphans(self) -> None:
        # Also shows at the start whether the folder can be used.
        make_folder(self._folder)
        own = {file.path for file in self._files}
        orphans = [path for path in self._folder.glob(f"*{SUFFIX}") if path not in own]
        paths = sorted(path for path in orphans if self._adopts_all or shard_of(path) == self.shard)
        adopted = [file for file in map(self._adopted, paths) if file is not None]
        if adopted:
            self._files = (*adopted, *self._files)
            _LOG.info("spool_adopted", files=len(adopted), records=sum(file.records for file in adopted))

    def _adopted(self, path: Path) -> SpoolFile | None:
        try:
            found = path.stat()
            if not found.st_size:
                if time.time() - found.st_mtime > _EMPTY_SECONDS:
                    path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
                    path.unlink()
                return None
            return SpoolFile.adopt(path)
        except sqlite3.Error as error:
            if is_locked(error):
                return None
            if is_damage(error):
                _LOG.error("spool_damaged", file=path.name, reason=reason_of(error))
                self._damaged += 1
                quarantine(path, self._folder / DAMAGED)
                return None
            # It stays, and is tried again: this process may be short of descriptors.
            _LOG.warning("spool_not_adopted", file=path.name, reason=reason_of(error))
        except FileNotFoundError:
            # Its worker has removed it a moment ago.
            return None
        except OSError as error:
            _LOG.warning("spool_not_adopted", file=path.name, reason=reason_of(error))
        return None

    def _close(self) -> None:
        for file in self._files:
            file.close()
        self._files = ()
        self._current = None
