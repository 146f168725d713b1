"""The values of If-Match and of If-None-Match of a change (RFC 9110, section 13.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import InvalidRequestError, PreconditionFailedError
from management_api.auth.entity_tags import NO_PRECONDITION
from management_api.http.requests import parse_if_match, parse_if_none_match


def test_absent_header_demands_no_state() -> None:
    assert parse_if_match(None) == NO_PRECONDITION


@pytest.mark.parametrize("text", ["*", " * "])
def test_star_demands_that_there_is_an_object(text: str) -> None:
    precondition = parse_if_match(text)
    precondition.check(lambda: "any")
    with pytest.raises(PreconditionFailedError):
        precondition.check(lambda: None)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ('"ab"', {"ab"}),
        ('"ab", "cd"', {"ab", "cd"}),
        ('"ab","cd" , "ef"', {"ab", "cd", "ef"}),
        (', "ab",, "cd",', {"ab", "cd"}),
        ('W/"ab"', set()),
        ('W/"ab", "cd"', {"cd"}),
        ('"cd", W/"ab"', {"cd"}),
        ('""', set()),
        ('"not one of ours!"'.replace(" ", "-"), set()),
        ('"ab,cd"', set()),
        ('"endsW/","cd"', {"cd"}),
        ('"*"', set()),
        ('"\xe9"', set()),
    ],
)
def test_of_a_list_the_strong_tags_count(text: str, tags: set[str]) -> None:
    assert parse_if_match(text).tags == frozenset(tags)


@pytest.mark.parametrize(
    "text", ["", " ", ",", "ab", '"ab', 'ab"', '"ab" "cd"', '*, "ab"', 'w/"ab"', '"a b"', '"a\x01"', "'ab'", "\xff"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequestError, match="If-Match must be"):
        parse_if_match(text)


def test_star_of_if_none_match_demands_that_there_is_no_object() -> None:
    precondition = parse_if_none_match(" * ")
    precondition.check(lambda: None)
    with pytest.raises(PreconditionFailedError):
        precondition.check(lambda: "any")
    assert parse_if_none_match(None) == NO_PRECONDITION


@pytest.mark.parametrize("text", ["", '"ab"', "ab", '*, "ab"'])
def test_if_none_match_of_a_change_is_a_star(text: str) -> None:
    with pytest.raises(InvalidRequestError, match="If-None-Match must be"):
        parse_if_none_match(text)


@given(st.text(alphabet='"W/*, ab\t\xff', max_size=4000))
def test_no_text_is_a_failure_or_takes_long(text: str) -> None:
    try:
        precondition = parse_if_match(text)
    except InvalidRequestError:
        return
    assert precondition.must_exist or precondition.tags is not None
