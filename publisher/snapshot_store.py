"""Snapshots in Redis: written by compare-and-set, and announced to the edges on the change stream.

Every command touches one key only, so that all of it works on Redis Cluster as well.
"""

import uuid
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

from redis import Redis
from redis.exceptions import NoPermissionError, RedisError

from common.errors import OnboardingError
from common.redis.connect import ask_each_primary, execute_each, primaries, server_of
from common.redis.connect import connect as connect_redis
from common.redis.url import Node
from common.wire.redis_keys import (
    CHANGE_EPOCH,
    CHANGE_STREAM,
    CHANGE_STREAM_LENGTH,
    INSTALLATION,
    RENEWING,
    SNAPSHOT_FORMAT,
    is_complete,
    snapshot_key,
)
from common.wire.snapshot import CONTENT_VERSION, Snapshot, SnapshotFormatError, decode_snapshot, encode_snapshot

#: The snapshot of a deleted project stays long enough for every edge to see it, then nothing is left of the project.
TOMBSTONE_SECONDS = 24 * 60 * 60

#: The largest snapshot that is stored. Redis closes the connection at a value above its own limit, 512 MB by default,
#: and a worker of the edge holds whole snapshots in memory.
MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024

#: For the largest snapshot, with its fsync.
_REPLY_SECONDS = 5.0
_CONNECT_SECONDS = 1.0

#: Keys that one SCAN examines.
_SCAN_COUNT = 1000

#: Stores ARGV[2] as revision ARGV[1], to expire after ARGV[3] seconds (0: never), unless a newer revision is there.
#: The same revision may be written again. Returns the revision that Redis has afterwards. Revisions stay below 2**53,
#: where Lua's numbers are exact.
COMPARE_AND_SET = """
local stored = tonumber(redis.call('HGET', KEYS[1], 'revision') or '0')
if stored > tonumber(ARGV[1]) then
  return stored
end
redis.call('HSET', KEYS[1], 'revision', ARGV[1], 'body', ARGV[2])
if ARGV[3] == '0' then
  redis.call('PERSIST', KEYS[1])
else
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return tonumber(ARGV[1])
"""


def connect(redis_url: str) -> Redis:
    """Return a client that never repeats a command by itself: the publisher repeats a whole batch."""
    return connect_redis(redis_url, reply_seconds=_REPLY_SECONDS, connect_seconds=_CONNECT_SECONDS)


class SnapshotTooLargeError(OnboardingError):
    """The snapshot of a project is above :data:`MAX_SNAPSHOT_BYTES`."""


class ForeignRedisError(OnboardingError):
    """Redis has the snapshots of another database."""

    def __init__(self) -> None:
        super().__init__(
            "Redis has the snapshots of another database, so nothing was written; compare ONBOARDING_DATABASE_URL and"
            " ONBOARDING_REDIS_URL. `onboarding snapshots rebuild --adopt-redis` gives Redis to this database, and"
            " deletes the snapshots of projects that it does not have"
        )


class SnapshotState(Enum):
    """The state of all snapshots in Redis, for this release."""

    #: Redis was given every snapshot with this release's content, and has kept its data since.
    CURRENT = "all with this content"
    #: Redis has lost its data, or has snapshots with an older content.
    INCOMPLETE = "not all with this content"
    #: A newer release publishes.
    NEWER = "with a newer content"
    #: The snapshots are of the projects of another database.
    FOREIGN = "of another installation"


