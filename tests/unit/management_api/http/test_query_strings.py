"""Query strings are read strictly."""

import pytest

from common.errors import InvalidRequestError, MalformedBodyError
from management_api.http.requests import MAX_PARAMETERS, query_parameters


@pytest.mark.parametrize(
    ("query_string", "parameters"),
    [
        ("", {}),
        ("a=1&b=2", {"a": "1", "b": "2"}),
        ("a=", {"a": ""}),
        ("a", {"a": ""}),
        ("a=x+y%20z%2B", {"a": "x y z+"}),
        ("a=%C3%A9", {"a": "é"}),
        ("&&a=1&", {"a": "1"}),
        ("a=1,2;3", {"a": "1,2;3"}),
    ],
)
def test_a_query_string_is_form_encoded(query_string: str, parameters: dict[str, str]) -> None:
    assert query_parameters(query_string) == parameters


@pytest.mark.parametrize("query_string", ["a=%", "a=%zz", "a=%1", "%=1", "a=%FF", "a=%C0%80", "a=%ED%A0%80", "a=é"])
def test_query_string_that_is_not_utf_8_is_rejected(query_string: str) -> None:
    with pytest.raises(MalformedBodyError):
        query_parameters(query_string)


def test_a_parameter_comes_once() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        query_parameters("a=1&b=1&a=1")
    assert [detail.field for detail in caught.value.details] == ["a"]


def test_parameters_are_bounded() -> None:
    with pytest.raises(MalformedBodyError):
        query_parameters("&".join(f"a{number}=1" for number in range(MAX_PARAMETERS + 1)))
