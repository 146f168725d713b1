"""Gives the snapshot of a project: from memory at once, else from Redis, once however many requests wait for it."""

import asyncio
import time
from collections.abc import Mapping, Sequence

import structlog
from redis.exceptions import RedisError

from common.errors import UnavailableError
from common.identifiers import IdPrefix, is_id
from common.snapshot import Snapshot, SnapshotFormatError
from edge_api.snapshots.resident_snapshot import ResidentSnapshot
from edge_api.snapshots.snapshot_memory import SnapshotMemory
from edge_api.snapshots.snapshot_source import BODIES_PER_TRIP, SnapshotSource
from edge_api.snapshots.unknown_projects import UnknownProjects

_LOG = structlog.stdlib.get_logger(__name__)


class SnapshotStore:
    """Tombstones of deleted projects are held like any snapshot; no key opens them."""

    def __init__(self, source: SnapshotSource, *, memory_bytes: int, unknown_seconds: float) -> None:
        self._source = source
        self._memory = SnapshotMemory(memory_bytes)
        self._unknown = UnknownProjects(unknown_seconds, time.monotonic)
        self._flights: dict[str, asyncio.Task[ResidentSnapshot | None]] = {}
        #: How many stored snapshots could not be read.
        self.unreadable = 0

    def resident(self, project_id: str) -> ResidentSnapshot | None:
        """Look the project up in memory, without waiting."""
        return self._memory.use(project_id)

    def is_absent(self, project_id: str) -> bool:
        """Tell, without waiting, whether it is known that there is no such project."""
        return project_id in self._unknown or not is_id(IdPrefix.PROJECT, project_id)

    async def load(self, project_id: str) -> ResidentSnapshot | None:
        """Give the project's snapshot, or None when there is no such project.

        Raises UnavailableError when that cannot be told now.
        """
        held = self._memory.use(project_id)
        if held is not None:
            return held
        if self.is_absent(project_id):
            return None
        flight = self._flights.get(project_id)
        if flight is None:
            flight = asyncio.create_task(self._fetch(project_id))
            self._flights[project_id] = flight
            flight.add_done_callback(lambda landed: self._land(project_id, landed))
        # A request that is cancelled must not take the others' answer with it.
        return await asyncio.shield(flight)

    async def apply_changes(self, revisions: Mapping[str, int], deleted: Mapping[str, int]) -> None:
        """Follow what the change stream says: the newest published revision of projects, and the deleted ones.

        Projects that nobody asked for stay unloaded. Raises RedisError, and then wants to be called again.
        """
        named = {*revisions, *deleted}
        # A fetch under way may have read what was there before this change.
        flights = [flight for project_id in named if (flight := self._flights.get(project_id)) is not None]
        if flights:
            await asyncio.wait(flights)
        for project_id in named:
            self._unknown.forget(project_id)
        for project_id, revision in deleted.items():
            if self._memory.revision(project_id) is not None:
                self._memory.keep(project_id, ResidentSnapshot.of(Snapshot.tombstone(project_id, revision)))
        await self._refresh(
            [project_id for project_id, revision in revisions.items() if self._is_behind(project_id, revision)]
        )

    async def reconcile(self) -> None:
        """Compare every snapshot held with Redis and fetch the newer ones. Raises RedisError."""
        held = self._memory.project_ids()
        stored = await self._source.revisions(held)
        await self._refresh(
            [
                project_id
                for project_id, revision in zip(held, stored, strict=True)
                if revision is not None and self._is_behind(project_id, revision)
            ]
        )

    def _land(self, project_id: str, flight: asyncio.Task[ResidentSnapshot | None]) -> None:
        del self._flights[project_id]
        if not flight.cancelled():
            # Those who waited have seen the error; asyncio complains of one that nobody looked at.
            flight.exception()

    def _is_behind(self, project_id: str, revision: int) -> bool:
        held = self._memory.revision(project_id)
        return held is not None and held < revision

    async def _fetch(self, project_id: str) -> ResidentSnapshot | None:
        try:
            (stored,) = await self._source.bodies([project_id])
        except (RedisError, OSError) as error:
            _LOG.warning("snapshot_not_loaded", project=project_id, reason=type(error).__name__)
            raise UnavailableError("The project's configuration cannot be loaded now") from error
        if stored is None:
            self._unknown.remember(project_id)
            return None
        snapshot = self._read(project_id, stored)
        if snapshot is None:
            raise UnavailableError("The project's configuration cannot be read now")
        return self._memory.keep(project_id, snapshot)

    async def _refresh(self, project_ids: Sequence[str]) -> None:
        for start in range(0, len(project_ids), BODIES_PER_TRIP):
            chunk = project_ids[start : start + BODIES_PER_TRIP]
            for project_id, stored in zip(chunk, await self._source.bodies(chunk), strict=True):
                snapshot = None if stored is None else self._read(project_id, stored)
                # One that has been dropped from memory meanwhile is not brought back.
                if snapshot is not None and self._memory.revision(project_id) is not None:
                    self._memory.keep(project_id, snapshot)

    def _read(self, project_id: str, stored: bytes) -> ResidentSnapshot | None:
        try:
            return ResidentSnapshot.read(project_id, stored)
        except SnapshotFormatError as error:
            self.unreadable += 1
            _LOG.error("snapshot_unreadable", project=project_id, reason=str(error))
            return None
