"""The background of a theme and of a screen: a colour, a gradient, or a media file (media, Looks)."""

import re
from typing import Annotated, Any

from pydantic import Field

from management_api.http.fields import REQUIRED, Either, IdText, Rule, field_error, list_up_to, text_between
from management_api.http.requests import RequestModel
from management_api.media.references import MAX_ALT_LENGTH

_HEX_COLOR = re.compile(r"^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$")
_PERCENT = r"(?:100|[1-9]?[0-9])%"
_ALONG = rf"(?:left|center|right|{_PERCENT})"
_DOWN = rf"(?:top|center|bottom|{_PERCENT})"
_POSITION = re.compile(rf"^(?:{_ALONG}|{_DOWN}|{_ALONG} {_DOWN}|(?:top|center|bottom) (?:left|center|right))$")


def any_number(lowest: float, highest: float, *, is_whole: bool = False) -> Rule:
    """Return the rule of a number that is stored as it was sent."""
    words = f"must be a {'whole ' if is_whole else ''}number from {lowest:g} to {highest:g}"

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
            raise field_error(words)
        if is_whole and value != int(value):
            raise field_error(words)
        return value

    kind = "integer" if is_whole else "number"
    return Rule(check, {"type": kind, "minimum": lowest, "maximum": highest})


def _hex_color(value: object) -> object:
    if not isinstance(value, str) or not _HEX_COLOR.fullmatch(value):
        raise field_error("must be a CSS hex colour: #rgb, #rrggbb or #rrggbbaa")
    return value


def _position(value: object) -> object:
    if not isinstance(value, str) or not _POSITION.fullmatch(value):
        raise field_error("must be a place as in CSS: words such as `left top`, or percentages such as `50% 20%`")
    return value


HexColor = Annotated[str, Rule(_hex_color, {"pattern": _HEX_COLOR.pattern})]


class MediaName(RequestModel):
    """A media file of the project, with an alternative text of its own if the file's own one does not fit."""

    media_id: Annotated[IdText, REQUIRED]
    alt: Annotated[str, text_between(0, MAX_ALT_LENGTH)] = ""


class Gradient(RequestModel):
    """A gradient along a line; the angle is in degrees as in CSS: 0 leads up, 90 to the right."""

    gradient: Annotated[list[HexColor], Field(min_length=2), list_up_to(4)]
    angle: Annotated[Any, any_number(-360, 360)] = 180


class BackgroundPicture(MediaName):
    """A picture behind the texts. `overlay` is the share of the page's colour that lies on it."""

    overlay: Annotated[Any, any_number(0, 1)] = 0
    position: Annotated[str, Rule(_position, {"pattern": _POSITION.pattern})] = "center"


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "gradient" if "gradient" in value else "picture"
    return "color"


#: `{media_id}` is checked again with the database, by `check_references`.
Background = Annotated[Any, Either(_kind, color=HexColor, gradient=Gradient, picture=BackgroundPicture)]
