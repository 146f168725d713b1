"""Waiting for the next change: a notification of PostgreSQL, or a moment without one."""

import psycopg

from management_api.database.publications import NOTIFY_CHANNEL
from management_api.database.transactions import Database


class Wakeup:
    """Listens on a connection of its own. What it misses while it has none only costs a poll."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: psycopg.Connection | None = None

    def listen(self) -> None:
        """Start to listen, unless it does already. Raises an error of the database."""
        if self._connection is None:
            self._connection = self._connect()
            self._connection.execute(f"LISTEN {NOTIFY_CHANNEL}")

    def wait(self, seconds: float) -> None:
        """Wait for a notification, at most that long. Raises psycopg.Error when the connection is lost."""
        if self._connection is not None:
            # What it says does not matter, only that it came.
            list(self._connection.notifies(timeout=seconds, stop_after=1))

    def close(self) -> None:
        """Stop to listen; `listen` starts again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> psycopg.Connection:
        pooled = self._database.engine.raw_connection()
        connection = pooled.driver_connection
        # It neither counts in the pool nor ever goes back to it while it listens.
        pooled.detach()
        if not isinstance(connection, psycopg.Connection):
            raise TypeError("the database is reached through another driver than psycopg")
        connection.autocommit = True
        return connection
