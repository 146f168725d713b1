"""Where snapshots come from: the hashes in Redis that the publisher writes."""

from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis

from common.wire.redis_keys import snapshot_key

#: Snapshots can be large; so many are fetched in one round trip.
BODIES_PER_TRIP = 32
REVISIONS_PER_TRIP = 500


class SnapshotSource:
    """Reads stored snapshots. Every method raises redis-py's RedisError when Redis cannot answer."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    async def bodies(self, project_ids: Sequence[str]) -> list[bytes | None]:
        """Fetch stored snapshots in the order of the ids; None stands for none."""
        return await self._fields(project_ids, "body", BODIES_PER_TRIP)

    async def revisions(self, project_ids: Sequence[str]) -> list[int | None]:
        """Fetch the stored revisions in the order of the ids; None stands for none."""
        found = await self._fields(project_ids, "revision", REVISIONS_PER_TRIP)
        return [None if value is None else int(value) for value in found]

    async def _fields(self, project_ids: Sequence[str], field: str, per_trip: int) -> list[bytes | None]:
        found: list[bytes | None] = []
        for start in range(0, len(project_ids), per_trip):
            async with self._client.pipeline(transaction=False) as pipeline:
                for project_id in project_ids[start : start + per_trip]:
                    pipeline.hget(snapshot_key(project_id), field)
                answers: list[Any] = await pipeline.execute()
            found.extend(answers)
        return found
