"""The statements that SQLAlchemy sends to PostgreSQL."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, event


@dataclass(frozen=True)
class Statement:
    """One statement as it was sent; `values` are those of its placeholders."""

    sql: str
    values: Any


@contextmanager
def captured_statements(engine: Engine) -> Iterator[list[Statement]]:
    """Yield a list to which the statements of the engine are added during the block."""
    statements: list[Statement] = []

    def record(_connection: Any, _cursor: Any, sql: str, values: Any, _context: Any, many: bool) -> None:  # noqa: ANN401, FBT001 - SQLAlchemy's
        # An INSERT of many rows is one statement with the values of all of them; executemany() has a list.
        statements.append(Statement(sql, values[0] if many and not isinstance(values, Mapping) else values))

    event.listen(engine, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", record)
