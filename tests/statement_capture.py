"""What reaches PostgreSQL, seen at the driver: by SQLAlchemy or past it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.pool import QueuePool


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
    """Give a list that fills with the statements of the engine's connections inside the block.

    The block begins and ends while nobody uses a connection.
    """
    statements: list[Statement] = []
    cursors = noting_cursor(statements)

    def listen(connection: psycopg.Connection[Any], _entry: object) -> None:
        connection.cursor_factory = cursors

    _give_cursors(engine, cursors)
    event.listen(engine, "connect", listen)
    try:
        yield statements
    finally:
        event.remove(engine, "connect", listen)
        _give_cursors(engine, psycopg.Cursor)


def _give_cursors(engine: Engine, cursors: type[psycopg.Cursor[Any]]) -> None:
    """Have all open connections use this sort of cursor, and none that they have kept."""
    assert isinstance(engine.pool, QueuePool)
    with ExitStack() as stack:
        for _ in range(engine.pool.checkedin()):
            pooled = engine.raw_connection()
            stack.callback(pooled.close)
            assert isinstance(pooled.driver_connection, psycopg.Connection)
            pooled.driver_connection.cursor_factory = cursors
            pooled.info.clear()
