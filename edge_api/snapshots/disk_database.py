"""An SQLite database that the processes of a machine share, as a cache: a damaged one is deleted and created again."""

import asyncio
import fcntl
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ParamSpec, TypeVar

import structlog

_LOG = structlog.stdlib.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

#: The errors of every method.
DISK_ERRORS = (sqlite3.Error, OSError)

_BUSY_SECONDS = 5.0
_CHECKPOINT_BYTES = 4 * 1024 * 1024
#: Calls that wait for the thread. More of them mean that the disk hangs.
_MAX_WAITING = 512


class DiskDatabase:
    """One connection, used by one thread: call everything through :meth:`in_thread`.

    `generation` is the number of databases opened so far: it grows when the database was deleted, by this process or
    another one. `is_failing` is whether the last transaction failed, or the database cannot be opened.
    """

    def __init__(self, path: Path, schema: str, version: int) -> None:
        """Store the script that creates missing tables; a database whose `user_version` is another one is deleted."""
        self._path = path
        self._schema = schema
        self._version = version
        # A thread of its own: a disk that hangs must not take the threads of the event loop.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="snapshot-copies")
        self._waiting = 0
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self.generation = 0
        self.is_failing = False

    async def in_thread(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in the thread of the database. Raises OSError when too many calls wait."""
        if self._waiting >= _MAX_WAITING:
            raise OSError("the disk does not respond")
        future = self._thread.submit(lambda: function(*args, **kwargs))
        self._waiting += 1
        loop = asyncio.get_running_loop()
        # Called in the thread, also after the caller has given up.
        future.add_done_callback(lambda _: loop.is_closed() or loop.call_soon_threadsafe(self._count_done))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Close the connection. No method is called afterwards."""
        self._disconnect()
        self._thread.shutdown(wait=False)

    def opened_generation(self) -> int:
        """Open the database if it was deleted, and return the generation."""
        with self.connection():
            return self.generation

    @contextmanager
    def transaction(self, *, is_repair: bool = False) -> Iterator[sqlite3.Connection]:
        """Yield the connection inside a transaction that may write.

        The success of a repair, which frees space on a full disk, does not mean that the disk can be written.
        """
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if not is_repair:
                self._set_failing(None)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection, and delete the database if it proves to be damaged."""
        try:
            yield self._connect()
        except DISK_ERRORS as error:
            # The class itself stands for a damaged file; SQLITE_ERROR for one without the store's tables.
            if type(error) is sqlite3.DatabaseError or _code(error) == sqlite3.SQLITE_ERROR:
                self._delete(error)
            elif not is_busy(error):
                self._set_failing(error)
            raise

    def _connect(self) -> sqlite3.Connection:
        if self._connection is not None and self._file == _identity(self._path):
            return self._connection
        # The first use, or another process has deleted the database.
        self._disconnect()
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.parent.chmod(0o700)
        with self._folder_lock():
            self._remove_special_file()
            # SQLite gives its other files the mode of this one, and would follow a link.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
            self._file = _identity(self._path)
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._set_up(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self.generation += 1
        return connection

    def _set_up(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {_CHECKPOINT_BYTES}")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in {0, self._version}:
            raise sqlite3.DatabaseError(f"the schema has version {version}")
        connection.executescript(f"BEGIN IMMEDIATE; {self._schema} PRAGMA user_version = {self._version}; COMMIT;")

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _delete(self, error: Exception) -> None:
        _LOG.error("snapshot_copies_deleted", reason=str(error))
        self._disconnect()
        with suppress(OSError), self._folder_lock():
            # Not the new database of another process that has found the same damage.
            if self._file == _identity(self._path):
                for suffix in ("", "-wal", "-shm"):
                    self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _remove_special_file(self) -> None:
        """Remove a link, a pipe or a device in the place of the database: SQLite would wait for it, or write to it."""
        with suppress(FileNotFoundError):
            mode = self._path.lstat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                _LOG.error("snapshot_copies_replaced", reason="the database is not a regular file")
                self._path.unlink()

    @contextmanager
    def _folder_lock(self) -> Iterator[None]:
        """Exclude other processes: the journal mode is changed, and a database deleted, by one at a time."""
        descriptor = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _set_failing(self, error: Exception | None) -> None:
        if (error is not None) is self.is_failing:
            return
        self.is_failing = error is not None
        if error is None:
            _LOG.info("snapshot_copies_written_again")
        else:
            _LOG.error("snapshot_copies_not_written", reason=str(error))

    def _count_done(self) -> None:
        self._waiting -= 1


def is_busy(error: Exception) -> bool:
    """Return whether another process kept the database locked."""
    return _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _code(error: Exception) -> int:
    """Return SQLite's primary result code; 0 for an error of another library."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
