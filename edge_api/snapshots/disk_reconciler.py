"""Keeps the copies on disk as new as Redis, also of projects that are not in memory, and notes until when they were."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import structlog
from redis.exceptions import RedisError

from common.wire.snapshot import SnapshotFormatError, decode_snapshot, encode_snapshot
from edge_api.snapshots.cache import SnapshotCache
from edge_api.snapshots.disk_writer import DiskWriter
from edge_api.snapshots.redis_source import BODIES_PER_TRIP, REVISIONS_PER_TRIP, RedisHealth, RedisSource
from edge_api.snapshots.snapshot_folder import SnapshotFolder

_LOG = structlog.stdlib.get_logger(__name__)

_ROUND_SECONDS = 1.0
_LOOK_OVER_SECONDS = 3600.0
_FAILING_DISK_SECONDS = 10.0
#: A project that Redis has not known for so long was deleted; to put lost snapshots back takes less.
_ABSENT_SECONDS = 3600.0


class DiskReconciler:
    """One task of the worker. All that it does may be done by several workers at once, and again."""

    def __init__(
        self,
        folder: SnapshotFolder,
        copy: DiskWriter,
        source: RedisSource,
        memory: SnapshotCache,
        contact: RedisHealth,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._copy = copy
        self._source = source
        self._memory = memory
        self._contact = contact
        self._clock = clock
        self._changed: dict[str, int] = {}
        self._is_everything_wanted = False
        self._absent_are_deleted = False
        self._looked_over_at = clock()
        self._gaps_tried_at = 0.0
        self._absent_since: dict[str, float] = {}
        self._wanted = asyncio.Event()

    def note_changes(self, revisions: Mapping[str, int]) -> None:
        """Have the copies of these projects renewed, where there are any."""
        if revisions:
            self._changed.update(revisions)
            self._wanted.set()

    def request_full_sync(self, *, absent_are_deleted: bool) -> None:
        """Have all copies compared with Redis, because changes may have been missed.

        `absent_are_deleted` says that what Redis does not know was deleted, not lost.
        """
        self._is_everything_wanted = True
        self._absent_are_deleted |= absent_are_deleted
        self._wanted.set()

    async def run(self) -> None:
        """Work whenever something is to be done and Redis can be asked."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ROUND_SECONDS):
                    await self._wanted.wait()
            if not self._contact.is_up:
                # Until Redis is back, what is wanted stays wanted; to look at it in a loop would help nobody.
                await asyncio.sleep(_ROUND_SECONDS / 10)
                continue
            self._wanted.clear()
            try:
                await self._round()
            except (RedisError, OSError) as error:
                _LOG.debug("snapshot_folder_not_looked_over", reason=type(error).__name__)
                await asyncio.sleep(_ROUND_SECONDS / 2)

    async def _round(self) -> None:
        confirmed_at = self._contact.synced_at
        if self._is_everything_wanted or self._clock() - self._looked_over_at > _LOOK_OVER_SECONDS:
            await self._look_over_everything()
        while self._changed:
            some = dict(islice(self._changed.items(), REVISIONS_PER_TRIP))
            there = await asyncio.to_thread(self._folder.revisions, some)
            await self._renew([project_id for project_id, revision in there.items() if revision < some[project_id]])
            for project_id, revision in some.items():
                if self._changed.get(project_id) == revision:
                    del self._changed[project_id]
        if self._copy.has_gaps:
            await self._fill_gaps()
        is_up_to_date = self._copy.is_as_wanted() and not self._is_everything_wanted
        if is_up_to_date and confirmed_at is not None and self._contact.is_up:
            await asyncio.to_thread(self._folder.note_contact, confirmed_at)

    async def _look_over_everything(self) -> None:
        absent_are_deleted = self._absent_are_deleted
        # What is wanted while this is going on is wanted again.
        self._is_everything_wanted = self._absent_are_deleted = False
        try:
            await asyncio.to_thread(self._folder.clear_up)
            await asyncio.to_thread(self._folder.touch, self._memory.project_ids())
            copied = await asyncio.to_thread(self._folder.project_ids)
            self._absent_since = await asyncio.to_thread(_only, self._absent_since, copied)
            for start in range(0, len(copied), REVISIONS_PER_TRIP):
                await self._compare(copied[start : start + REVISIONS_PER_TRIP], absent_are_deleted=absent_are_deleted)
        except BaseException:
            self.request_full_sync(absent_are_deleted=absent_are_deleted)
            raise
        self._looked_over_at = self._clock()

    async def _compare(self, project_ids: Sequence[str], *, absent_are_deleted: bool) -> None:
        there = await asyncio.to_thread(self._folder.revisions, project_ids)
        ids = list(there)
        behind: list[str] = []
        for project_id, stored in zip(ids, await self._source.revisions(ids), strict=True):
            if stored is None:
                self._judge_absent(project_id, there[project_id], is_deleted=absent_are_deleted)
                continue
            self._absent_since.pop(project_id, None)
            if stored > there[project_id]:
                behind.append(project_id)
        await self._renew(behind)

    def _judge_absent(self, project_id: str, revision: int, *, is_deleted: bool) -> None:
        since = self._absent_since.setdefault(project_id, self._clock())
        if is_deleted or self._clock() - since >= _ABSENT_SECONDS:
            _LOG.info("snapshot_copy_of_no_project_removed", project=project_id)
            self._absent_since.pop(project_id, None)
            self._memory.evict(project_id)
            self._copy.remove(project_id, revision)

    async def _renew(self, project_ids: Sequence[str]) -> None:
        for start in range(0, len(project_ids), BODIES_PER_TRIP):
            chunk = project_ids[start : start + BODIES_PER_TRIP]
            await self._copy.room()
            for project_id, stored in zip(chunk, await self._source.bodies(chunk), strict=True):
                if stored is not None:
                    self._renew_one(project_id, stored)

    def _renew_one(self, project_id: str, stored: bytes) -> None:
        try:
            snapshot = decode_snapshot(stored)
        except SnapshotFormatError as error:
            # The older copy stays, as the older snapshot stays in memory.
            _LOG.error("snapshot_unreadable", project=project_id, reason=str(error))
            return
        if snapshot.deleted:
            self._copy.remove(project_id, snapshot.revision)
        elif snapshot.project_id == project_id:
            self._copy.keep(project_id, snapshot.revision, stored)

    async def _fill_gaps(self) -> None:
        """Copy what is held and has no copy. On a disk that fails, one project is tried now and then."""
        if self._copy.is_failing and self._clock() - self._gaps_tried_at < _FAILING_DISK_SECONDS:
            return
        self._gaps_tried_at = self._clock()
        self._copy.has_gaps = False
        copied = set(await asyncio.to_thread(self._folder.project_ids))
        outdated = set(self._copy.outdated())
        missing = await asyncio.to_thread((set(self._memory.project_ids()) - copied).union, outdated)
        for project_id in missing:
            await self._copy.room()
            self._copy_again(project_id)
            if self._copy.is_failing:
                await self._copy.settled()
            if self._copy.is_failing:
                self._copy.has_gaps = True
                return

    def _copy_again(self, project_id: str) -> None:
        held = self._memory.peek(project_id)
        if held is not None and not held.snapshot.deleted:
            self._copy.keep(project_id, held.revision, encode_snapshot(held.snapshot))
        else:
            self._copy.remove(project_id, 0 if held is None else held.revision)


def _only(absent_since: Mapping[str, float], project_ids: Sequence[str]) -> dict[str, float]:
    return {project_id: absent_since[project_id] for project_id in absent_since.keys() & set(project_ids)}
