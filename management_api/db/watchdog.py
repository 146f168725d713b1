"""Closes connections on which PostgreSQL has stopped to answer, so that a hung server does not hang its clients.

PostgreSQL bounds each statement (`statement_timeout`) as long as it runs. A server that stands still bounds nothing,
and its kernel keeps the connection alive, so neither keepalives nor `tcp_user_timeout` end the wait.
"""

import os
import socket
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psycopg
import structlog
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

#: Seconds above `statement_timeout`, within which a server that runs has ended the statement itself.
MARGIN_SECONDS = 10.0
CHECK_SECONDS = 0.5
#: The key in the `info` of a pooled connection.
_WATCHED = "watched"

log = structlog.stdlib.get_logger(__name__)

DriverConnection = psycopg.Connection[Any]


@dataclass(slots=True, eq=False)
class _Watched:
    connection: "weakref.ref[DriverConnection]"
    #: What the present transaction allows its statements, in seconds.
    statement_seconds: float
    #: When a command was first seen in progress, by the monotonic clock.
    active_since: float | None = None


class ConnectionWatchdog:
    """Shuts down the socket of a connection with one command in progress for longer than its timeout and a margin.

    The thread that waits for the command gets an OperationalError, as from a connection that was lost. Only commands
    that reach the driver without SQLAlchemy, one right after the other, count as one.
    """

    def __init__(self, statement_seconds: float) -> None:
        self._statement_seconds = statement_seconds
        self._lock = threading.Lock()
        self._watched: set[_Watched] = set()
        self._thread: threading.Thread | None = None

    def watch(self, engine: Engine) -> None:
        """Watch all connections that the engine will open, also when they are detached from its pool."""
        event.listen(engine, "connect", self._add)
        event.listen(engine, "checkin", self._begin_again)
        event.listen(engine, "before_cursor_execute", _note_statement)

    def _add(self, connection: DriverConnection, entry: ConnectionPoolEntry) -> None:
        watched = _Watched(weakref.ref(connection), self._statement_seconds)
        entry.info[_WATCHED] = watched
        with self._lock:
            self._watched.add(watched)
            if self._thread is None:
                # It ends with the last connection.
                self._thread = threading.Thread(target=self._run, name="connection watchdog", daemon=True)
                self._thread.start()

    def _begin_again(self, _connection: DriverConnection | None, entry: ConnectionPoolEntry) -> None:
        if (watched := entry.info.get(_WATCHED)) is not None:
            watched.active_since = None
            watched.statement_seconds = self._statement_seconds

    def _run(self) -> None:
        while True:
            time.sleep(CHECK_SECONDS)
            with self._lock:
                self._watched = {watched for watched in self._watched if _is_open(watched)}
                if not self._watched:
                    self._thread = None
                    return
                present = list(self._watched)
            for watched in present:
                _check(watched, time.monotonic())


def allow_long_statements(session: Session, *, minutes: int) -> None:
    """Raise `statement_timeout`, and the watchdog's with it, to the end of the session's transaction."""
    connection = session.connection()
    connection.execute(text(f"SET LOCAL statement_timeout = '{minutes}min'"))
    if (watched := connection.info.get(_WATCHED)) is not None:
        watched.statement_seconds = minutes * 60.0


def _note_statement(connection: Connection, *_rest: object) -> None:
    if (watched := connection.info.get(_WATCHED)) is not None:
        watched.active_since = None


def _is_open(watched: _Watched) -> bool:
    connection = watched.connection()
    return connection is not None and not connection.closed


def _check(watched: _Watched, now: float) -> None:
    connection = watched.connection()
    if connection is None or connection.info.transaction_status is not TransactionStatus.ACTIVE:
        watched.active_since = None
        return
    since = watched.active_since
    if since is None:
        watched.active_since = now
    elif now - since > watched.statement_seconds + MARGIN_SECONDS:
        log.warning("database.connection_hangs", seconds=round(now - since))
        _shut_down(connection)


def _shut_down(connection: DriverConnection) -> None:
    """Wake the thread that waits at the socket; closing the connection is left to that thread, which uses it."""
    with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as duplicate:
        # A connection that was closed meanwhile may have left its number to another file.
        if not connection.closed:
            duplicate.shutdown(socket.SHUT_RDWR)