class SnapshotStore:
    """The snapshots of all projects, for the publisher."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def state(self, installation_id: str) -> SnapshotState:
        """Return the state of the snapshots for a publisher of this database.

        Redis gets the id of the database if it has none: it is empty, or was filled by release 0.2.0. The change
        stream gets an id as well.
        """
        with self._redis.pipeline(transaction=False) as pipeline:
            pipeline.get(SNAPSHOT_FORMAT)
            pipeline.get(INSTALLATION)
            pipeline.get(CHANGE_EPOCH)
            mark, owner, epoch = pipeline.execute(raise_on_error=False)
        for reply in (mark, owner, epoch):
            # Users of Redis of release 0.2.0 may not read the ids; then both are left out.
            if isinstance(reply, RedisError) and (reply is mark or not isinstance(reply, NoPermissionError)):
                raise reply
        # Two publishers may write an id at once: the first one's id stays.
        if owner is None and not self._redis.set(INSTALLATION, installation_id, nx=True):
            return self.state(installation_id)
        if isinstance(owner, bytes) and owner.decode() != installation_id:
            return SnapshotState.FOREIGN
        if epoch is None:
            self._redis.set(CHANGE_EPOCH, uuid.uuid4().hex, nx=True)
        version = (mark or b"").partition(b" ")[0]
        found = int(version) if version.isdigit() else 0
        if found > CONTENT_VERSION:
            return SnapshotState.NEWER
        return SnapshotState.CURRENT if mark == b"%d" % CONTENT_VERSION else SnapshotState.INCOMPLETE

    def adopt(self, installation_id: str) -> None:
        """Store that Redis belongs to this database, also if it belonged to another one."""
        self._redis.set(INSTALLATION, installation_id)

    def mark_rebuild_started(self) -> None:
        """Store that this release writes all snapshots again; older publishers yield from now on.

        Edges go on to take an absent project for one that does not exist, if Redis has every snapshot.
        """
        mark: Any = self._redis.get(SNAPSHOT_FORMAT)
        # Not where Redis has lost its data since the mark was read.
        if not is_complete(mark) or not self._redis.set(
            SNAPSHOT_FORMAT, b"%d %b" % (CONTENT_VERSION, RENEWING), xx=True
        ):
            self._redis.set(SNAPSHOT_FORMAT, f"{CONTENT_VERSION} begun")

    def mark_rebuild_complete(self) -> None:
        """Store that Redis has every snapshot with this release's content, unless it has lost its data meanwhile."""
        self._redis.set(SNAPSHOT_FORMAT, CONTENT_VERSION, xx=True)

    def ping(self) -> None:
        """Raise RedisError when Redis does not respond."""
        self._redis.ping()

    def replication_ids(self) -> dict[Node | None, str]:
        """Return the replication ids of the servers that take writes and respond; a failover or a restart changes them.

        Raises RedisError when no server responds.
        """
        replies = ask_each_primary(self._redis, "INFO", "replication")
        ids = {
            server: str(reply.get("master_replid"))
            for server, reply in replies.items()
            if not isinstance(reply, Exception)
        }
        if not ids:
            raise next(iter(replies.values()), RedisError("Redis has no server that takes writes"))
        return ids

    def server_of(self, project_id: str) -> Node | None:
        """Return the server of a project's snapshot in a Cluster, without I/O. None stands for the only server."""
        return server_of(self._redis, snapshot_key(project_id))

    def revisions(self, project_ids: Sequence[str], servers: Container[Node | None]) -> dict[str, int]:
        """Return the stored revisions of those projects whose server is among the servers; 0 stands for none."""
        chosen = [project_id for project_id in project_ids if self.server_of(project_id) in servers]
        with self._redis.pipeline(transaction=False) as pipeline:
            for project_id in chosen:
                pipeline.hget(snapshot_key(project_id), "revision")
            stored = pipeline.execute()
        return {project_id: int(revision or 0) for project_id, revision in zip(chosen, stored, strict=True)}

    def orphans(self, published: Callable[[Sequence[str]], Container[str]]) -> Iterator[list[tuple[str, int]]]:
        """Yield the snapshots of projects that `published` does not return of a page of ids, with their revisions.

        A snapshot is written after the commit of its publication, so Redis is read before `published` is called.
        Tombstones are left out. Raises NoPermissionError for users of Redis that may not SCAN.
        """
        for project_ids in self._stored_ids():
            known = published(project_ids)
            if missing := [project_id for project_id in project_ids if project_id not in known]:
                yield self._without_tombstones(missing)

    def _stored_ids(self) -> Iterator[list[str]]:
        before, after = snapshot_key("*").encode().split(b"*")
        servers: Iterable[Any] = primaries(self._redis).values()
        for server in servers:
            cursor = None
            while cursor != 0:
                cursor, keys = server.scan(cursor or 0, match=snapshot_key("*"), count=_SCAN_COUNT)
                if keys:
                    yield [key.removeprefix(before).removesuffix(after).decode() for key in keys]

    def _without_tombstones(self, project_ids: Sequence[str]) -> list[tuple[str, int]]:
        with self._redis.pipeline(transaction=False) as pipeline:
            for project_id in project_ids:
                pipeline.hget(snapshot_key(project_id), "revision")
                pipeline.hget(snapshot_key(project_id), "body")
            fields = pipeline.execute()
        found = zip(project_ids, fields[::2], fields[1::2], strict=True)
        return [
            (project_id, int(revision)) for project_id, revision, body in found if revision and not _is_tombstone(body)
        ]

    def write(self, snapshots: Sequence[Snapshot]) -> list[int | Exception]:
        """Store the snapshots. Return the revision that Redis now has of each, or the exception of its server.

        The revision is this one or a newer one. Stored snapshots are announced after all of them are written, so that
        an edge finds the announced revision. Raises RedisError, when none is known to be stored or announced, and
        SnapshotTooLargeError, when none is.
        """
        bodies = [encode_snapshot(snapshot) for snapshot in snapshots]
        if (largest := max(map(len, bodies), default=0)) > MAX_SNAPSHOT_BYTES:
            raise SnapshotTooLargeError(f"a snapshot has {largest} bytes, at most {MAX_SNAPSHOT_BYTES} are stored")
        with self._redis.pipeline(transaction=False) as pipeline:
            for snapshot, body in zip(snapshots, bodies, strict=True):
                pipeline.eval(
                    COMPARE_AND_SET,
                    1,
                    snapshot_key(snapshot.project_id),
                    str(snapshot.revision),
                    body,
                    str(TOMBSTONE_SECONDS if snapshot.deleted else 0),
                )
            stored = execute_each(pipeline)
        if stored and all(isinstance(reply, Exception) for reply in stored):
            raise stored[0]
        self._announce([snapshot for snapshot, now in zip(snapshots, stored, strict=True) if now == snapshot.revision])
        return stored

    def _announce(self, snapshots: Sequence[Snapshot]) -> None:
        with self._redis.pipeline(transaction=False) as pipeline:
            for snapshot in snapshots:
                pipeline.xadd(
                    CHANGE_STREAM,
                    {
                        "project": snapshot.project_id,
                        "revision": str(snapshot.revision),
                        "deleted": str(int(snapshot.deleted)),
                    },
                    maxlen=CHANGE_STREAM_LENGTH,
                    approximate=True,
                )
            pipeline.execute()


def _is_tombstone(body: bytes) -> bool:
    try:
        return decode_snapshot(body).deleted
    except SnapshotFormatError:
        return False
