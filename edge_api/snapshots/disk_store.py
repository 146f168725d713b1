"""Copies of snapshots in an SQLite database that the workers of a machine share.

A copy is a cache entry: a database that is damaged, or that cannot be kept up to date, is deleted.
"""

import asyncio
import fcntl
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar

import structlog

from common.wire.snapshot import SnapshotFormatError, decode_snapshot

_LOG = structlog.stdlib.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

DATABASE_NAME = "snapshots.sqlite3"
#: The errors of every method of the store.
DISK_ERRORS = (sqlite3.Error, OSError)

_BUSY_SECONDS = 5.0
_CHECKPOINT_BYTES = 4 * 1024 * 1024
#: The share of the limit that is in use after least recently used copies were deleted.
_FULL_AGAIN = 0.9
_COPIES_PER_EVICTION = 16
#: Files of the releases that kept one file for each project.
_FORMER_NAMES = frozenset({"lock", "draft", "last-contact"})
_FORMER_SUFFIX = ".snapshot"
#: Raise it with every change of the schema: a database with another version is deleted.
_SCHEMA_VERSION = 1
#: A copy without a body is the tombstone of a deleted project, or a damaged copy at revision 0.
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS copies (
    project_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    used_at REAL NOT NULL,
    absent_since REAL,
    checksum BLOB NOT NULL,
    body BLOB
);
CREATE INDEX IF NOT EXISTS copies_by_use ON copies (used_at) WHERE body IS NOT NULL;
CREATE TABLE IF NOT EXISTS sync (id INTEGER PRIMARY KEY CHECK (id = 1), synced_at REAL NOT NULL);
PRAGMA user_version = {_SCHEMA_VERSION};
COMMIT;
"""
_UPSERT = """
INSERT INTO copies (project_id, revision, used_at, checksum, body) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (project_id) DO UPDATE
SET revision = excluded.revision, checksum = excluded.checksum, body = excluded.body, absent_since = NULL
WHERE excluded.revision > revision OR excluded.revision = revision AND excluded.checksum <> checksum
"""
_EVICT = """
DELETE FROM copies WHERE project_id IN (
    SELECT project_id FROM copies WHERE body IS NOT NULL ORDER BY used_at LIMIT ?
)
"""


@dataclass(frozen=True, slots=True)
class CopyWrite:
    """The copy of a project at a revision. Without a body there is none: the project was deleted, or not copied."""

    revision: int
    body: bytes | None
    is_tombstone: bool = False

    @property
    def size(self) -> int:
        """The bytes of the body."""
        return 0 if self.body is None else len(self.body)


class DiskStore:
    """Methods block: call them through :meth:`in_thread`. They raise sqlite3.Error and OSError.

    `damaged` is the number of damaged copies found so far, `generation` the number of databases opened so far: it
    grows when the database was deleted, by this worker or another one.
    """

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._path = folder / DATABASE_NAME
        self._limit_bytes = limit_bytes
        # A thread of its own: a disk that hangs must not take the threads of the event loop.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="snapshot-copies")
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self.damaged = 0
        self.generation = 0

    async def in_thread(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a method in the thread of the store."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: function(*args, **kwargs))

    def open(self) -> bool:
        """Create the database if there is none, and return whether there is a copy that can be served."""
        self._remove_former_files()
        with suppress(sqlite3.DatabaseError):
            self._reset_absence()
        # A damaged database has been deleted now; this raises any other error again.
        self._reset_absence()
        return self._has_sound_copy()

    def close(self) -> None:
        """Close the database. No method is called afterwards."""
        self._disconnect()
        self._thread.shutdown(wait=False)

    def read(self, project_id: str) -> bytes | None:
        """Return the stored snapshot of a project; None when there is no sound copy."""
        with self._database() as connection:
            row = connection.execute(
                "SELECT revision, checksum, body FROM copies WHERE project_id = ?", (project_id,)
            ).fetchone()
        if row is None or row[2] is None:
            return None
        revision, checksum, body = row
        if checksum == _checksum(project_id, revision, body):
            return bytes(body)
        self.discard(project_id, "the checksum is wrong")
        return None

    def discard(self, project_id: str, reason: str) -> None:
        """Remove a damaged body. The copy stays at revision 0, so that the next comparison fetches it from Redis."""
        self.damaged += 1
        _LOG.error("snapshot_copy_damaged", project=project_id, reason=reason)
        with self._transaction() as connection:
            connection.execute(
                "UPDATE copies SET revision = 0, body = NULL, checksum = x'' WHERE project_id = ?", (project_id,)
            )

    def write(self, writes: Mapping[str, CopyWrite]) -> None:
        """Write copies in one transaction, none over a newer one. If that fails, the older copies are removed."""
        try:
            with self._transaction() as connection:
                for project_id, write in writes.items():
                    self._write_copy(connection, project_id, write)
        except DISK_ERRORS as error:
            self._remove_older(writes, error)
            raise

    def revisions(self, project_ids: Collection[str]) -> dict[str, int]:
        """Return the revisions of the copies of these projects."""
        with self._database() as connection:
            return dict(
                connection.execute(
                    "SELECT project_id, revision FROM copies WHERE project_id IN (SELECT value FROM json_each(?))",
                    (json.dumps(list(project_ids)),),
                )
            )

    def revisions_after(self, project_id: str, limit: int, *, verify: bool) -> dict[str, int]:
        """Return the revisions of the copies that follow a project in the order of ids; verify the checksums first."""
        with self._database() as connection:
            rows = connection.execute(
                "SELECT project_id FROM copies WHERE project_id > ? ORDER BY project_id LIMIT ?", (project_id, limit)
            )
            project_ids = [row[0] for row in rows]
        if verify:
            for following in project_ids:
                self.read(following)
        return self.revisions(project_ids)

    def remove_absent(self, present: Collection[str], absent: Collection[str], *, seconds: float) -> list[str]:
        """Remove the copies of projects that Redis has not had for so long, and return their ids."""
        now = time.time()
        with self._transaction() as connection:
            connection.execute(
                "UPDATE copies SET absent_since = NULL"
                " WHERE absent_since IS NOT NULL AND project_id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(present)),),
            )
            connection.execute(
                "UPDATE copies SET absent_since = ?"
                " WHERE absent_since IS NULL AND project_id IN (SELECT value FROM json_each(?))",
                (now, json.dumps(list(absent))),
            )
            rows = connection.execute(
                "SELECT project_id FROM copies"
                " WHERE absent_since <= ? AND project_id IN (SELECT value FROM json_each(?))",
                (now - seconds, json.dumps(list(absent))),
            )
            removed = [row[0] for row in rows]
            connection.execute(
                "DELETE FROM copies WHERE project_id IN (SELECT value FROM json_each(?))", (json.dumps(removed),)
            )
        return removed

    def touch(self, project_ids: Collection[str]) -> None:
        """Count the copies of these projects as used now."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE copies SET used_at = ? WHERE project_id IN (SELECT value FROM json_each(?))",
                (time.time(), json.dumps(list(project_ids))),
            )

    def record_sync(self, at: float) -> None:
        """Store that at this Unix time all copies were as new as in Redis. The newest time of all workers counts."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO sync VALUES (1, ?)"
                " ON CONFLICT DO UPDATE SET synced_at = excluded.synced_at WHERE excluded.synced_at > synced_at",
                (at,),
            )

    def synced_at(self) -> float | None:
        """Return the time that :meth:`record_sync` stored."""
        with self._database() as connection:
            row = connection.execute("SELECT synced_at FROM sync").fetchone()
        return None if row is None else float(row[0])

    def _write_copy(self, connection: sqlite3.Connection, project_id: str, write: CopyWrite) -> None:
        body = write.body
        if body is not None:
            self._make_room(connection, len(body))
        if write.is_tombstone or (body is not None and len(body) <= self._limit_bytes * _FULL_AGAIN):
            checksum = _checksum(project_id, write.revision, body or b"")
            connection.execute(_UPSERT, (project_id, write.revision, time.time(), checksum, body))
        else:
            connection.execute("DELETE FROM copies WHERE project_id = ? AND revision < ?", (project_id, write.revision))

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

    def _remove_older(self, writes: Mapping[str, CopyWrite], error: Exception) -> None:
        """Remove copies that are older than the snapshots served: a full disk must not bring them back."""
        if _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            # Another worker is writing the same changes.
            return
        try:
            with self._transaction() as connection:
                connection.executemany(
                    "DELETE FROM copies WHERE project_id = ? AND revision < ?",
                    [(project_id, write.revision) for project_id, write in writes.items()],
                )
        except DISK_ERRORS:
            self._delete_database(error)

    def _reset_absence(self) -> None:
        # Redis may have been empty when the edge was stopped: the time starts again.
        with self._transaction() as connection:
            connection.execute("UPDATE copies SET absent_since = NULL WHERE absent_since IS NOT NULL")

    def _has_sound_copy(self) -> bool:
        with self._database() as connection:
            rows = connection.execute("SELECT project_id, revision, checksum, body FROM copies WHERE body IS NOT NULL")
            return any(_is_sound(*row) for row in rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._database() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, and delete the database if it proves to be damaged."""
        try:
            yield self._connect()
        except sqlite3.DatabaseError as error:
            # The class itself stands for a damaged file; SQLITE_ERROR for one without the store's tables.
            if type(error) is sqlite3.DatabaseError or _code(error) == sqlite3.SQLITE_ERROR:
                self._delete_database(error)
            raise

    def _connect(self) -> sqlite3.Connection:
        if self._connection is not None and self._file == _identity(self._path):
            return self._connection
        # The first use, or another worker has deleted the database.
        self._disconnect()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder.chmod(0o700)
        with self._folder_lock():
            # SQLite gives its other files the mode of this one, and would follow a link.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
            self._file = _identity(self._path)
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                _set_up(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self.generation += 1
        return connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _delete_database(self, error: Exception) -> None:
        _LOG.error("snapshot_copies_deleted", reason=str(error))
        self._disconnect()
        with suppress(OSError), self._folder_lock():
            # Not the new database of another worker that has found the same damage.
            if self._file == _identity(self._path):
                for suffix in ("", "-wal", "-shm"):
                    self._path.with_name(DATABASE_NAME + suffix).unlink(missing_ok=True)

    @contextmanager
    def _folder_lock(self) -> Iterator[None]:
        """Exclude other workers: the journal mode is changed, and a database deleted, by one at a time."""
        descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _remove_former_files(self) -> None:
        with suppress(FileNotFoundError), os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.endswith(_FORMER_SUFFIX) or entry.name in _FORMER_NAMES:
                    with suppress(IsADirectoryError, PermissionError):
                        Path(entry.path).unlink(missing_ok=True)


def _set_up(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {_CHECKPOINT_BYTES}")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        connection.executescript(_SCHEMA)
    elif version != _SCHEMA_VERSION:
        raise sqlite3.DatabaseError(f"the schema has version {version}")


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


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _code(error: Exception) -> int:
    """Return SQLite's primary result code; 0 for an error of another library."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
