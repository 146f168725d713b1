"""Writes snapshots to Redis by compare-and-set, and tells the edges on the change stream.

Every command touches one key only, so that all of it works on Redis Cluster as well.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from enum import Enum
from typing import Any

from redis import Redis

from common.redis.connect import connect as connect_redis
from common.redis.connect import primaries
from common.wire.redis_keys import CHANGE_STREAM, CHANGE_STREAM_LENGTH, SNAPSHOT_FORMAT, snapshot_key
from common.wire.snapshot import FORMAT_VERSION, Snapshot, SnapshotFormatError, decode_snapshot, encode_snapshot

#: The snapshot of a deleted project stays long enough for every edge to see it, then nothing is left of the project.
TOMBSTONE_SECONDS = 24 * 60 * 60

#: Keys that one SCAN examines.
_SCAN_COUNT = 1000

#: Stores ARGV[2] as revision ARGV[1], to expire after ARGV[3] seconds (0: never), unless a newer revision is there.
#: The same revision may be written again. Gives the revision that Redis has afterwards. Revisions stay below 2**53,
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
    """Make the client of a writer: it never sends a command twice by itself, the publisher tries again as a whole."""
    return connect_redis(redis_url, reply_seconds=5, connect_seconds=5)


def _is_tombstone(body: bytes) -> bool:
    try:
        return decode_snapshot(body).deleted
    except SnapshotFormatError:
        return False


class Holdings(Enum):
    """What Redis has, as seen by this release."""

    #: It was once given every snapshot in this release's format, and has kept its data since.
    WHOLE = "all in this format"
    #: It has lost its data, or has (some of) it in an older format.
    PARTIAL = "not all in this format"
    #: A newer release publishes.
    NEWER = "in a newer format"


class SnapshotWriter:
    """The publisher's side of what Redis holds for the edges."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def holdings(self) -> Holdings:
        """Tell in which format Redis has its snapshots, as publishers have noted it there."""
        noted: Any = self._redis.get(SNAPSHOT_FORMAT)
        version, _, begun = (noted or b"").partition(b" ")
        found = int(version) if version.isdigit() else 0
        if found > FORMAT_VERSION:
            return Holdings.NEWER
        return Holdings.WHOLE if found == FORMAT_VERSION and not begun else Holdings.PARTIAL

    def note_begun_in_this_format(self) -> None:
        """Note that Redis is being given every snapshot in this release's format; older publishers stand back."""
        self._redis.set(SNAPSHOT_FORMAT, f"{FORMAT_VERSION} begun")

    def note_all_in_this_format(self) -> None:
        """Note that Redis has every snapshot in this release's format."""
        self._redis.set(SNAPSHOT_FORMAT, FORMAT_VERSION)

    def lineage(self) -> frozenset[str]:
        """Name the histories of the servers that take writes: each failover, and each restart, begins a new one."""
        servers: list[Any] = primaries(self._redis)
        return frozenset(str(server.info("replication").get("master_replid")) for server in servers)

    def revisions(self, project_ids: Sequence[str]) -> list[int]:
        """Give the revision that Redis has of each project; 0 stands for none."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for project_id in project_ids:
                pipeline.hget(snapshot_key(project_id), "revision")
            return [int(stored or 0) for stored in pipeline.execute()]

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
        servers: list[Any] = primaries(self._redis)
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

    def write(self, snapshots: Sequence[Snapshot]) -> list[int]:
        """Store the snapshots and give, for each, the revision that Redis has now: this one or a newer.

        Those that were stored are announced, after all of them are there: an edge that hears of a revision finds it.
        """
        with self._redis.pipeline(transaction=False) as pipeline:
            for snapshot in snapshots:
                pipeline.eval(
                    COMPARE_AND_SET,
                    1,
                    snapshot_key(snapshot.project_id),
                    str(snapshot.revision),
                    encode_snapshot(snapshot),
                    str(TOMBSTONE_SECONDS if snapshot.deleted else 0),
                )
            stored: list[int] = pipeline.execute()
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
