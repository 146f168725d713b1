"""Pages of lists: the statements that sort, count and read them, with the role of the caller."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVarTuple

from sqlalchemy import ColumnElement, Row, Select, Text, bindparam, case, cast, func, select
from sqlalchemy.orm.attributes import InstrumentedAttribute

from management_api.auth.access import Caller, read_project, role_for_caller
from management_api.db.engine import Reader

Columns = TypeVarTuple("Columns")
_ESCAPE = "/"
#: Of one JSON value in a list: a page of 100 items with two of them is below 16 MiB (contract, Quotas of a project).
MAX_LISTED_BYTES = 64 * 1024
#: PostgreSQL stores a value of this size, in bytes, without a larger text: pglz compresses to 1.1 % at best.
_SMALL_BYTES = 700


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The requested page: its number from 1, items a page, the name of the sorting column and its direction."""

    number: int
    limit: int
    sort: str
    descending: bool


@dataclass(frozen=True, slots=True)
class Page(Generic[*Columns]):
    """The items of a page, and the number of items on all pages."""

    items: Sequence[Row[*Columns]]
    total: int
    request: PageRequest


def contains(column: InstrumentedAttribute[str] | InstrumentedAttribute[str | None], text: str) -> ColumnElement[bool]:
    """Return the condition that a column has the text in it, without regard to case; `%` and `_` are plain."""
    return column.icontains(text, autoescape=True, escape=_ESCAPE)


def unless_large(column: InstrumentedAttribute[Any]) -> ColumnElement[Any]:
    """Return a JSON column under its name, null where its text is longer than MAX_LISTED_BYTES.

    A row outside of the page costs nothing; a value that is stored compressed is read once more for its length.
    """
    is_short = func.octet_length(cast(column, Text)) <= MAX_LISTED_BYTES
    return case((func.pg_column_size(column) <= _SMALL_BYTES, column), (is_short, column)).label(column.key)


class PagedSelect(Generic[*Columns]):
    """A SELECT whose rows are read page by page, with one statement for the page and one for the count.

    Each statement is a transaction of its own, so the count may have a row that the page does not have yet. With
    `max_counted`, no more rows are counted: the total of a longer list is at least that, and at least what pages have
    shown. Such a list takes no conditions.

    All statements are built once, because building one takes as long as executing it. `sortable` has a column for each
    name that a query may sort by.
    """

    def __init__(
        self,
        statement: Select[*Columns],
        sortable: Mapping[str, ColumnElement[Any] | InstrumentedAttribute[Any]],
        tie_breaker: InstrumentedAttribute[str],
        *,
        max_counted: int | None = None,
    ) -> None:
        self._max_counted = max_counted
        self._count = statement.with_only_columns(func.count(), maintain_column_froms=True)
        if max_counted is not None:
            first = statement.with_only_columns(tie_breaker, maintain_column_froms=True).limit(max_counted)
            self._count = select(func.count()).select_from(first.subquery())
        self._count_for_caller = _for_caller(self._count)
        page = statement.limit(bindparam("page_limit")).offset(bindparam("page_offset"))
        self._pages: dict[tuple[str, bool], Select[*Columns]] = {}
        for name, column in sortable.items():
            # Only names are texts; they are sorted without regard to case (contract, section 1).
            key = func.lower(column) if isinstance(column.type, Text) else column
            self._pages[name, False] = page.order_by(key.asc(), tie_breaker.asc())
            self._pages[name, True] = page.order_by(key.desc(), tie_breaker.desc())

    def read(
        self, reader: Reader, page: PageRequest, parameters: Mapping[str, object], *conditions: ColumnElement[bool]
    ) -> Page[*Columns]:
        """Return one page of the rows that meet the conditions, and the number of all these rows."""
        count, rows = self._count, self._pages[page.sort, page.descending]
        if conditions:
            count, rows = count.where(*conditions), rows.where(*conditions)
        total = reader.execute(count, parameters).scalar_one()
        return self._page(reader, page, rows, parameters, total)

    def read_in_project(
        self,
        reader: Reader,
        caller: Caller,
        project_id: str,
        page: PageRequest,
        *conditions: ColumnElement[bool],
        **values: object,
    ) -> Page[*Columns]:
        """Return one page like `read`, of a statement with the parameter `project_id`. Raises like check_may_read.

        The caller's role is read with the number of rows. `values` are further parameters.
        """
        count, rows = self._count_for_caller, self._pages[page.sort, page.descending]
        if conditions:
            count, rows = _for_caller(self._count.where(*conditions)), rows.where(*conditions)
        total = read_project(reader, caller, project_id, count, **values).total
        return self._page(reader, page, rows, {"project_id": project_id, **values}, total)

    def _page(
        self,
        reader: Reader,
        page: PageRequest,
        rows: Select[*Columns],
        parameters: Mapping[str, object],
        total: int,
    ) -> Page[*Columns]:
        bounds = {"page_limit": page.limit, "page_offset": (page.number - 1) * page.limit}
        items = reader.execute(rows, {**parameters, **bounds}).all()
        if items and total == self._max_counted:
            # A full page has another one behind it, as far as is known.
            total = max(total, bounds["page_offset"] + len(items) + (len(items) == page.limit))
        return Page(items=items, total=total, request=page)


def _for_caller(count: Select[int]) -> Select[*tuple[Any, ...]]:
    """Return a statement for `read_project` that counts."""
    return role_for_caller(count.correlate(None).scalar_subquery().label("total"))
