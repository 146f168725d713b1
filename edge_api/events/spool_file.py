"""A SQLite file in which writes wait on disk until Redis takes them (decision 37). The functions block.

A commit is a write and an fdatasync of the write-ahead log (`synchronous=FULL`). A file on which anything has failed is
never trusted for writing again: after a failed fsync the kernel may count pages as clean that never reached the disk.

An open file has SQLite's exclusive lock, which ends with its process: a file without a lock is an orphan.
"""

import contextlib
import os
import secrets
import sqlite3
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import msgspec

from common.wire.redis_keys import EVENT_SHARDS, event_stream_of
from common.wire.stream_records import StreamRecordError, decode_record
from edge_api.events.group_commit import PendingWrite, stream_of

SUFFIX = ".sqlite"
#: Before the number of the stream in the name of a file. Release 0.2.0 adopts such files as well.
_SHARD = ".stream-"

_PRAGMAS = (
    # First of all, so that SQLite has the index of the log in memory and not in a third file.
    "locking_mode=EXCLUSIVE",
    "journal_mode=WAL",
    "synchronous=FULL",
    # In pages. Damage in the log hides all commits behind it, so commits are moved to the main file early.
    "wal_autocheckpoint=32",
    "secure_delete=OFF",
)
_TABLE = """
    CREATE TABLE writes (
        id INTEGER PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL, spooled_at_ms INTEGER NOT NULL,
        records INTEGER NOT NULL
    )
"""
_INSERT = "INSERT INTO writes VALUES (?, ?, ?, ?, ?)"
_ALL = "SELECT id, length(payload), records, spooled_at_ms FROM writes ORDER BY id"
_LAST = "SELECT id FROM writes ORDER BY id DESC LIMIT 1"
_ONE = "SELECT payload, checksum, spooled_at_ms FROM writes WHERE id = ?"
_DELETE = "DELETE FROM writes WHERE id <= ?"

#: What SQLite needs for a row beside its payload.
_ROW_BYTES = 64
_RECORDS_PER_BATCH = 1000
_BYTES_PER_BATCH = 1024 * 1024
#: A disk that fails may recover. After so many failed reads in a row the rows that it cannot read are skipped.
_MAX_FAILED_READS = 5

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
#: The errors of a disk, of a file's content, and of a process without descriptors or memory.
DISK_ERRORS = (OSError, sqlite3.Error)

#: Where SQLite's header has the number of pages, which here have the default size.
_HEADER_BYTES = 100
_PAGES_FIELD = slice(28, 32)
_PAGE_BYTES = 4096
_MAX_FILE_BYTES = 1 << 40

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[str, tuple[bytes, ...]])


@dataclass(frozen=True, slots=True)
class StoredWrite:
    """A row of a file."""

    row_id: int
    write: PendingWrite
    bytes: int
    spooled_at_ms: int


def row_bytes(payload: bytes) -> int:
    """Return how much room a payload takes in a file."""
    return len(payload) + _ROW_BYTES


def pack_write(project_id: str, bodies: Sequence[bytes]) -> bytes:
    """Encode the records of one write."""
    return _ENCODER.encode((project_id, bodies))


