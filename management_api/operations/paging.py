"""One page of a list: sorted, ties broken by id, counted (contract, section 1, Pagination)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVarTuple

from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute

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
    session: Session,
    statement: Select[*Columns],
    page: PageRequest,
    *,
    sortable: dict[str, InstrumentedAttribute[Any]],
    tie_breaker: InstrumentedAttribute[str],
) -> PageOf[*Columns]:
    """Run a list's statement for one page, in two queries whatever its size. `sortable` has a column for each name."""
    column = sortable[page.sort]
    ordering = (column.desc(), tie_breaker.desc()) if page.descending else (column.asc(), tie_breaker.asc())
    total = session.scalar(select(func.count()).select_from(statement.order_by(None).subquery())) or 0
    rows = session.execute(statement.order_by(*ordering).limit(page.limit).offset((page.number - 1) * page.limit)).all()
    return PageOf(items=rows, total=total, request=page)
