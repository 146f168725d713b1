"""Shares of many values and routes: `make test` takes some of each kind, `make check` every route, `make soak` all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice, product
from typing import TypeVar

import pytest
from falcon.testing import Result

from tests.contract.route_examples import Row
from tests.support.soak import soak_setting

#: The distance between two values of one route, which has every nth, beginning at its own number.
APART = soak_setting("VALUES_APART", 48, 1)

Value = TypeVar("Value")


def share_of(values: Iterable[Value], number: int) -> Iterator[Value]:
    """Return the values for the route, or the place in a body, with this number."""
    return islice(values, number % APART, None, APART)


def with_a_value(given: list[Row], name: str, values: Sequence[str]) -> pytest.MarkDecorator:
    """Return the parameters `row` and `name`: each route with one value in turn, in a soak with every value.

    `make test` takes every fourth one.
    """
    pairs = product(given, values) if APART == 1 else zip(given, cycle(values), strict=False)
    return _every_fourth(("row", name), pairs)


def each_route(given: Iterable[Row | tuple[Row, object]]) -> pytest.MarkDecorator:
    """Return the parameter `row`, or `row` and `role`: every fourth one in `make test`, and all in `make check`."""
    cases = [case if isinstance(case, tuple) else (case,) for case in given]
    return _every_fourth(("row", "role")[: len(cases[0])], cases)


def _every_fourth(names: tuple[str, ...], cases: Iterable[tuple[object, ...]]) -> pytest.MarkDecorator:
    """Return the parameters of a test, of which three of four are marked as slow."""
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(*case, id="-".join(map(str, case)), marks=[pytest.mark.slow] if number % 4 else [])
            for number, case in enumerate(cases)
        ],
    )


def failures(responses: Iterable[tuple[str, Result]], check: Callable[[Result], None]) -> list[str]:
    """Return a line for each response that `check` rejects by an AssertionError; responses have names."""
    found = []
    for name, response in responses:
        try:
            check(response)
        except AssertionError as error:
            found.append(f"{name}: {response.status_code} {error}")
    return found
