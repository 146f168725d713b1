"""The checked members of a theme beside its colours, fonts and corners (media, section Looks)."""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from common.text import has_forbidden_characters
from management_api.http.backgrounds import Background, HexColor, MediaName, any_number
from management_api.http.fields import Either, IdText, Rule, field_error, one_of
from management_api.http.requests import RequestModel

MAX_COLORS = 100
MAX_COLOR_NAME_LENGTH = 64
MAX_URL_LENGTH = 2000
_HTTPS_ADDRESS = r"^https://[^\s\x00-\x1f\x7f]+$"
_DARK = "dark"
_OF_BACKGROUND = "A CSS hex colour, a gradient, or a media file with an overlay of the background's colour."


class Appearance(StrEnum):
    """The palette of a theme: that of the device, or always the same one."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class Align(StrEnum):
    """The alignment of texts."""

    START = "start"
    CENTER = "center"


class ButtonStyle(StrEnum):
    """The surface of a button."""

    FILLED = "filled"
    OUTLINE = "outline"
    SOFT = "soft"
    GLASS = "glass"


class ButtonShape(StrEnum):
    """The corners of a button."""

    ROUNDED = "rounded"
    PILL = "pill"
    SQUARE = "square"


class ChoiceStyle(StrEnum):
    """The form of the options of a question."""

    CARD = "card"
    CHIP = "chip"
    LIST = "list"
    IMAGE_GRID = "image_grid"


class ProgressStyle(StrEnum):
    """The form of the progress at the top."""

    BAR = "bar"
    STEPS = "steps"
    DOTS = "dots"
    NONE = "none"


class Transition(StrEnum):
    """The movement from one screen to the next."""

    SLIDE = "slide"
    FADE = "fade"
    LIFT = "lift"
    NONE = "none"


class Spacing(StrEnum):
    """The space between the parts of a screen."""

    COMPACT = "compact"
    REGULAR = "regular"
    AIRY = "airy"


def _names_are_bounded(value: object) -> object:
    if not isinstance(value, dict) or len(value.keys() - {_DARK}) > MAX_COLORS:
        raise field_error(f"must be an object of at most {MAX_COLORS} colours")
    if any(not 0 < len(name) <= MAX_COLOR_NAME_LENGTH or has_forbidden_characters(name) for name in value):
        raise field_error(f"must have names of 1 to {MAX_COLOR_NAME_LENGTH} characters, without control characters")
    return value


_COLOR_NAMES = {"minLength": 1, "maxLength": MAX_COLOR_NAME_LENGTH, "pattern": r"^[^\x00-\x08\x0b-\x1f]*$"}
_OF_NAMES = {"propertyNames": _COLOR_NAMES, "maxProperties": MAX_COLORS}


class Palettes(RequestModel):
    """CSS hex colours by their names, and in `dark` those of dark devices."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, HexColor]

    dark: Annotated[dict[str, HexColor], Rule(_names_are_bounded, _OF_NAMES)] = Field(default_factory=dict)


Colors = Annotated[Palettes, Rule(_names_are_bounded, {"propertyNames": _COLOR_NAMES, "maxProperties": MAX_COLORS + 1})]


class Weights(RequestModel):
    """The weights of texts, as in CSS."""

    heading: Annotated[Any, any_number(100, 900, is_whole=True)] = None
    body: Annotated[Any, any_number(100, 900, is_whole=True)] = None


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


class Typography(RequestModel):
    """Fonts and sizes of texts. Further members are stored and sent to apps."""

    model_config = ConfigDict(extra="allow")

    align: Annotated[Align, one_of(Align)] = Align.START
    letterSpacing: Annotated[Any, any_number(-0.05, 0.1)] = 0  # noqa: N815 - the contract spells it so
    weights: Weights = Field(default_factory=Weights)
    # An empty id, which is never stored, is no default of the interface.
    fontMediaId: IdText = Field(default="", json_schema_extra=_without_default)  # noqa: N815 - the contract spells it so
    headingFontMediaId: IdText = Field(default="", json_schema_extra=_without_default)  # noqa: N815


class Button(RequestModel):
    """The look of buttons; the height is in CSS pixels."""

    style: Annotated[ButtonStyle, one_of(ButtonStyle)] = ButtonStyle.FILLED
    shape: Annotated[ButtonShape, one_of(ButtonShape)] = ButtonShape.ROUNDED
    shadow: bool = False
    height: Annotated[Any, any_number(44, 64, is_whole=True)] = 52


def _logo_address(value: object) -> object:
    if not isinstance(value, str) or len(value) > MAX_URL_LENGTH or not re.fullmatch(_HTTPS_ADDRESS, value):
        raise field_error('must be an https address, or {"media_id": ...}')
    return value


LogoAddress = Annotated[str, Rule(_logo_address, {"pattern": _HTTPS_ADDRESS, "maxLength": MAX_URL_LENGTH})]
Logo = Annotated[
    Any,
    Either(lambda value: "file" if isinstance(value, dict) else "address", file=MediaName, address=LogoAddress),
]


class Looks(RequestModel):
    """The members of a theme that are absent where they are not set; null unsets one."""

    appearance: Annotated[Appearance, one_of(Appearance)] | None = None
    background: Background | None = Field(
        default=None, examples=[{"gradient": ["#ffd1dc", "#c1d8ff"], "angle": 160}], description=_OF_BACKGROUND
    )
    logo: Logo | None = None
    button: Button | None = None
    choice: Annotated[ChoiceStyle, one_of(ChoiceStyle)] | None = None
    progress: Annotated[ProgressStyle, one_of(ProgressStyle)] | None = None
    transition: Annotated[Transition, one_of(Transition)] | None = None
    spacing: Annotated[Spacing, one_of(Spacing)] | None = None
