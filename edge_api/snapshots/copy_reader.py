"""A worker's use of the copies on disk: it reads them, and records which projects it uses."""

import asyncio
import time
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TypeVar

import structlog

from edge_api.snapshots.disk_database import DISK_ERRORS
from edge_api.snapshots.disk_store import Copy, DiskStore

T = TypeVar("T")

_LOG = structlog.stdlib.get_logger(__name__)

_ROUND_SECONDS = 1.0
_USES_PER_ROUND = 1_000
#: The order of use decides which copies are deleted from a full folder; it need not be more exact.
_TOUCH_SECONDS = 3600.0
#: A disk that hangs must stop neither the start nor requests that Redis can answer.
_OPEN_SECONDS = 5.0
_READ_SECONDS = 0.5


class CopyReader:
    """A disk that fails or hangs costs the copies only."""

    def __init__(self, store: DiskStore, max_stale_seconds: float, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self._max_stale_seconds = max_stale_seconds
        self._clock = clock
        self._used: dict[str, None] = {}

    async def open(self) -> tuple[bool, float | None]:
        """Return whether a copy can be served, and the Unix time at which the copies were last as new as Redis."""
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                return await self.store.in_thread(self._open)
        except (TimeoutError, *DISK_ERRORS) as error:
            _LOG.warning("snapshot_copies_not_opened", reason=str(error) or type(error).__name__)
            return False, None

    def note_use(self, project_id: str) -> None:
        """Count the project as used, so that it has a copy."""
        self._used[project_id] = None

    async def read(self, project_id: str) -> Copy | None:
        """Return the copy of a project; None when there is no sound one, or all copies are older than allowed."""
        return await self._in_time(project_id, self._read_allowed, project_id)

    async def newer_than(self, project_id: str, revision: int) -> Copy | None:
        """Return the copy of a project if it is newer than a revision."""
        return await self._in_time(project_id, self._read_newer, project_id, revision)

    async def discard(self, project_id: str, reason: str) -> None:
        """Remove a copy that cannot be decoded."""
        await self._in_time(project_id, self.store.discard, project_id, reason)

    async def run(self, cached: Callable[[], Iterable[str]]) -> None:
        """Record used projects once a second, and all cached ones hourly, and after the database was created again."""
        generation, touched_at = 0, time.monotonic()
        while True:
            try:
                opened = await self.store.in_thread(self.store.open)
                if opened != generation or time.monotonic() - touched_at > _TOUCH_SECONDS:
                    generation, touched_at = opened, time.monotonic()
                    self._used.update(dict.fromkeys(cached()))
                await self._flush_some()
            except DISK_ERRORS as error:
                _LOG.debug("snapshot_uses_not_recorded", reason=str(error))
            await asyncio.sleep(_ROUND_SECONDS)

    async def flush(self) -> None:
        """Record all used projects. Raises sqlite3.Error or OSError."""
        while self._used:
            await self._flush_some()

    async def _flush_some(self) -> None:
        """Record used projects in one transaction of limited size. Raises sqlite3.Error or OSError."""
        used = list(islice(self._used, _USES_PER_ROUND))
        # The first transaction after a failure shows whether the disk can be written again.
        if used or self.store.is_failing:
            await self.store.in_thread(self.store.record_uses, used)
            for project_id in used:
                self._used.pop(project_id, None)

    def _open(self) -> tuple[bool, float | None]:
        self.store.open()
        return self.store.has_sound_copy(), self.store.synced_at()

    def _read_allowed(self, project_id: str) -> Copy | None:
        if self._max_stale_seconds:
            synced_at = self.store.synced_at()
            if synced_at is None or not 0 <= self._clock() - synced_at <= self._max_stale_seconds:
                return None
        return self.store.read(project_id)

    def _read_newer(self, project_id: str, revision: int) -> Copy | None:
        copied = self.store.revisions([project_id])
        return self.store.read(project_id) if copied.get(project_id, 0) > revision else None

    async def _in_time(self, project_id: str, function: Callable[..., T], *arguments: str | int) -> T | None:
        try:
            async with asyncio.timeout(_READ_SECONDS):
                return await self.store.in_thread(function, *arguments)
        except (TimeoutError, *DISK_ERRORS) as error:
            _LOG.warning("snapshot_copy_not_read", project=project_id, reason=str(error) or type(error).__name__)
            return None
