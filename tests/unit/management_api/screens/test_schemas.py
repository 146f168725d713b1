"""Bodies and the query of screens: accepted values, rejected values, results."""

import orjson
import pytest

from common.errors import InvalidRequestError
from management_api.http.requests import parse_body
from management_api.screens.schemas import ScreenCreateBody, ScreenUpdateBody


def _create(**members: object) -> ScreenCreateBody:
    return parse_body(ScreenCreateBody, orjson.dumps({"flowId": "flow_1", "type": "welcome", **members}))


def _refused(**members: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as caught:
        _create(**members)
    return [(detail.field, detail.code.value) for detail in caught.value.details]


def test_member_names_of_content_have_up_to_200_characters() -> None:
    content = {"a": [{"é" * 200: 1}]}
    assert _create(content=content).content == content


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("type", "movie"),
        ("type", 1),
        ("name", "x" * 101),
        ("name", 5),
        ("content", []),
        ("settings", "x"),
        ("content", {"a": [{"n" * 201: 1}]}),
        ("order", -1),
        ("order", "0"),
        ("order", 0.5),
        ("order", 2**31),
        ("colour", "red"),
    ],
)
def test_a_bad_member_is_named(member: str, value: object) -> None:
    assert _refused(**{member: value}) == [(member, "INVALID_PARAMETER")]


def test_type_and_flow_are_required() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ScreenCreateBody, b"{}")
    assert {detail.field for detail in caught.value.details} == {"flowId", "type"}
    assert caught.value.code.value == "MISSING_PARAMETER"


@pytest.mark.parametrize("member", ["type", "order", "content", "settings"])
def test_patch_cannot_clear_required_members_of_a_screen(member: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ScreenUpdateBody, orjson.dumps({member: None}))
    assert [detail.field for detail in caught.value.details] == [member]
