"""Bodies of themes: accepted values, rejected values, results."""

import orjson
import pytest

from common.errors import InvalidRequestError
from management_api.http.requests import parse_body
from management_api.themes.schemas import ThemeCreateBody, ThemeUpdateBody


def _create(**members: object) -> ThemeCreateBody:
    return parse_body(ThemeCreateBody, orjson.dumps({"projectId": "proj_1", "name": "Dark", **members}))


def _refused(**members: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRequestError) as caught:
        _create(**members)
    return [(detail.field, detail.code.value) for detail in caught.value.details]


@pytest.mark.parametrize("color", ["#fff", "#A1b2C3", "#11223344"])
def test_a_colour_is_css_hex(color: str) -> None:
    assert _create(colors={"primary": color}).members() == {"name": "Dark", "colors": {"primary": color}}


@pytest.mark.parametrize("color", ["fff", "#ffff", "#fffff", "#ggg", "red", "#fff\n", "", 255, None])
def test_malformed_colour_is_named_in_the_error(color: object) -> None:
    assert _refused(colors={"primary": "#fff", "accent": color}) == [("colors.accent", "INVALID_PARAMETER")]


@pytest.mark.parametrize(
    "colors", [{"": "#fff"}, {"x" * 65: "#fff"}, {"a\x01": "#fff"}, {f"c{n}": "#fff" for n in range(101)}, []]
)
def test_the_names_of_colours_are_bounded(colors: object) -> None:
    assert _refused(colors=colors) == [("colors", "INVALID_PARAMETER")]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("name", "x" * 51),
        ("name", ""),
        ("is_default", "yes"),
        ("typography", []),
        ("typography", {"a": "x" * 65_536}),
        ("borderRadius", 4),
        ("x", 1),
    ],
)
def test_a_bad_member_is_named(member: str, value: object) -> None:
    assert _refused(**{member: value}) == [(member, "INVALID_PARAMETER")]


def test_given_styles_override_the_base_theme() -> None:
    body = _create(based_on="theme_1", borderRadius={"card": 8})
    assert (body.based_on, body.members()) == ("theme_1", {"name": "Dark", "borderRadius": {"card": 8}})


def test_a_theme_that_was_read_may_be_put_back() -> None:
    body = parse_body(
        ThemeUpdateBody,
        orjson.dumps(
            {"id": "theme_1", "project_id": "proj_1", "name": "Light", "borderRadius": {}, "description": None}
        ),
    )
    assert body.members() == {"name": "Light", "borderRadius": {}, "description": None}


@pytest.mark.parametrize("member", ["name", "is_default", "colors", "typography", "borderRadius"])
def test_patch_cannot_clear_required_members_of_a_theme(member: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ThemeUpdateBody, orjson.dumps({member: None}))
    assert [detail.field for detail in caught.value.details] == [member]


def test_a_theme_is_not_based_on_another_afterwards() -> None:
    with pytest.raises(InvalidRequestError):
        parse_body(ThemeUpdateBody, b'{"based_on": "theme_1"}')
