"""What JSON may not hold (contract, section 1)."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.json_rules import MAX_DEPTH, json_problem, value_problem


def nested(levels: int, kind: str) -> Any:  # noqa: ANN401 - nested JSON has no finite type
    """Give that many objects or lists inside each other."""
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind == "object" else [value]
    return value


@pytest.mark.parametrize("kind", ["object", "list"])
def test_32_levels_are_allowed_and_33_are_not(kind: str) -> None:
    assert value_problem(nested(MAX_DEPTH, kind)) is None
    assert value_problem(nested(MAX_DEPTH + 1, kind)) == "must not be nested deeper than 32 levels"


def test_many_brackets_side_by_side_are_not_deep() -> None:
    document: dict[str, Any] = {"a": [[] for _ in range(100)]}
    assert json_problem(orjson.dumps(document), document) is None


@pytest.mark.parametrize("document", [{"a": "\0"}, {"\0": 1}, {"a": [{"b": ["x\0"]}]}])
def test_nul_is_refused_wherever_it_is(document: dict[str, Any]) -> None:
    assert json_problem(orjson.dumps(document), document) is not None


def test_a_backslash_before_u0000_is_text() -> None:
    document = {"a": "\\u0000"}
    assert json_problem(orjson.dumps(document), document) is None


@pytest.mark.parametrize("value", ["\ud800", ["\udfff"], {"\ud800": 1}, float("inf"), [float("nan")]])
def test_what_only_a_patient_parser_lets_through_is_refused(value: object) -> None:
    assert value_problem(value) is not None


@given(
    st.dictionaries(
        st.text(),
        st.recursive(st.text() | st.none() | st.integers(-9, 9), lambda inner: st.lists(inner, max_size=3)),
        max_size=3,
    )
)
def test_the_short_cut_by_bytes_agrees_with_the_walk(document: dict[str, Any]) -> None:
    assert json_problem(orjson.dumps(document), document) == value_problem(document)
