"""A connection's cursors, one for each statement that is run again and again."""

from typing import Any, cast

import psycopg
from sqlalchemy.pool import ManagesConnection

#: As many as statements that psycopg keeps prepared; beyond that all begin anew.
_MOST_CURSORS = 100
_KEY = "statement_cursors"


class StatementCursors:
    """Kept as long as their connection.

    A cursor that has run another statement before finds out anew how values are sent and columns read, which takes as
    long as a third of a short statement. What was found must be let go of (`PGresult.clear`): the cursor stays.
    """

    __slots__ = ("_cursors", "connection")

    def __init__(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> None:
        self.connection = connection
        self._cursors: dict[bytes, psycopg.Cursor[tuple[Any, ...]]] = {}

    def of(self, statement: bytes) -> psycopg.Cursor[tuple[Any, ...]]:
        """Give the statement's own cursor. Raises psycopg.Error when the connection is closed."""
        cursor = self._cursors.get(statement)
        if cursor is None:
            if len(self._cursors) >= _MOST_CURSORS:
                self._cursors.clear()
            cursor = self._cursors[statement] = self.connection.cursor()
        return cursor


def cursors_of(pooled: ManagesConnection) -> StatementCursors:
    """Give those of a pooled connection; SQLAlchemy forgets them when it opens another one in its place."""
    cursors: StatementCursors | None = pooled.info.get(_KEY)
    if cursors is None:
        driver = cast("psycopg.Connection[tuple[Any, ...]]", pooled.driver_connection)
        cursors = pooled.info[_KEY] = StatementCursors(driver)
    return cursors
