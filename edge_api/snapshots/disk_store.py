"""Copies of snapshots in an SQLite database that the workers of a machine share.

All workers record which projects they use, and read copies. One of them, the writer, writes copies, and the point of
the change stream. Every copy is at least as new as the stored point.
"""

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

import structlog

from common.wire.snapshot import SnapshotFormatError, decode_snapshot
from edge_api.snapshots.disk_database import DISK_ERRORS, DiskDatabase, is_busy
from edge_api.snapshots.redis_source import StreamPoint

_LOG = structlog.stdlib.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

DATABASE_NAME = "snapshots.sqlite3"

#: The share of the limit that is in use after least recently used copies were deleted.
_FULL_AGAIN = 0.9
_COPIES_PER_EVICTION = 16
#: Raise it with every change that the release before cannot work with: a database with another version is deleted.
_SCHEMA_VERSION = 1
#: A row without a body is a tombstone, or at revision 0 the wish of a worker for a copy. Release 0.2.0 has the
#: same tables but `position`; it also uses `absent_since`.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS copies (
    project_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    used_at REAL NOT NULL,
    absent_since REAL,
    checksum BLOB NOT NULL,
    body BLOB
);
CREATE INDEX IF NOT EXISTS copies_by_use ON copies (used_at) WHERE body IS NOT NULL;
CREATE INDEX IF NOT EXISTS wanted_copies ON copies (project_id) WHERE revision = 0;
CREATE TABLE IF NOT EXISTS sync (id INTEGER PRIMARY KEY CHECK (id = 1), synced_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS position (
    id INTEGER PRIMARY KEY CHECK (id = 1), epoch BLOB, milliseconds INTEGER NOT NULL, sequence INTEGER NOT NULL
);
"""
_EVICT = """
DELETE FROM copies WHERE project_id IN (
    SELECT project_id FROM copies WHERE body IS NOT NULL ORDER BY used_at LIMIT ?
)
"""
#: The same revision may have been published in another format.
_UPDATE = """
UPDATE copies SET revision = ?1, checksum = ?2, body = ?3
WHERE project_id = ?4 AND (revision < ?1 OR revision = ?1 AND checksum <> ?2)
"""


class Copy(NamedTuple):
    """A snapshot for the disk, or from it. Without a body it is the tombstone of a deleted project."""

    revision: int
    body: bytes | None


class DiskStore:
    """Methods block: call them through :meth:`in_thread`. They raise sqlite3.Error and OSError.

    `damaged` is the number of damaged copies found so far.
    """

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._database = DiskDatabase(folder / DATABASE_NAME, _SCHEMA, _SCHEMA_VERSION)
        self._limit_bytes = limit_bytes
        self.damaged = 0

    @property
    def is_failing(self) -> bool:
        """Whether copies cannot be written now."""
        return self._database.is_failing

    async def in_thread(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a method in the thread of the store."""
        return await self._database.in_thread(function, *args, **kwargs)

    def open(self) -> int:
        """Create the database if there is none, and return a number that grows when it was created again."""
        with suppress(sqlite3.DatabaseError):
            return self._database.opened_generation()
        # A damaged database has been deleted now; this raises any other error again.
        return self._database.opened_generation()

    def close(self) -> None:
        """Close the database. No method is called afterwards."""
        self._database.close()

    # --- every worker ------------------------------------------------------------------------------------------------

    def has_sound_copy(self) -> bool:
        """Return whether there is a copy that can be served."""
        with self._database.connection() as connection:
            rows = connection.execute("SELECT project_id, revision, checksum, body FROM copies WHERE body IS NOT NULL")
            return any(_is_sound(*row) for row in rows)

    def read(self, project_id: str) -> Copy | None:
        """Return the copy of a project; None when there is no sound one."""
        with self._database.connection() as connection:
            row = connection.execute(
                "SELECT revision, checksum, body FROM copies WHERE project_id = ?", (project_id,)
            ).fetchone()
        if row is None or row[0] == 0:
            return None
        revision, checksum, body = row
        if checksum == _checksum(project_id, revision, body or b""):
            return Copy(revision, body)
        self.discard(project_id, "the checksum is wrong")
        return None

    def discard(self, project_id: str, reason: str) -> None:
        """Remove a damaged copy. The row stays as a wish for a copy."""
        self.damaged += 1
        _LOG.error("snapshot_copy_damaged", project=project_id, reason=reason)
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE copies SET revision = 0, body = NULL, checksum = x'' WHERE project_id = ?", (project_id,)
            )

    def record_uses(self, project_ids: Iterable[str]) -> None:
        """Record that these projects are used now. The writer copies the new ones."""
        now = time.time()
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO copies (project_id, revision, used_at, checksum) VALUES (?, 0, ?, x'')"
                " ON CONFLICT DO UPDATE SET used_at = excluded.used_at",
                [(project_id, now) for project_id in project_ids],
            )

    def synced_at(self) -> float | None:
        """Return the Unix time at which the copies were last as new as Redis."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT synced_at FROM sync").fetchone()
        return None if row is None else float(row[0])

    # --- the writer --------------------------------------------------------------------------------------------------

    def point(self) -> StreamPoint | None:
        """Return the point of the change stream that all copies are at least as new as."""
        with self._database.connection() as connection:
            row = connection.execute("SELECT epoch, milliseconds, sequence FROM position").fetchone()
        return None if row is None else StreamPoint(row[0], (row[1], row[2]))

    def write(
        self, copies: Mapping[str, Copy], reached: StreamPoint | None = None, synced_at: float | None = None
    ) -> None:
        """Write copies of used projects in one transaction, none over a newer one, with the point that they reach.

        If that fails, the point stays, and the older copies are removed: they must not follow newer snapshots that
        were served from memory.
        """
        try:
            with self._database.transaction() as connection:
                for project_id, copy in copies.items():
                    self._write_copy(connection, project_id, copy)
                if reached is not None:
                    values = (1, reached.epoch, *reached.position)
                    connection.execute("INSERT OR REPLACE INTO position VALUES (?, ?, ?, ?)", values)
                if synced_at is not None:
                    connection.execute("INSERT OR REPLACE INTO sync VALUES (1, ?)", (synced_at,))
        except DISK_ERRORS as error:
            if not is_busy(error):
                with suppress(*DISK_ERRORS):
                    self._remove_older(copies)
            raise

    def revisions(self, project_ids: Collection[str]) -> dict[str, int]:
        """Return the revisions of the copies of these projects; 0 is a wish for a copy."""
        with self._database.connection() as connection:
            query = "SELECT project_id, revision FROM copies WHERE project_id IN (SELECT value FROM json_each(?))"
            return dict(connection.execute(query, (json.dumps(list(project_ids)),)))

    def revisions_after(self, project_id: str, limit: int) -> dict[str, int]:
        """Return the revisions of the copies that follow a project in the order of ids."""
        with self._database.connection() as connection:
            query = "SELECT project_id, revision FROM copies WHERE project_id > ? ORDER BY project_id LIMIT ?"
            return dict(connection.execute(query, (project_id, limit)))

    def verify(self, project_ids: Iterable[str]) -> None:
        """Discard the damaged ones of these copies."""
        for project_id in project_ids:
            self.read(project_id)

    def wanted_after(self, project_id: str, limit: int) -> list[str]:
        """Return the projects without a copy that follow a project in the order of ids."""
        with self._database.connection() as connection:
            query = "SELECT project_id FROM copies WHERE revision = 0 AND project_id > ? ORDER BY project_id LIMIT ?"
            return [row[0] for row in connection.execute(query, (project_id, limit))]

    def delete(self, project_ids: Collection[str], *, only_wanted: bool = False) -> None:
        """Delete the copies of projects that do not exist, or only the wishes for copies that cannot be made."""
        with self._database.transaction() as connection:
            connection.execute(
                "DELETE FROM copies WHERE project_id IN (SELECT value FROM json_each(?)) AND (revision = 0 OR NOT ?)",
                (json.dumps(list(project_ids)), only_wanted),
            )

    def _write_copy(self, connection: sqlite3.Connection, project_id: str, copy: Copy) -> None:
        size = len(copy.body or b"")
        if size > self._limit_bytes * _FULL_AGAIN:
            connection.execute("DELETE FROM copies WHERE project_id = ?", (project_id,))
            return
        self._make_room(connection, size)
        checksum = _checksum(project_id, copy.revision, copy.body or b"")
        connection.execute(_UPDATE, (copy.revision, checksum, copy.body, project_id))

    def _make_room(self, connection: sqlite3.Connection, new_bytes: int) -> None:
        if self._used_bytes(connection) + new_bytes <= self._limit_bytes:
            return
        while self._used_bytes(connection) + new_bytes > self._limit_bytes * _FULL_AGAIN:
            if not connection.execute(_EVICT, (_COPIES_PER_EVICTION,)).rowcount:
                return

    def _used_bytes(self, connection: sqlite3.Connection) -> int:
        ((pages,), (free,), (size,)) = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def _remove_older(self, copies: Mapping[str, Copy]) -> None:
        with self._database.transaction(is_repair=True) as connection:
            connection.executemany(
                "UPDATE copies SET revision = 0, body = NULL, checksum = x'' WHERE project_id = ? AND revision < ?",
                [(project_id, copy.revision) for project_id, copy in copies.items()],
            )


def _checksum(project_id: str, revision: int, body: bytes) -> bytes:
    return hashlib.sha256(b"%s %d " % (project_id.encode(), revision) + body).digest()


def _is_sound(project_id: str, revision: int, checksum: bytes, body: bytes) -> bool:
    if checksum != _checksum(project_id, revision, body):
        return False
    try:
        decode_snapshot(body)
    except SnapshotFormatError:
        return False
    return True
