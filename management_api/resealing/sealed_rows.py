"""The rows of one sealed column: read page by page, and written anew under the master key in use.

A row is changed only as long as it still has the ciphertext that was read, so that a rotation by its owner meanwhile
wins; and only when nobody holds it, so that no request ever waits for this, nor this for a request.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, ColumnClause, TableClause, bindparam, column, func, select, table, tuple_, update
from sqlalchemy.orm import Session

from management_api.resealing.sealed_columns import Attribute, SealedColumn


@dataclass(frozen=True, slots=True)
class SealedRow:
    """One row as it was read."""

    key: tuple[str, ...]
    owner_id: str
    sealed: bytes


@dataclass(frozen=True, slots=True)
class ResealedRow:
    """What is to take its place; the digest is None where the column has none."""

    before: SealedRow
    sealed: bytes
    digest: bytes | None


class SealedRows:
    """One column, by names alone: to the mapped class this would be a change that moves `updated_at`."""

    def __init__(self, where: SealedColumn) -> None:
        self._where = where
        self._key = [_named(part) for part in where.key]
        self._owner = [_named(part) for part in where.owner]
        self._sealed = _named(where.sealed)
        self._digest = None if where.digest is None else _named(where.digest)
        found = [*self._key, *self._owner, self._sealed, *([] if self._digest is None else [self._digest])]
        columns = {each.name: each for each in found}
        self._table: TableClause = table(where.sealed.class_.__tablename__, *columns.values())

    def count(self, session: Session) -> int:
        """Count the rows."""
        return session.scalar(select(func.count()).select_from(self._table)) or 0

    def pages(self, session: Session, size: int) -> Iterator[list[SealedRow]]:
        """Give all rows in the order of their keys; each page is a statement of its own."""
        wanted = select(*self._key, *self._owner, self._sealed).select_from(self._table).order_by(*self._key)
        page = self._read(session.execute(wanted.limit(size)).all())
        while page:
            yield page
            behind = tuple_(*self._key) > tuple_(*page[-1].key)
            page = self._read(session.execute(wanted.where(behind).limit(size)).all())

    def write(self, session: Session, rows: Sequence[ResealedRow]) -> int:
        """Write the rows that nobody holds and that are still as they were read; gives how many."""
        free = self._free(session, rows)
        sent = [self._sent(row) for row in rows if row.before.key in free]
        if not sent:
            return 0
        values: dict[str, BindParameter[bytes]] = {self._sealed.name: bindparam("new_sealed")}
        if self._digest is not None:
            values[self._digest.name] = bindparam("new_digest")
        change = update(self._table).where(
            *(part == bindparam(f"key_{part.name}") for part in self._key), self._sealed == bindparam("old_sealed")
        )
        session.connection().execute(change.values(values), sent)
        return len(sent)

    def _free(self, session: Session, rows: Sequence[ResealedRow]) -> set[tuple[str, ...]]:
        wanted = select(*self._key, self._sealed).select_from(self._table)
        wanted = wanted.where(tuple_(*self._key).in_([row.before.key for row in rows])).order_by(*self._key)
        # A digest is unique, so its change wants the whole row; where there is none, whoever refers to a row may go on.
        locked = session.execute(wanted.with_for_update(skip_locked=True, key_share=self._digest is None)).all()
        present = {(tuple(key), sealed) for *key, sealed in locked}
        return {row.before.key for row in rows if (row.before.key, row.before.sealed) in present}

    def _read(self, rows: Sequence[Any]) -> list[SealedRow]:
        keys = len(self._key)
        return [SealedRow(tuple(row[:keys]), self._where.owner_id(*row[keys:-1]), row[-1]) for row in rows]

    def _sent(self, row: ResealedRow) -> dict[str, object]:
        key = {f"key_{part.name}": value for part, value in zip(self._key, row.before.key, strict=True)}
        digest = {} if self._digest is None else {"new_digest": row.digest}
        return {**key, "old_sealed": row.before.sealed, "new_sealed": row.sealed, **digest}


def _named(attribute: Attribute) -> ColumnClause[Any]:
    return column(attribute.key, attribute.type)
