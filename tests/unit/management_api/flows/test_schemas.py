"""Bodies of flows: accepted values, rejected values, results."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import InvalidRequestError
from common.rules.conditions import MAX_CONDITIONS
from management_api.flows.schemas import FlowCreateBody, FlowUpdateBody
from management_api.flows.targeting import TargetingBody, TargetingView, buckets_of, percentage_of
from management_api.http.requests import parse_body

PLATFORM = {"attribute": "platform", "operator": "eq", "value": "ios"}


def _create(**members: object) -> FlowCreateBody:
    return parse_body(FlowCreateBody, orjson.dumps({"project_id": "proj_1", "name": "Welcome", **members}))


def _update(**members: object) -> FlowUpdateBody:
    return parse_body(FlowUpdateBody, orjson.dumps(members))


def _fields(error: InvalidRequestError) -> list[tuple[str, str]]:
    return [(detail.field, detail.code.value) for detail in error.details]


def _refused(**members: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as caught:
        _create(**members)
    return _fields(caught.value)


def test_the_parent_ids_may_be_spelled_in_both_ways() -> None:
    body = parse_body(FlowCreateBody, b'{"projectId": "proj_1", "name": "A", "themeId": "theme_1"}')
    assert (body.project_id, body.theme_id) == ("proj_1", "theme_1")


def test_two_spellings_that_differ_are_refused() -> None:
    assert _refused(projectId="proj_2") == [("projectId", "INVALID_PARAMETER")]


def test_every_bad_field_is_named() -> None:
    fields = _refused(name=" ", status="gone", priority=2**31, description="x" * 501, is_default=1, colour="red")
    assert {field for field, _ in fields} == {"name", "status", "priority", "description", "is_default", "colour"}
    assert {code for _, code in fields} == {"INVALID_PARAMETER"}


@pytest.mark.parametrize("member", ["project_id", "name"])
def test_null_for_a_required_member_is_missing(member: str) -> None:
    assert _refused(**{member: None}) == [(member, "MISSING_PARAMETER")]


def test_missing_member_has_the_name_of_the_contract() -> None:
    with pytest.raises(InvalidRequestError) as refused:
        parse_body(FlowCreateBody, b"{}")
    assert {detail.field for detail in refused.value.details} == {"projectId", "name"}


@pytest.mark.parametrize("percentage", [-1, 100.01, "50", True, None, 12.345])
def test_a_percentage_is_a_number_of_at_most_two_decimals(percentage: object) -> None:
    assert _refused(targeting={"percentage": percentage}) == [("targeting.percentage", "INVALID_PARAMETER")]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("ios", "must be an object"),
        ({"attribute": "colour", "operator": "eq", "value": "red"}, "must name one of"),
        ({"attribute": "platform", "operator": "is", "value": "ios"}, "must use one of the operators"),
        ({"attribute": "appVersion", "operator": "semver_gte", "value": "new"}, "must have a semantic version"),
        ({**PLATFORM, "extra": 1}, "must be an object"),
    ],
)
def test_a_bad_condition_is_named_by_its_place(condition: object, said: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        _create(targeting={"conditions": [PLATFORM, condition]})
    assert _fields(caught.value) == [("targeting.conditions.1", "INVALID_PARAMETER")]
    assert caught.value.details[0].message.startswith(said)


@pytest.mark.parametrize(
    ("condition", "members"),
    [
        ({}, ["attribute", "operator"]),
        ({"operator": "exists"}, ["attribute"]),
        ({"attribute": "platform", "value": "ios"}, ["operator"]),
        ({**PLATFORM, "attribute": None, "extra": 1}, ["attribute"]),
    ],
)
def test_missing_members_of_a_condition_are_named(condition: dict[str, Any], members: list[str]) -> None:
    assert _refused(targeting={"conditions": [PLATFORM, condition]}) == [
        (f"targeting.conditions.1.{member}", "MISSING_PARAMETER") for member in members
    ]


def test_conditions_are_bounded() -> None:
    assert _refused(targeting={"conditions": [PLATFORM] * (MAX_CONDITIONS + 1)}) == [
        ("targeting.conditions", "INVALID_PARAMETER")
    ]


def test_screens_made_with_a_flow_are_checked_one_by_one() -> None:
    fields = _refused(screens=[{"type": "welcome"}, {"type": "movie"}, {"name": "No type"}, "screen"])
    assert fields == [
        ("screens.1.type", "INVALID_PARAMETER"),
        ("screens.2.type", "MISSING_PARAMETER"),
        ("screens.3", "INVALID_PARAMETER"),
    ]


def test_a_flow_is_made_with_at_most_a_hundred_screens() -> None:
    assert _refused(screens=[{"type": "welcome"}] * 1001) == [("screens", "INVALID_PARAMETER")]


def test_screens_that_were_read_may_be_made_again() -> None:
    read = {"id": "screen_1", "type": "custom", "name": None, "order": 7, "content": {"a": 1}, "settings": {}}
    (screen,) = _create(screens=[read]).screens
    assert screen.new_members() == {"type": "custom", "name": None, "content": {"a": 1}, "settings": {}}


@pytest.mark.parametrize("member", ["name", "status", "priority", "targeting", "is_default"])
def test_patch_cannot_clear_required_members_of_a_flow(member: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        _update(**{member: None})
    assert [field for field, _ in _fields(caught.value)] == [member]


@given(buckets=st.integers(min_value=0, max_value=10_000))
def test_a_percentage_that_was_shown_is_accepted_and_means_the_same(buckets: int) -> None:
    body = parse_body(TargetingBody, orjson.dumps({"percentage": percentage_of(buckets)}))
    assert buckets_of(body.members()["percentage"]) == buckets


def test_a_whole_percentage_is_shown_as_an_integer() -> None:
    targetings = [TargetingView(percentage=percentage_of(buckets), conditions=[]) for buckets in (0, 10_000, 1234)]
    assert [targeting.model_dump_json() for targeting in targetings] == [
        f'{{"percentage":{percentage},"conditions":[]}}' for percentage in ("0", "100", "12.34")
    ]
