"""What reaches PostgreSQL, seen at the driver: by SQLAlchemy or past it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry


@dataclass(frozen=True)
class Statement:
    """One statement as it was sent; `values` are those of its placeholders."""

    sql: str
    values: Any


def noting_cursor(statements: list[Statement]) -> type[psycopg.Cursor[Any]]:
    """Make a sort of cursor that notes in a list what it executes."""

    class NotingCursor(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:  # noqa: ANN401 - psycopg's
            text = query.decode() if isinstance(query, bytes) else str(query)
            statements.append(Statement(text, params))
            return super().execute(query, params, **options)

        def executemany(self, query: Any, params_seq: Any, **options: Any) -> None:  # noqa: ANN401 - psycopg's
            params = list(params_seq)
            text = query.decode() if isinstance(query, bytes) else str(query)
            # One of them stands for all: they go to the server together.
            statements.append(Statement(text, params[0]))
            super().executemany(query, params, **options)

    return NotingCursor


@contextmanager
def captured_statements(engine: Engine) -> Iterator[list[Statement]]:
    """Give a list that fills with the statements of the engine's connections inside the block."""
    statements: list[Statement] = []
    cursors = noting_cursor(statements)

    # What a connection keeps besides are its cursors, which would go on noting nothing, or for ever.
    def listen(connection: psycopg.Connection[Any], entry: ConnectionPoolEntry, *_rest: object) -> None:
        connection.cursor_factory = cursors
        entry.info.clear()

    def leave(connection: psycopg.Connection[Any] | None, entry: ConnectionPoolEntry) -> None:
        if connection is not None:
            connection.cursor_factory = psycopg.Cursor
            entry.info.clear()

    event.listen(engine, "checkout", listen)
    event.listen(engine, "checkin", leave)
    try:
        yield statements
    finally:
        event.remove(engine, "checkout", listen)
        event.remove(engine, "checkin", leave)
