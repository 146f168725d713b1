"""Settings of screens: accepted values, rejected values, and null in place of a value."""

import orjson
import pytest
from pydantic import TypeAdapter

from common.errors import InvalidRequestError
from management_api.http.requests import parse_body
from management_api.screens.schemas import ScreenCreateBody
from management_api.screens.settings import ScreenSettings

_SETTINGS = TypeAdapter[dict[str, object]](ScreenSettings)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"skippable": True, "background_color": None, "own": [1]},
        *({"layout": layout} for layout in ("standard", "hero", "cover", "split_top", "centered")),
        {"delay_seconds": 0, "auto_advance_seconds": 30},
        {"delay_seconds": 1.5},
        {"await_app": True, "await_seconds": 15, "await_default": "stay", "required": True, "fallback": "stop"},
        {"auto_advance": True},
        {"auto_advance": False},
        {"background": "#fff"},
        {"background": "#0b0b0fcc"},
        {"background": {"gradient": ["#fff", "#000000"], "angle": -45.5}},
        {"background": {"gradient": ["#fff", "#000", "#123", "#456"]}},
        {"background": {"media_id": "media_1", "alt": "Hills", "overlay": 0.4, "position": "center 20%"}},
    ],
)
def test_settings_are_stored_as_they_are_written(settings: dict[str, object]) -> None:
    assert _SETTINGS.validate_python(settings) == settings


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("layout", "grid"),
        ("layout", ["hero"]),
        ("delay_seconds", -1),
        ("delay_seconds", "3"),
        ("auto_advance_seconds", 30.5),
        ("auto_advance_seconds", True),
        ("await_app", 1),
        ("await_seconds", 15.1),
        ("await_default", "skip"),
        ("required", "yes"),
        ("fallback", "next"),
        ("auto_advance", "true"),
        ("auto_advance", 1),
        ("background", "red"),
        ("background", "http://pictures.example/a.jpg"),
        ("background", 5),
        ("background.media_id", {}),
        ("background.gradient", {"gradient": ["#fff"]}),
        ("background.gradient", {"gradient": ["#fff"] * 5}),
        ("background.gradient.1", {"gradient": ["#fff", "red"]}),
        ("background.angle", {"gradient": ["#fff", "#000"], "angle": "45deg"}),
        ("background.overlay", {"gradient": ["#fff", "#000"], "overlay": 0.5}),
        ("background.overlay", {"media_id": "media_1", "overlay": 1.1}),
        ("background.overlay", {"media_id": "media_1", "overlay": True}),
        ("background.position", {"media_id": "media_1", "position": "url(x)"}),
    ],
)
def test_wrong_setting_is_named(place: str, value: object) -> None:
    body = {"flowId": "flow_1", "type": "welcome", "settings": {place.partition(".")[0]: value}}
    with pytest.raises(InvalidRequestError) as caught:
        parse_body(ScreenCreateBody, orjson.dumps(body))
    assert [detail.field for detail in caught.value.details] == [f"settings.{place}"]


def test_known_setting_of_null_is_absent() -> None:
    settings = {"layout": None, "background": None, "delay_seconds": None, "auto_advance": None, "own": None}
    assert _SETTINGS.validate_python(settings) == {"own": None}
