"""Waiting for the next change: a notification of PostgreSQL, or a moment without one."""

from typing import Any

from sqlalchemy import Connection, text

from management_api.database.publications import NOTIFY_CHANNEL
from management_api.database.transactions import Database


class Wakeup:
    """Listens on a connection of its own. What it misses while it has none only costs a poll."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Connection | None = None

    def listen(self) -> None:
        """Start to listen, unless it does already. Raises SQLAlchemy's OperationalError without PostgreSQL."""
        if self._connection is None:
            connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            # Detached, so that it neither counts in the pool nor ever goes back to it while it listens.
            connection.detach()
            connection.execute(text(f"LISTEN {NOTIFY_CHANNEL}"))
            self._connection = connection

    def wait(self, seconds: float) -> None:
        """Wait for a notification, at most that long. Raises psycopg.Error when the connection is lost."""
        if self._connection is not None:
            driver_connection: Any = self._connection.connection.driver_connection
            # What it says does not matter, only that it came.
            list(driver_connection.notifies(timeout=seconds, stop_after=1))

    def close(self) -> None:
        """Stop to listen; `listen` starts again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
