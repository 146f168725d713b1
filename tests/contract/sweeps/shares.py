"""Shares of many values: in `make test` each route gets some, and all routes together every one; in `make soak` all."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice, product
from typing import TypeVar

import pytest

from tests.contract.route_examples import Row, rows, rows_with_a_body
from tests.support.soak import soak_setting

#: The distance between two values of one route, which has every nth, beginning at its own number.
APART = soak_setting("VALUES_APART", 48, 1)

Value = TypeVar("Value")


def numbered(given: list[Row]) -> pytest.MarkDecorator:
    """Return the parameters `number` and `row` for a test."""
    return pytest.mark.parametrize(("number", "row"), list(enumerate(given)), ids=[str(row) for row in given])


def share_of(values: Iterable[Value], number: int) -> Iterator[Value]:
    """Return the values for the route, or the place in a body, with this number."""
    return islice(values, number % APART, None, APART)


def with_a_value(given: list[Row], name: str, values: Sequence[str]) -> pytest.MarkDecorator:
    """Return the parameters `row` and `name`: each route with one value in turn, in a soak with every value."""
    pairs = product(given, values) if APART == 1 else zip(given, cycle(values), strict=False)
    return pytest.mark.parametrize(("row", name), [pytest.param(*pair, id="-".join(map(str, pair))) for pair in pairs])


every_row = numbered(rows())
every_row_with_a_body = numbered(rows_with_a_body())
every_row_with_a_path_parameter = numbered([row for row in rows() if "{" in row.path])
every_row_with_a_parameter = numbered([row for row in rows() if row.example.query or "{" in row.path])
