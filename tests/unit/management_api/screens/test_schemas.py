"""Bodies and the query of screens: accepted values, rejected values, results."""

import orjson
import pytest

from common.errors import InvalidRequestError
from common.wire.public_responses import ScreenType
from management_api.http.requests import parse_body, parse_query
from management_api.screens.schemas import ScreenCreateBody, ScreenListQuery, ScreenUpdateBody


def _create(**members: object) -> ScreenCreateBody:
    return parse_body(ScreenCreateBody, orjson.dumps({"flowId": "flow_1", "type": "welcome", **members}))


def _refused(**members: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as caught:
        _create(**members)
    return [(detail.field, detail.code.value) for detail in caught.value.details]


def test_a_screen_needs_only_a_flow_and_a_type() -> None:
    body = _create()
    assert (body.flow_id, body.type, body.order) == ("flow_1", ScreenType.WELCOME, None)
    assert (body.name, body.content, body.settings) == (None, {}, {})


def test_member_names_of_content_have_up_to_200_characters() -> None:
    content = {"a": [{"é" * 200: 1}]}
    assert _create(content=content).content == content


@pytest.mark.parametrize("kind", [kind.value for kind in ScreenType])
def test_every_type_of_the_contract_is_taken(kind: str) -> None:
    assert _create(type=kind).new_members()["type"] == ScreenType(kind)


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


def test_a_screen_that_was_read_may_be_put_back() -> None:
    body = parse_body(
        ScreenUpdateBody,
        orjson.dumps({"id": "screen_1", "flow_id": "flow_1", "project_id": "proj_1", "type": "custom", "order": 2}),
    )
    assert (body.members(), body.order) == ({"type": ScreenType.CUSTOM}, 2)


def test_a_change_of_nothing_is_no_change() -> None:
    assert parse_body(ScreenUpdateBody, b"{}").members() == {}


@pytest.mark.parametrize("member", ["type", "order", "content", "settings"])
def test_patch_cannot_clear_required_members_of_a_screen(member: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ScreenUpdateBody, orjson.dumps({member: None}))
    assert [detail.field for detail in caught.value.details] == [member]


def test_screens_are_listed_in_their_order_by_default() -> None:
    page = parse_query(ScreenListQuery, {"flowId": "flow_1"}).page_request()
    assert (page.sort, page.descending) == ("order", False)


@pytest.mark.parametrize("sort", ["order", "-order", "created_at", "-updated_at", "name"])
def test_screens_may_be_sorted_by_order_too(sort: str) -> None:
    page = parse_query(ScreenListQuery, {"flow_id": "flow_1", "sort": sort}).page_request()
    assert (page.sort, page.descending) == (sort.lstrip("-"), sort.startswith("-"))
