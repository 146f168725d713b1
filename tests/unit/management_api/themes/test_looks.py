"""Looks of themes: accepted values are kept as they are, other values are named."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import InvalidRequestError
from management_api.http.requests import parse_body
from management_api.themes.document import changed, columns_of
from management_api.themes.schemas import ThemeUpdateBody

#: Values that are accepted, and values with the field that the error names, by the path of a member.
ACCEPTED: dict[str, list[Any]] = {
    "appearance": ["auto", "light", "dark"],
    "background": [
        "#fff",
        {"gradient": ["#ff0000", "#00ff0080"]},
        {"gradient": ["#000", "#111", "#222", "#333"], "angle": -45.5},
        {"media_id": "media_1"},
        {"media_id": "media_1", "alt": "", "overlay": 0.25, "position": "50% 0%"},
        {"media_id": "media_1", "overlay": 1, "position": "left top"},
    ],
    "logo": ["https://shop.example/logo.svg", {"media_id": "media_1"}, {"media_id": "media_1", "alt": "Shop"}],
    "button": [
        {},
        {"style": "glass", "shape": "pill", "shadow": True, "height": 44},
        *({"style": style} for style in ("filled", "outline", "soft")),
        *({"shape": shape, "height": 64} for shape in ("rounded", "square")),
    ],
    "choice": ["card", "chip", "list", "image_grid"],
    "progress": ["bar", "steps", "dots", "none"],
    "transition": ["slide", "fade", "lift", "none"],
    "spacing": ["compact", "regular", "airy"],
    "typography": [
        {},
        {"align": "center", "letterSpacing": -0.05, "weights": {"heading": 800, "body": 450}, "own": {"kept": [1.0]}},
        {"align": "start", "letterSpacing": 0.1, "fontMediaId": "media_1", "headingFontMediaId": "media_2"},
    ],
    "colors": [{"primary": "#123", "dark": {"primary": "#abcdef", "own": "#000"}}, {"dark": {}}],
}
REFUSED: dict[str, list[tuple[Any, str]]] = {
    "appearance": [("system", "appearance"), (True, "appearance"), ("", "appearance")],
    "background": [
        ("red", "background"),
        ([], "background"),
        ("https://shop.example/a.png", "background"),
        ({}, "background.media_id"),
        ({"gradient": ["#fff"]}, "background.gradient"),
        ({"gradient": ["#fff"] * 5}, "background.gradient"),
        ({"gradient": ["#fff", "blue"]}, "background.gradient.1"),
        ({"gradient": ["#fff", "#000"], "angle": 361}, "background.angle"),
        ({"gradient": ["#fff", "#000"], "angle": "90"}, "background.angle"),
        ({"gradient": ["#fff", "#000"], "overlay": 0.5}, "background.overlay"),
        ({"media_id": 7}, "background.media_id"),
        ({"media_id": "media_1", "overlay": 1.1}, "background.overlay"),
        ({"media_id": "media_1", "overlay": True}, "background.overlay"),
        ({"media_id": "media_1", "position": "url(x)"}, "background.position"),
        ({"media_id": "media_1", "position": "101% 0%"}, "background.position"),
        ({"media_id": "media_1", "alt": "x" * 301}, "background.alt"),
        ({"media_id": "media_1", "angle": 5}, "background.angle"),
    ],
    "logo": [
        ("http://shop.example/logo.svg", "logo"),
        ("https://shop.example/a b", "logo"),
        (f"https://shop.example/{'a' * 2000}", "logo"),
        ({"alt": "Shop"}, "logo.media_id"),
        ({"media_id": ""}, "logo.media_id"),
        ({"media_id": "media_1", "overlay": 0}, "logo.overlay"),
    ],
    "button": [
        ("pill", "button"),
        ({"style": "flat"}, "button.style"),
        ({"shape": 4}, "button.shape"),
        ({"shadow": 1}, "button.shadow"),
        ({"shadow": None}, "button.shadow"),
        ({"height": 43}, "button.height"),
        ({"height": 65}, "button.height"),
        ({"height": 52.5}, "button.height"),
        ({"height": "52"}, "button.height"),
        ({"color": "#fff"}, "button.color"),
    ],
    "choice": [("cards", "choice"), ({}, "choice")],
    "progress": [("ring", "progress"), (0, "progress")],
    "transition": [("zoom", "transition"), (False, "transition")],
    "spacing": [("wide", "spacing"), (8, "spacing")],
    "typography": [
        ([], "typography"),
        ({"align": "end"}, "typography.align"),
        ({"align": None}, "typography.align"),
        ({"letterSpacing": 0.11}, "typography.letterSpacing"),
        ({"letterSpacing": -0.051}, "typography.letterSpacing"),
        ({"letterSpacing": "0.01em"}, "typography.letterSpacing"),
        ({"weights": 700}, "typography.weights"),
        ({"weights": {"heading": 99}}, "typography.weights.heading"),
        ({"weights": {"body": 901}}, "typography.weights.body"),
        ({"weights": {"body": "bold"}}, "typography.weights.body"),
        ({"weights": {"title": 700}}, "typography.weights.title"),
        ({"fontMediaId": None}, "typography.fontMediaId"),
        ({"headingFontMediaId": {"media_id": "media_1"}}, "typography.headingFontMediaId"),
    ],
    "colors": [
        ({"dark": "#000"}, "colors.dark"),
        ({"dark": {"primary": "black"}}, "colors.dark.primary"),
        ({"dark": {"dark": {}}}, "colors.dark.dark"),
        ({"dark": {f"c{n}": "#fff" for n in range(101)}}, "colors.dark"),
    ],
}


def parsed(member: str, value: object) -> dict[str, Any]:
    return parse_body(ThemeUpdateBody, orjson.dumps({member: value})).members()


@pytest.mark.parametrize(("member", "value"), [(name, value) for name, values in ACCEPTED.items() for value in values])
def test_known_look_is_kept_as_it_was_sent(member: str, value: object) -> None:
    kept = parsed(member, value)
    assert kept == {member: value}
    assert orjson.dumps(kept, option=orjson.OPT_SORT_KEYS) == orjson.dumps({member: value}, option=orjson.OPT_SORT_KEYS)


@pytest.mark.parametrize(("member", "value", "field"), [(name, *row) for name, rows in REFUSED.items() for row in rows])
def test_wrong_look_is_named(member: str, value: object, field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        parsed(member, value)
    assert [detail.field for detail in caught.value.details] == [field]


# A body with NUL is refused as a whole, before its members are read.
_TEXTS = st.text(st.characters(exclude_characters="\0"), max_size=8)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(member=st.sampled_from(sorted(ACCEPTED)), value=_JSON)
def test_any_look_is_kept_or_refused(member: str, value: object) -> None:
    try:
        kept = parsed(member, value)
    except InvalidRequestError as error:
        kept, named = {member: value}, {detail.field.split(".")[0] for detail in error.details}
    else:
        named = {member}
    assert (kept, named) == ({member: value}, {member})


@given(st.fixed_dictionaries({}, optional={name: st.sampled_from([*ACCEPTED[name], None]) for name in ACCEPTED}))
def test_null_unsets_a_look_and_leaves_the_others(members: dict[str, Any]) -> None:
    before = {"colors": {}, "typography": {}, "borderRadius": {}, "choice": "chip", "spacing": "airy"}
    columns = columns_of(changed(before, members))
    expected = {"choice": "chip", "spacing": "airy", **members}
    looks = {name: value for name, value in expected.items() if value is not None}
    stored = {name: value for name, value in looks.items() if name not in {"colors", "typography"}}
    dark = (members.get("colors") or {}).get("dark")
    assert columns["looks"] == (stored if dark is None else {**stored, "dark": dark})