class SpoolFile:
    """Rows in the order in which they were written. Counts are of the rows that Redis has not confirmed."""

    def __init__(self, path: Path) -> None:
        """Open a file and take its lock. Raises sqlite3.Error, also while another process has the lock."""
        self.path = path
        self.records = 0
        self.bytes = 0
        self.oldest_ms: int | None = None
        #: Ids of the last row that Redis has confirmed, and of the last row.
        self.position = 0
        self.last_id = 0
        self.is_writable = True
        #: Places where rows were skipped because they could not be read.
        self.damaged = 0
        self._last_skipped = -1
        self._failed_reads = 0
        uri = f"{path.absolute().as_uri()}?mode=rw"
        self._connection = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            for pragma in _PRAGMAS:
                self._connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def create(cls, folder: Path, shard: int | None) -> Self:
        """Create a new file; it is durable when this returns. `shard` becomes part of its name. Raises DISK_ERRORS."""
        make_folder(folder)
        # Orphans are adopted in the order of their names.
        of_shard = "" if shard is None else f"{_SHARD}{shard}"
        path = folder / f"{time.time_ns():020}-{secrets.token_hex(8)}{of_shard}{SUFFIX}"
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        try:
            file = cls(path)
            file._connection.execute(_TABLE)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return file

    @classmethod
    def adopt(cls, path: Path) -> Self:
        """Open a file that another process has left, and count its rows. Raises DISK_ERRORS."""
        try:
            return cls._opened(path)
        except sqlite3.Error as error:
            if not is_damage(error) or not _restore_size(path):
                raise
            return cls._opened(path)

    @classmethod
    def _opened(cls, path: Path) -> Self:
        file = cls(path)
        try:
            file._count_rows()
        except BaseException:
            file.close()
            raise
        return file

    @property
    def has_more(self) -> bool:
        """Whether any row waits for Redis."""
        return self.position < self.last_id

    def append(self, payloads: Sequence[bytes], counts: Sequence[int], spooled_at_ms: int) -> None:
        """Make payloads durable, all or none; `counts` are the records in each.

        Raises DISK_ERRORS, and then the file is not writable any more.
        """
        row_ids = range(self.last_id + 1, self.last_id + 1 + len(payloads))
        rows = [
            (row_id, payload, zlib.crc32(payload), spooled_at_ms, count)
            for row_id, payload, count in zip(row_ids, payloads, counts, strict=True)
        ]
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(_INSERT, rows)
            # A deleted file takes writes as long as it is open, and loses them then.
            self.path.stat()
        except BaseException:
            self.is_writable = False
            raise
        self.last_id = row_ids[-1]
        self.records += sum(counts)
        self.bytes += sum(map(row_bytes, payloads))
        if self.oldest_ms is None:
            self.oldest_ms = spooled_at_ms

    def read(self) -> list[StoredWrite]:
        """Return the next rows, and skip damaged ones. Raises sqlite3.Error when the disk fails: try again later.

        The list is empty only when :attr:`has_more` is false afterwards.
        """
        found: list[StoredWrite] = []
        records = size = 0
        row_id = self.position
        while row_id < self.last_id and records < _RECORDS_PER_BATCH and size < _BYTES_PER_BATCH:
            row_id += 1
            stored = self._read_row(row_id)
            if stored is not None:
                found.append(stored)
                records += len(stored.write.bodies)
                size += stored.bytes
            elif found:
                break
            else:
                self._skip_row(row_id)
        if found:
            self.oldest_ms = found[0].spooled_at_ms
        return found

    def confirm(self, confirmed: Sequence[StoredWrite]) -> None:
        """Delete the first rows that wait, because Redis has confirmed them. Raises nothing."""
        self.position = confirmed[-1].row_id
        self.records -= sum(len(stored.write.bodies) for stored in confirmed)
        self.bytes -= sum(stored.bytes for stored in confirmed)
        if self.is_writable and self.has_more:
            try:
                self._connection.execute(_DELETE, (self.position,))
            except sqlite3.Error:
                # The position holds while this process runs. After that they are replayed again, with the same ids.
                self.is_writable = False

    def close(self) -> None:
        """Close the file, which gives up its lock."""
        self._connection.close()

    def remove(self) -> None:
        """Delete and close the file. Raises OSError, and then the file is still open."""
        # Deleted first: closing would move the log into the main file, with two fsyncs.
        _log_of(self.path).unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)
        self._connection.close()

    def _read_row(self, row_id: int) -> StoredWrite | None:
        """Return a row, or None for one that is not as it was written."""
        try:
            row = self._connection.execute(_ONE, (row_id,)).fetchone()
        except sqlite3.Error as error:
            self.is_writable = False
            if not is_damage(error) and self._failed_reads < _MAX_FAILED_READS:
                self._failed_reads += 1
                raise
            return None
        self._failed_reads = 0
        if row is None:
            return None
        payload, checksum, spooled_at_ms = row
        if not isinstance(payload, bytes) or zlib.crc32(payload) != checksum:
            return None
        try:
            project_id, bodies = _DECODER.decode(payload)
        except msgspec.DecodeError:
            return None
        stream = _stream_of(project_id, bodies)
        write = PendingWrite(project_id, stream, bodies, len(payload), spooled_at_ms=spooled_at_ms)
        return StoredWrite(row_id, write, row_bytes(payload), spooled_at_ms)

    def _skip_row(self, row_id: int) -> None:
        # Rows that lie side by side are one place.
        if row_id != self._last_skipped + 1:
            self.damaged += 1
        self._last_skipped = self.position = row_id
        if not self.has_more:
            self.records = self.bytes = 0

    def _count_rows(self) -> None:
        try:
            for row_id, size, records, spooled_at_ms in self._connection.execute(_ALL):
                if self.oldest_ms is None:
                    self.oldest_ms, self.position = spooled_at_ms, row_id - 1
                self.last_id = row_id
                self.bytes += size + _ROW_BYTES
                self.records += records
        except sqlite3.Error as error:
            if "no such table" in str(error):
                # Its process ended while it made the file.
                return
            if not is_damage(error):
                raise
            self.is_writable = False
            self.damaged += 1
            # There may be more rows behind the damage.
            with contextlib.suppress(sqlite3.Error):
                (self.last_id,) = self._connection.execute(_LAST).fetchone()


def shard_of(path: Path) -> int | None:
    """Return the number of the stream that all writes of a file belong to, None where its name has no such number."""
    _, _, number = path.name.removesuffix(SUFFIX).partition(_SHARD)
    return int(number) if number.isdecimal() and int(number) < EVENT_SHARDS else None


def make_folder(folder: Path) -> None:
    """Create the folder of the spool files, accessible only to its owner. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether the content of a file is wrong, as opposed to a disk or a process that cannot read it now."""
    return _code(error) in _DAMAGE


def is_locked(error: sqlite3.Error) -> bool:
    """Return whether another process has the lock of a file."""
    return _code(error) == sqlite3.SQLITE_BUSY


def reason_of(error: Exception) -> str:
    """Return a name of the error for the log."""
    return getattr(error, "sqlite_errorname", type(error).__name__)


def quarantine(path: Path, folder: Path) -> None:
    """Move a closed file to the folder of damaged files. Raises OSError."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for file in (_log_of(path), path):
        if file.exists():
            file.rename(folder / file.name)


def _stream_of(project_id: str, bodies: Sequence[bytes]) -> str:
    """Return the stream that a stored write goes to; rows have no stream, and release 0.2.0 reads them, too."""
    try:
        return stream_of(decode_record(bodies[0]))
    except (StreamRecordError, IndexError):
        # The consumer decides about records that this release cannot read.
        return event_stream_of(project_id, "")


def _restore_size(path: Path) -> bool:
    """Lengthen a file that was cut off, which SQLite does not open, so that the pages it still has can be read."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    size = _PAGE_BYTES * int.from_bytes(header[_PAGES_FIELD], "big")
    if len(header) < _HEADER_BYTES or not path.stat().st_size < size <= _MAX_FILE_BYTES:
        return False
    os.truncate(path, size)
    return True


def _code(error: sqlite3.Error) -> int:
    # The higher bits distinguish variants of an error.
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")
