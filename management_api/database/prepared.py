"""Statements that nearly every request runs: compiled once, and run by the driver without SQLAlchemy in between."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVarTuple, cast

import psycopg
from sqlalchemy import Compiled, Dialect, Row, Select, make_url
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

Columns = TypeVarTuple("Columns")
NO_VALUES: Mapping[str, object] = MappingProxyType({})


class Prepared(Generic[*Columns]):
    """A constant statement with bound parameters, whose columns are plain ones.

    It runs on the session's connection, in the session's transaction, and gives the rows that `Session.execute` gives,
    for a third of the time. It flushes nothing first, loads no objects, and the audit log does not see it.
    """

    def __init__(self, statement: Select[*Columns]) -> None:
        self._statement = statement

    def rows(self, session: Session, values: Mapping[str, object] = NO_VALUES) -> Sequence[Row[*Columns]]:
        """Give all rows."""
        driver = cast("psycopg.Connection[tuple[Any, ...]]", session.connection().connection.driver_connection)
        try:
            with driver.cursor() as cursor:
                found = cursor.execute(self._sql, {**self._constants, **values}).fetchall()
        except psycopg.Error as error:
            # As SQLAlchemy raises it, so that whoever tells an outage from a defect need not know how it was run.
            raise DBAPIError.instance(
                None, None, error, psycopg.Error, hide_parameters=True, connection_invalidated=driver.closed
            ) from error
        return cast("Sequence[Row[*Columns]]", IteratorResult(self._metadata, iter(found)).all())

    def row(self, session: Session, values: Mapping[str, object] = NO_VALUES) -> Row[*Columns] | None:
        """Give the first row, if there is one."""
        rows = self.rows(session, values)
        return rows[0] if rows else None

    @cached_property
    def _compiled(self) -> Compiled:
        dialect: Dialect = make_url("postgresql+psycopg://").get_dialect()()
        return self._statement.compile(dialect=dialect)

    @cached_property
    def _sql(self) -> bytes:
        return str(self._compiled).encode()

    @cached_property
    def _constants(self) -> dict[str, object]:
        """The values that stand in the statement itself."""
        return dict(self._compiled.params)

    @cached_property
    def _metadata(self) -> SimpleResultMetaData:
        return SimpleResultMetaData(self._statement.selected_columns.keys())
