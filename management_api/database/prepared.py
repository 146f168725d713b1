"""Statements that nearly every request runs: compiled once, and run by the driver without SQLAlchemy in between."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVarTuple, cast

import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy import JSON, BindParameter, Row
from sqlalchemy.dialects.postgresql.psycopg import PGCompiler_psycopg, PGDialect_psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.selectable import TypedReturnsRows

from management_api.database.reading import Readable, Reading
from management_api.database.statement_cursors import StatementCursors, cursors_of
from management_api.database.unaudited_statements import refuse_unaudited

Columns = TypeVarTuple("Columns")
NO_VALUES: Mapping[str, object] = MappingProxyType({})


class _Compiler(PGCompiler_psycopg):
    """Writes constants into the statement: sent along each time, they would cost as much as what differs each time."""

    def visit_bindparam(self, bindparam: BindParameter[Any], *args: Any, **options: Any) -> Any:  # noqa: ANN401 - SQLAlchemy's signature
        """Give a parameter as it stands in the statement."""
        if isinstance(bindparam.value, str | int):
            options["literal_binds"] = True
        return super().visit_bindparam(bindparam, *args, **options)  # type: ignore[no-untyped-call] # it has no types


class _Dialect(PGDialect_psycopg):
    statement_compiler = _Compiler


class Prepared(Generic[*Columns]):
    """A constant statement with bound parameters, whose columns are plain ones.

    It runs by itself in a Reading. In a Session it runs on its connection, in its transaction, and gives the rows that
    `Session.execute` gives, for a third of the time. It flushes nothing first and loads no objects. It raises
    UnauditedChangeError when it changes audited rows without an entry in the audit log.
    """

    def __init__(self, statement: TypedReturnsRows[*Columns]) -> None:
        self._statement = statement

    def rows(self, session: Readable, values: Mapping[str, object] = NO_VALUES) -> Sequence[Row[*Columns]]:
        """Give all rows."""
        cursors = _cursors_of(session)
        try:
            cursor = cursors.of(self._sql)
            found = cursor.execute(self._sql, self._sent(values)).fetchall()
        except psycopg.Error as error:
            raise _as_sqlalchemy_raises(error, cursors.connection) from error
        if cursor.pgresult is not None:
            cursor.pgresult.clear()
        return self._as_rows(found)

    def rows_of_many(self, session: Session, many: Sequence[Mapping[str, object]]) -> list[Row[*Columns]]:
        """Run the statement once with each of the values, in one trip to the server; gives the rows of all."""
        if len(many) == 1:
            return list(self.rows(session, many[0]))
        connection = _cursors_of(session).connection
        try:
            with connection.cursor() as cursor:
                cursor.executemany(self._sql, [self._sent(values) for values in many], returning=True)
                return [row for result in cursor.results() for row in self._as_rows(result.fetchall())]
        except psycopg.Error as error:
            raise _as_sqlalchemy_raises(error, connection) from error

    def row(self, session: Readable, values: Mapping[str, object] = NO_VALUES) -> Row[*Columns] | None:
        """Give the first row, if there is one."""
        rows = self.rows(session, values)
        return rows[0] if rows else None

    def _sent(self, values: Mapping[str, object]) -> Mapping[str, object]:
        if not self._constants and not self._documents:
            return values
        sent = {**self._constants, **values}
        for name in self._documents:
            sent[name] = Jsonb(sent[name])
        return sent

    def _as_rows(self, found: Sequence[tuple[Any, ...]]) -> Sequence[Row[*Columns]]:
        # Named tuples read like rows; to ask one of SQLAlchemy's for an attribute takes seven times as long.
        return cast("Sequence[Row[*Columns]]", list(map(self._named, found)))

    @cached_property
    def _compiled(self) -> SQLCompiler:
        compiled = self._statement.compile(dialect=_Dialect())  # type: ignore[no-untyped-call] # as above
        refuse_unaudited(self._statement, *(cte.element for cte in compiled.ctes or ()))
        return compiled

    @cached_property
    def _sql(self) -> bytes:
        return str(self._compiled).encode()

    @cached_property
    def _constants(self) -> dict[str, object]:
        """The values that stand in the statement itself and are not written into it, such as moments and intervals."""
        return {name: bound.value for name, bound in self._compiled.binds.items() if not bound.required}

    @cached_property
    def _documents(self) -> tuple[str, ...]:
        """Name the values that are JSON."""
        return tuple(name for name, bound in self._compiled.binds.items() if isinstance(bound.type, JSON))

    @cached_property
    def _named(self) -> Callable[[Iterable[object]], tuple[object, ...]]:
        make_type = cast("Callable[..., Any]", namedtuple)  # noqa: PYI024 - the columns are known only here
        make: Callable[[Iterable[object]], tuple[object, ...]] = make_type(
            "Columns", self._statement.exported_columns.keys(), rename=True
        )._make
        return make


def _cursors_of(session: Readable) -> StatementCursors:
    return session.cursors if isinstance(session, Reading) else cursors_of(session.connection().connection)


def _as_sqlalchemy_raises(error: psycopg.Error, connection: "psycopg.Connection[tuple[Any, ...]]") -> BaseException:
    """Wrap an error, so that whoever tells an outage from a defect need not know how the statement was run."""
    return DBAPIError.instance(
        None, None, error, psycopg.Error, hide_parameters=True, connection_invalidated=connection.closed
    )
