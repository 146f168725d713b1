"""The settings of screens that hosted pages read (media, Looks). Further members are for apps, and free."""

from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from management_api.http.backgrounds import Background, any_number
from management_api.http.fields import JsonObject, Rule, one_of
from management_api.http.requests import RequestModel

#: The longest time that a page waits by itself.
MAX_WAIT_SECONDS = 30
#: The longest time that a page gives the app to let a screen pass.
MAX_AWAIT_SECONDS = 15


class ScreenLayout(StrEnum):
    """The arrangement of a screen."""

    STANDARD = "standard"
    HERO = "hero"
    COVER = "cover"
    SPLIT_TOP = "split_top"
    CENTERED = "centered"


class AwaitDefault(StrEnum):
    """What happens if the app does not answer in time."""

    NEXT = "next"
    STAY = "stay"


class NativeFallback(StrEnum):
    """What stands in place of a native screen that the app does not draw."""

    SKIP = "skip"
    STOP = "stop"
    SCREEN = "screen"


class KnownSettings(RequestModel):
    """Settings of a screen. Further members are free; a known one that is null is absent."""

    model_config = ConfigDict(extra="allow")

    layout: Annotated[ScreenLayout, one_of(ScreenLayout)] | None = Field(
        default=None,
        description="Where the picture and the texts stand. `standard`: one below the other. `hero`: the picture fills "
        "the upper half. `cover`: it fills the screen, with the texts on a scrim. `split_top`: it stands on a panel "
        "above the texts. `centered`: all in the middle.",
    )
    auto_advance: bool | None = Field(
        default=None,
        description="A single choice goes on by itself when an option is pressed. Arrow keys alone only choose.",
    )
    background: Background | None = Field(
        default=None,
        description="A hex colour, `{gradient, angle}` with 2 to 4 hex colours, or `{media_id, overlay, position}`.",
    )
    delay_seconds: Annotated[float, any_number(0, MAX_WAIT_SECONDS)] | None = Field(
        default=None, description="The buttons are shown only after so many seconds, from 0 to 30."
    )
    auto_advance_seconds: Annotated[float, any_number(0, MAX_WAIT_SECONDS)] | None = Field(
        default=None,
        description="The screen is completed by itself after so many seconds, from 0 to 30. 0: it stays. A question "
        "waits for its answer.",
    )
    await_app: bool | None = Field(
        default=None,
        description="The app is asked before the flow goes on: its step hook lets the screen pass, or not.",
    )
    await_seconds: Annotated[float, any_number(0, MAX_AWAIT_SECONDS)] | None = Field(
        default=None, description="So long the app may take to answer, from 0 to 15 seconds. 3 without it."
    )
    await_default: Annotated[AwaitDefault, one_of(AwaitDefault)] | None = Field(
        default=None, description="What happens if the app does not answer in time. `next` without it."
    )
    required: bool | None = Field(
        default=None,
        description="Only an answer of the app lets the screen pass: no time, no error, no missing function, and no "
        "Skip. A browser without the app waits. It outranks `await_default` and `fallback`.",
    )
    fallback: Annotated[NativeFallback, one_of(NativeFallback)] | None = Field(
        default=None,
        description="What stands in place of a native screen without an app that draws it. `skip`, also without it: it "
        "is passed over. `stop`: the flow waits and says so. `screen`: its own title, text and button.",
    )


class _Known(Rule):
    """Annotates an object that has these settings."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the settings."""
        return {**handler(KnownSettings.__pydantic_core_schema__), **self.schema}


def _without_null(value: object) -> object:
    """Return settings as they are stored. Raises ValidationError by pydantic."""
    if not isinstance(value, dict):
        return value
    KnownSettings.model_validate(value)
    known = KnownSettings.model_fields
    return {name: member for name, member in value.items() if member is not None or name not in known}


ScreenSettings = Annotated[JsonObject, _Known(_without_null)]
