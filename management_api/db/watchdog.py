"""Closes connections to a PostgreSQL server that is frozen, so that no thread waits for it without end.

PostgreSQL ends each statement by `statement_timeout` as long as it runs. A frozen server (a stopped virtual machine, a
disk that hangs) ends nothing, and its kernel keeps the connection alive, so neither keepalives nor `tcp_user_timeout`
end the wait. A pooler with a timeout of its own (`query_timeout` of PgBouncer) would; few installations have one.
"""

import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Self

import psycopg
import structlog
from psycopg.pq import TransactionStatus
from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

#: Seconds above `statement_timeout`, within which a server that runs has ended the statement itself.
MARGIN_SECONDS = 10.0
CHECK_SECONDS = 0.5

log = structlog.stdlib.get_logger(__name__)


class WatchedConnection(psycopg.Connection[Any]):
    """A connection with the state that the watchdog keeps of it."""

    #: The `statement_timeout` of the present transaction, in seconds.
    statement_seconds: float
    #: When a command was first seen in progress, by the monotonic clock.
    active_since: float | None = None


class WatchedCursor(psycopg.Cursor[Any]):
    """A cursor of a WatchedConnection; each of its statements counts anew.

    The event of SQLAlchemy for statements costs more: each connection joins the listeners of its engine (decision 66).
    """

    def execute(self, *arguments: Any, **options: Any) -> Self:  # noqa: ANN401 - passed to psycopg
        """Execute a statement, like psycopg's cursor."""
        self._count_anew()
        return super().execute(*arguments, **options)

    def stream(self, *arguments: Any, **options: Any) -> Iterator[Any]:  # noqa: ANN401 - passed to psycopg
        """Yield the rows of a statement as they arrive, like psycopg's cursor. Each row counts anew."""
        self._count_anew()
        for row in super().stream(*arguments, **options):
            self._count_anew()
            yield row

    def _count_anew(self) -> None:
        if isinstance(self.connection, WatchedConnection):
            self.connection.active_since = None


class ConnectionWatchdog:
    """Shuts down the socket of a connection with one command in progress for longer than its timeout and a margin.

    The thread that waits for the command gets an OperationalError, as from a connection that was lost. COPY and
    `executemany` count as one command with those right before and after them.
    """

    def __init__(self, statement_seconds: float) -> None:
        self._statement_seconds = statement_seconds
        self._lock = threading.Lock()
        self._watched: weakref.WeakSet[WatchedConnection] = weakref.WeakSet()
        self._thread: threading.Thread | None = None

    def watch(self, engine: Engine) -> None:
        """Watch all connections that the engine will open, also when they are detached from its pool."""
        event.listen(engine, "connect", self._add)
        event.listen(engine, "checkin", self._reset)

    def _add(self, connection: WatchedConnection, _entry: ConnectionPoolEntry) -> None:
        connection.statement_seconds = self._statement_seconds
        with self._lock:
            self._watched.add(connection)
            if self._thread is None:
                # It ends with the last connection.
                self._thread = threading.Thread(target=self._run, name="connection watchdog", daemon=True)
                self._thread.start()

    def _reset(self, connection: WatchedConnection | None, _entry: ConnectionPoolEntry) -> None:
        if connection is not None:
            connection.active_since = None
            connection.statement_seconds = self._statement_seconds

    def _run(self) -> None:
        while True:
            time.sleep(CHECK_SECONDS)
            with self._lock:
                present = [connection for connection in self._watched if not connection.closed]
                if not present:
                    self._thread = None
                    return
            for connection in present:
                _check(connection, time.monotonic())
            # Until the next check, connections that their users drop must be collected.
            del present, connection


def _check(connection: WatchedConnection, now: float) -> None:
    if connection.info.transaction_status is not TransactionStatus.ACTIVE:
        connection.active_since = None
        return
    since = connection.active_since
    if since is None:
        connection.active_since = now
    elif now - since > connection.statement_seconds + MARGIN_SECONDS:
        log.warning("database.connection_hangs", seconds=round(now - since))
        _shut_down(connection)


def _shut_down(connection: WatchedConnection) -> None:
    """Wake the thread that waits at the socket; closing the connection is left to that thread, which uses it."""
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as duplicate:
        # A connection that was closed meanwhile may have left its number to another file.
        if not connection.closed:
            duplicate.shutdown(socket.SHUT_RDWR)
