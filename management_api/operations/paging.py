"""One page of a list: sorted, ties broken by id, counted (contract, section 1, Pagination)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVarTuple

from sqlalchemy import ColumnElement, Row, Select, bindparam, func
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.database.prepared import NO_VALUES, Prepared
from management_api.database.reading import Readable

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which page: its number from 1, items a page, the name of the sorting column and its direction."""

    number: int
    limit: int
    sort: str
    descending: bool


@dataclass(frozen=True, slots=True)
class PageOf(Generic[*Columns]):
    """The items of a page, and how many there are on all pages."""

    items: Sequence[Row[*Columns]]
    total: int
    request: PageRequest


def contains_text(column: InstrumentedAttribute[str], search: str) -> ColumnElement[bool]:
    """Match a part of a text without regard to case; `%` and `_` stand for themselves."""
    return column.icontains(search, autoescape=True)


def read_page(
    session: Readable,
    statement: Select[*Columns],
    page: PageRequest,
    values: Mapping[str, object] = NO_VALUES,
    *,
    sortable: Mapping[str, InstrumentedAttribute[Any]],
    tie_breaker: InstrumentedAttribute[str],
) -> PageOf[*Columns]:
    """Run a list's statement for one page, in two queries whatever its size.

    `sortable` has a column for each name, `values` those of the statement's bound parameters. A statement should be a
    constant of its module: what is made of it here is kept, as making it costs more than running it.
    """
    count, rows = _statements(statement, sortable[page.sort], tie_breaker, page.descending)
    [(total,)] = count.rows(session, values)
    place = {"limit": page.limit, "offset": (page.number - 1) * page.limit}
    return PageOf(items=rows.rows(session, {**values, **place}), total=total, request=page)


@lru_cache(maxsize=256)
def _statements(
    statement: Select[*Columns],
    column: InstrumentedAttribute[Any],
    tie_breaker: InstrumentedAttribute[str],
    descending: bool,  # noqa: FBT001 - the cache knows positions only
) -> tuple[Prepared[int], Prepared[*Columns]]:
    """Make what counts the rows, and what gives those of a page."""
    count = statement.with_only_columns(func.count(), maintain_column_froms=True)
    ordering = (column.desc(), tie_breaker.desc()) if descending else (column.asc(), tie_breaker.asc())
    rows = statement.order_by(*ordering).limit(bindparam("limit")).offset(bindparam("offset"))
    return Prepared(count), Prepared(rows)
