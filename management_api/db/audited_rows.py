"""The one way to write rows of audited tables: the change and its entry in the audit log are one statement.

So neither can exist without the other, and the entry costs no trip to the server. Whatever else would change audited
rows in a session that knows its caller is refused (`audit_trail.py`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Row, Table, and_, bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from management_api.db.audit import ENTRY, Entry
from management_api.db.models.base import AuditSpec, Model
from management_api.db.prepared import Prepared

Values = dict[str, object]


def add_row(session: Session, model: type[Model], values: Mapping[str, object]) -> Row[Any]:
    """Insert a row, and give it as it is stored; `values` must have every column that the audit log shows."""
    [row] = add_rows(session, model, [values])
    return row


def add_rows(session: Session, model: type[Model], rows: Sequence[Mapping[str, object]]) -> list[Row[Any]]:
    """Insert rows that all have the same columns, in one trip to the server; gives them as they are stored."""
    if not rows:
        return []
    audited = _audited(model)
    sent = []
    for row in rows:
        after = {name: row[name] for name in audited.columns}
        sent.append(_new(row) | _entry(session, model, audited.created, row, after=after))
    return _insertion(model, tuple(rows[0])).rows_of_many(session, sent)


def change_row(session: Session, model: type[Model], row: object, changes: Mapping[str, object]) -> Row[Any] | None:
    """Set columns of a locked row, and give it as it is stored; None when nothing would change, so nothing was done.

    `row` has as attributes what was read under the lock: the key, the project, and what is to change.
    """
    changed = {name: new for name, new in changes.items() if not _is_same(getattr(row, name), new)}
    if not changed:
        return None
    audited = _audited(model)
    shown = [name for name in audited.columns if name in changed]
    before, after = _of(row, shown), {name: changed[name] for name in shown}
    entry = _entry(session, model, audited.updated, _identity(model, row), before=before, after=after)
    [now] = _change(model, tuple(changed)).rows(session, _key(model, row) | _new(changed) | entry)
    return now


def remove_row(session: Session, model: type[Model], row: Row[Any]) -> None:
    """Delete a locked row; `row` is what was read under the lock, whole."""
    audited = _audited(model)
    before = _of(row, audited.columns)
    entry = _entry(session, model, audited.deleted, _identity(model, row), before=before)
    _removal(model).rows(session, _key(model, row) | entry)


def _audited(model: type[Model]) -> AuditSpec:
    if model.audited is None:
        raise TypeError(f"{model.__name__} is not audited")
    return model.audited


def _entry(
    session: Session,
    model: type[Model],
    verb: str,
    identity: Mapping[str, object],
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> Values:
    audited = _audited(model)
    # A project is the one audited row that belongs to no project.
    project_id = identity["project_id"] if "project_id" in identity else identity["id"]
    entry = Entry(str(project_id), audited.entity, verb, str(identity[audited.id_column]), before, after)
    return entry.values(session)


def _is_same(old: object, new: object) -> bool:
    """Tell whether two values are one; to Python, but not in JSON, 1 and true are."""
    if isinstance(old, dict | list):
        return orjson.dumps(old, option=orjson.OPT_SORT_KEYS) == orjson.dumps(new, option=orjson.OPT_SORT_KEYS)
    return old == new


def _of(row: object, names: Sequence[str]) -> Values:
    return {name: getattr(row, name) for name in names}


def _identity(model: type[Model], row: object) -> Values:
    """Give what tells which row it is, and whose."""
    audited = _audited(model)
    return _of(row, [audited.id_column, "project_id"] if "project_id" in _table(model).c else [audited.id_column])


def _new(values: Mapping[str, object]) -> Values:
    return {f"new_{name}": value for name, value in values.items()}


def _key(model: type[Model], row: object) -> Values:
    return {f"key_{column.name}": getattr(row, column.name) for column in _table(model).primary_key}


def _table(model: type[Model]) -> Table:
    table = model.__table__
    if not isinstance(table, Table):
        raise TypeError(f"{model.__name__} is no table")
    return table


def _to_set(table: Table, columns: Sequence[str]) -> dict[str, ColumnElement[Any]]:
    return {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in columns}


def _is_the_one(table: Table) -> ColumnElement[bool]:
    return and_(*(column == bindparam(f"key_{column.name}") for column in table.primary_key))


@cache
def _insertion(model: type[Model], columns: tuple[str, ...]) -> Prepared[*tuple[Any, ...]]:
    table = _table(model)
    stored = insert(table).values(_to_set(table, columns)).returning(*table.c).cte("stored")
    return Prepared(select(stored).add_cte(ENTRY))


@cache
def _change(model: type[Model], columns: tuple[str, ...]) -> Prepared[*tuple[Any, ...]]:
    table = _table(model)
    change = update(table).where(_is_the_one(table)).values(_to_set(table, columns))
    return Prepared(select(change.returning(*table.c).cte("stored")).add_cte(ENTRY))


@cache
def _removal(model: type[Model]) -> Prepared[*tuple[Any, ...]]:
    table = _table(model)
    stored = delete(table).where(_is_the_one(table)).returning(*table.primary_key).cte("stored")
    return Prepared(select(stored).add_cte(ENTRY))
