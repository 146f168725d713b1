"""Copies what a worker holds to the folder, beside the requests, and reads it back when Redis cannot be asked."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

import structlog

from common.wire.snapshot import SnapshotFormatError
from edge_api.snapshots.snapshot_folder import SnapshotFolder

_LOG = structlog.stdlib.get_logger(__name__)

_FILES_PER_TRIP = 64
#: So much may wait for the disk. What would be more is written by the next look over the folder.
_MOST_WAITING_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a project's file is to be; without a body there is to be none."""

    revision: int
    body: bytes | None

    @property
    def size(self) -> int:
        return 0 if self.body is None else len(self.body)


class DiskWriter:
    """Only the newest of each project waits. A folder that cannot be written costs nothing but the copies.

    `is_failing` tells whether the last trip to the disk failed, `damaged` how many files could not be read.
    """

    def __init__(self, folder: SnapshotFolder, waiting_bytes: int = _MOST_WAITING_BYTES) -> None:
        self._folder = folder
        self._limit_bytes = waiting_bytes
        self._waiting: dict[str, _Wish] = {}
        self._waiting_bytes = 0
        self._under_way: Mapping[str, _Wish] = {}
        #: Projects whose file may be older than what this worker has served.
        self._outdated: set[str] = set()
        self._arrived = asyncio.Event()
        self._written = asyncio.Event()
        self._is_closed = False
        self.is_failing = False
        self.damaged = 0
        #: Whether some copy was left out: too much was waiting, or the disk failed.
        self.has_gaps = False

    def is_as_wanted(self) -> bool:
        """Tell whether the folder holds nothing that is outdated."""
        return not (self._waiting or self._under_way or self._outdated)

    async def settled(self) -> None:
        """Wait until nothing waits for the disk."""
        while self._waiting or self._under_way:
            self._written.clear()
            await self._written.wait()

    async def room(self) -> None:
        """Wait until more may be wished for without leaving gaps."""
        while self._waiting_bytes > self._limit_bytes // 2:
            self._written.clear()
            await self._written.wait()

    def keep(self, project_id: str, revision: int, body: bytes) -> None:
        """Have a stored snapshot copied."""
        if self._waiting_bytes + len(body) > self._limit_bytes:
            # No copy is better than one that is older than what has been served.
            self.has_gaps = True
            self._wish(project_id, _Wish(revision, None))
        else:
            self._wish(project_id, _Wish(revision, body))

    def remove(self, project_id: str, revision: int) -> None:
        """Have the copy of a project removed that was deleted at that revision."""
        self._wish(project_id, _Wish(revision, None))

    async def load(self, project_id: str) -> bytes | None:
        """Give the stored snapshot of a project, or None when there is no copy that can be trusted."""
        wish = self._waiting.get(project_id) or self._under_way.get(project_id)
        if wish is not None:
            return wish.body
        if project_id in self._outdated:
            return None
        try:
            return await asyncio.to_thread(self._folder.read, project_id)
        except SnapshotFormatError as error:
            await self.discard(project_id, str(error))
        except OSError as error:
            _LOG.warning("snapshot_copy_not_read", project=project_id, reason=type(error).__name__)
        return None

    async def discard(self, project_id: str, reason: str) -> None:
        """Remove a copy that cannot be used."""
        self.damaged += 1
        _LOG.error("snapshot_copy_damaged", project=project_id, reason=reason)
        try:
            await asyncio.to_thread(self._folder.remove, project_id)
        except OSError as error:
            _LOG.warning("snapshot_copy_not_removed", project=project_id, reason=type(error).__name__)

    def outdated(self) -> list[str]:
        """List the projects whose file may be older than what was served."""
        return list(self._outdated)

    def close(self) -> None:
        """Let :meth:`run` return once nothing waits any more."""
        self._is_closed = True
        self._arrived.set()

    async def run(self) -> None:
        """Write what is wished for."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting:
                await self._write_some()
            if self._is_closed:
                return

    def _wish(self, project_id: str, wish: _Wish) -> None:
        before = self._waiting.get(project_id)
        if before is not None and before.revision > wish.revision:
            return
        self._waiting_bytes += wish.size - (0 if before is None else before.size)
        self._waiting[project_id] = wish
        self._arrived.set()

    async def _write_some(self) -> None:
        wishes = dict(islice(self._waiting.items(), _FILES_PER_TRIP))
        for project_id, wish in wishes.items():
            del self._waiting[project_id]
            self._waiting_bytes -= wish.size
        self._under_way = wishes
        try:
            error = await asyncio.to_thread(self._write, wishes)
        finally:
            self._under_way = {}
        self.has_gaps |= error is not None
        if (error is not None) is not self.is_failing:
            self.is_failing = error is not None
            if error is None:
                _LOG.info("snapshot_copies_written_again")
            else:
                _LOG.error("snapshot_copies_not_written", reason=error.strerror or type(error).__name__)
        self._written.set()

    def _write(self, wishes: Mapping[str, _Wish]) -> OSError | None:
        """Write all that can be written and give the last error; it runs in a thread."""
        failure: OSError | None = None
        for project_id, wish in wishes.items():
            try:
                if wish.body is None:
                    self._folder.remove(project_id)
                else:
                    self._folder.put(project_id, wish.revision, wish.body)
            except OSError as error:
                failure = error
                self._outdated.add(project_id)
            else:
                self._outdated.discard(project_id)
        try:
            self._folder.sync()
        except OSError as error:
            failure = error
        return failure
