"""A client of PostgreSQL that stands in the way: it holds a project's row, and sees and ends who waits for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from tests.support.polling import eventually


class HeldProject:
    """A project whose row nobody else can change until it is released."""

    def __init__(self, database_url: str, project_id: str) -> None:
        self._connection = psycopg.connect(database_url)
        self._connection.execute("SELECT 1 FROM projects WHERE id = %s FOR UPDATE", [project_id])
        self._watch = psycopg.connect(database_url, autocommit=True)

    def release(self) -> None:
        """Let those who wait go on."""
        self._connection.rollback()

    def waiting(self, count: int) -> list[int]:
        """Return the processes that wait for a lock, the longest waiting first, as soon as there are so many."""
        return eventually(lambda: self._waiting_now(count))

    def end(self, process: int) -> None:
        """Cut the connection of a server process, as a shutdown does and as the death of its client does."""
        self._watch.execute("SELECT pg_terminate_backend(%s)", [process])

    def close(self) -> None:
        """Release the row and leave."""
        self._connection.close()
        self._watch.close()

    def _waiting_now(self, count: int) -> list[int] | None:
        rows: list[Any] = self._watch.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            " ORDER BY query_start"
        ).fetchall()
        return [row[0] for row in rows] if len(rows) >= count else None


@contextmanager
def held_project(database_url: str, project_id: str) -> Iterator[HeldProject]:
    """Hold a project's row for the length of the block, or until it is released."""
    held = HeldProject(database_url, project_id)
    try:
        yield held
    finally:
        held.close()
