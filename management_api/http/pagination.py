"""The query of a list: page, limit and sorting (contract, section 1, Pagination)."""

from typing import Annotated, ClassVar

from pydantic import Field, field_validator

from management_api.auth.lists import PageRequest
from management_api.http.fields import field_error, number_between
from management_api.http.requests import RequestModel

#: The largest whole number that all JSON parsers read exactly; the offset fits into PostgreSQL's bigint.
MAX_PAGE = 2**53 - 1
MAX_LIMIT = 100


class PageQuery(RequestModel):
    """Base of a list's query; a subclass adds its filters and, where they differ, the fields to sort by."""

    sortable: ClassVar[frozenset[str]] = frozenset({"created_at", "updated_at", "name"})
    default_sort: ClassVar[str] = "-created_at"

    page: Annotated[int, number_between(1, MAX_PAGE)] = 1
    limit: Annotated[int, number_between(1, MAX_LIMIT)] = 20
    sort: Annotated[
        str | None,
        Field(description="The field to sort by; a leading - means descending. Ties are broken by id"),
    ] = None

    @field_validator("sort")
    @classmethod
    def _sort_is_known(cls, sort: str) -> str:
        if sort.removeprefix("-") not in cls.sortable:
            raise field_error(f"must be one of {', '.join(sorted(cls.sortable))}, with - in front for descending")
        return sort

    def page_request(self) -> PageRequest:
        """Return the requested page."""
        wanted = self.sort or self.default_sort
        return PageRequest(
            number=self.page, limit=self.limit, sort=wanted.removeprefix("-"), descending=wanted.startswith("-")
        )
