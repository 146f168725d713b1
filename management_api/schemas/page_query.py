"""The query parameters of every list (contract, section 1, Pagination)."""

from typing import Annotated, ClassVar

from pydantic import field_validator

from management_api.operations.paging import PageRequest
from management_api.schemas.parsing import RequestModel
from management_api.schemas.rules import Rule
from management_api.schemas.texts import complaint

#: Far beyond any real list; keeps the offset inside PostgreSQL's bigint.
LARGEST_PAGE = 1_000_000_000
LARGEST_LIMIT = 100


def number_between(lowest: int, highest: int) -> Rule:
    """Make the rule of a whole number in a query."""

    def check(value: object) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(highest))):
            raise complaint(f"must be a whole number from {lowest} to {highest}")
        if not lowest <= int(text) <= highest:
            raise complaint(f"must be a whole number from {lowest} to {highest}")
        return int(text)

    return Rule(check, {"minimum": lowest, "maximum": highest})


class PageQuery(RequestModel):
    """Base of a list's query; a subclass adds its filters and, where it differs, what may be sorted by."""

    sortable: ClassVar[frozenset[str]] = frozenset({"created_at", "updated_at", "name"})
    default_sort: ClassVar[str] = "-created_at"

    page: Annotated[int, number_between(1, LARGEST_PAGE)] = 1
    limit: Annotated[int, number_between(1, LARGEST_LIMIT)] = 20
    sort: str | None = None

    @field_validator("sort")
    @classmethod
    def _sort_is_known(cls, sort: str) -> str:
        if sort.removeprefix("-") not in cls.sortable:
            raise complaint(f"must be one of {', '.join(sorted(cls.sortable))}, with - in front for descending")
        return sort

    def page_request(self) -> PageRequest:
        """Give the page that is asked for."""
        wanted = self.sort or self.default_sort
        return PageRequest(
            number=self.page, limit=self.limit, sort=wanted.removeprefix("-"), descending=wanted.startswith("-")
        )
