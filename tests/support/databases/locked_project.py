"""A connection to PostgreSQL that locks the row of a project, and finds and ends the processes that wait for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from tests.support.polling import eventually


class LockedProject:
    """The lock of a project's row."""

    def __init__(self, database_url: str, project_id: str) -> None:
        self._connection = psycopg.connect(database_url)
        self._connection.execute("SELECT 1 FROM projects WHERE id = %s FOR UPDATE", [project_id])
        self._watch = psycopg.connect(database_url, autocommit=True)

    def release(self) -> None:
        """Release the lock."""
        self._connection.rollback()

    def waiting(self, count: int) -> list[int]:
        """Wait until `count` processes wait for a lock; return their ids, the longest waiting first."""
        return eventually(lambda: self._waiting_now(count))

    def terminate(self, process: int) -> None:
        """End a server process, which closes its connection."""
        self._watch.execute("SELECT pg_terminate_backend(%s)", [process])

    def close(self) -> None:
        """Release the lock and close the connections."""
        self._connection.close()
        self._watch.close()

    def _waiting_now(self, count: int) -> list[int] | None:
        rows: list[Any] = self._watch.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            " ORDER BY query_start"
        ).fetchall()
        return [row[0] for row in rows] if len(rows) >= count else None


@contextmanager
def locked_project(database_url: str, project_id: str) -> Iterator[LockedProject]:
    """Lock the row of a project for the length of the block, or until it is released."""
    held = LockedProject(database_url, project_id)
    try:
        yield held
    finally:
        held.close()
