"""Constant statements with bound parameters."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVarTuple, cast

from sqlalchemy import Row
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import TypedReturnsRows

from management_api.db.unaudited_statements import refuse_unaudited

Columns = TypeVarTuple("Columns")
NO_VALUES: Mapping[str, object] = MappingProxyType({})


class Prepared(Generic[*Columns]):
    """A statement that a session executes with values for its parameters.

    Raises UnauditedChangeError when it changes audited rows without an entry in the audit log.
    """

    def __init__(self, statement: TypedReturnsRows[*Columns]) -> None:
        self._statement = statement
        self._is_checked = False

    def rows(self, session: Session, values: Mapping[str, object] = NO_VALUES) -> Sequence[Row[*Columns]]:
        """Return all rows."""
        if not self._is_checked:
            compiled = self._statement.compile(dialect=postgresql.dialect())  # type: ignore[no-untyped-call] # as it is
            refuse_unaudited(self._statement, *(cte.element for cte in cast("Any", compiled).ctes or ()))
            self._is_checked = True
        return cast("Sequence[Row[*Columns]]", session.execute(cast("Any", self._statement), dict(values)).all())

    def rows_of_many(self, session: Session, many: Sequence[Mapping[str, object]]) -> list[Row[*Columns]]:
        """Run the statement once with each of the values; return the rows of all."""
        return [row for values in many for row in self.rows(session, values)]

    def row(self, session: Session, values: Mapping[str, object] = NO_VALUES) -> Row[*Columns] | None:
        """Return the first row, if there is one."""
        rows = self.rows(session, values)
        return rows[0] if rows else None
