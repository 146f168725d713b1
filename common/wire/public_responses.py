"""Responses of the public endpoints (contract, section 4).

The publisher writes the bytes of a resolution and of a configuration from these types. The edge writes the receipts of
events itself; their types are for the OpenAPI document.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from common.rules.resolution import Source

Version = Annotated[int, Meta(ge=0, description="The revision of the configuration; it never goes backwards.")]
Platform = Annotated[str, Meta(extra_json_schema={"enum": ["ios", "android"]})]
Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
#: Members of screens and flows that are left out where they are empty, so that a flow without logic or translations has
#: no trace of them.
OPTIONAL_MEMBERS = frozenset({"show_if", "next", "variables", "localizations"})
#: A condition as management stores it, and as its own responses show it.
Condition = dict[str, Any]


class ScreenType(StrEnum):
    """The type of a screen."""

    WELCOME = "welcome"
    FEATURE = "feature"
    PERMISSIONS = "permissions"
    SIGNUP = "signup"
    QUESTION_TEXT = "question_text"
    QUESTION_SINGLE_CHOICE = "question_single_choice"
    QUESTION_MULTIPLE_CHOICE = "question_multiple_choice"
    QUESTION_PICKER = "question_picker"
    PAYWALL = "paywall"
    LOADING = "loading"
    SUMMARY = "summary"
    SOCIAL_PROOF = "social_proof"
    COMPARISON = "comparison"
    CONSENT = "consent"
    NATIVE = "native"
    CUSTOM = "custom"


class PublicModel(msgspec.Struct, kw_only=True, rename="camel"):
    """Base of the responses: camelCase members, no envelope."""


class PublicRule(PublicModel):
    """A rule that leads from a screen to a later one; `goTo` is its id, or `end`."""

    id: str
    when: list[Condition]
    go_to: str


class PublicVariable(PublicModel):
    """A value that the client computes (docs/logic.md)."""

    name: str
    formula: str


class PublicScreen(PublicModel, omit_defaults=True):
    """A screen of a flow. `showIf`, `next` and `localizations` are left out where they are empty.

    The configuration has `localizations`: texts by locale and by the JSON pointer of the base text in `content`. A
    resolution has the texts of one locale in `content`.
    """

    id: str
    type: ScreenType
    name: str | None
    order: int
    content: dict[str, Any]
    settings: dict[str, Any]
    show_if: list[Condition] = []
    next: list[PublicRule] = []
    localizations: dict[str, dict[str, str]] = {}


#: Members of a project with more than one locale.
Direction = Annotated[str, Meta(extra_json_schema={"enum": ["ltr", "rtl"]})] | msgspec.UnsetType
Locale = str | msgspec.UnsetType
#: A member of a theme that is left out where it is not set.
Look = dict[str, Any] | msgspec.UnsetType
LookWord = str | msgspec.UnsetType


class PublicTheme(PublicModel, kw_only=True, omit_defaults=True):
    """The theme of a flow. `colors` are CSS hex colours by name; `dark` in it has those of dark devices.

    Looks that are not set are left out.
    """

    id: str
    name: str
    colors: dict[str, str | dict[str, str]]
    typography: dict[str, Any]
    border_radius: dict[str, Any]
    appearance: LookWord = msgspec.UNSET
    background: str | Look = msgspec.UNSET
    logo: str | Look = msgspec.UNSET
    button: Look = msgspec.UNSET
    choice: LookWord = msgspec.UNSET
    progress: LookWord = msgspec.UNSET
    transition: LookWord = msgspec.UNSET
    spacing: LookWord = msgspec.UNSET


class ConfiguredTheme(PublicTheme, kw_only=True, omit_defaults=True):
    """A theme of the project."""

    is_default: bool


class ResolvedFlow(PublicModel, omit_defaults=True):
    """The flow to show. `variables` are left out where there are none.

    A project with more than one locale has the `locale` of the texts, and its `direction`.
    """

    id: str
    name: str
    theme: PublicTheme | None
    screens: tuple[PublicScreen, ...]
    variables: tuple[PublicVariable, ...] = ()
    locale: Locale = msgspec.UNSET
    direction: Direction = msgspec.UNSET


class Assignment(PublicModel):
    """The rule that chose the flow. Send `token` back as `assignmentToken` to keep a variant."""

    source: Source
    experiment_id: str | None
    variant: str | None
    token: str | None


class Resolution(PublicModel, omit_defaults=True):
    """The response of a resolve. A project with more than one locale has the one that the device's `locale` matches."""

    flow_id: str
    project_id: str
    flow: ResolvedFlow
    assignment: Assignment
    config_version: Version
    locale: Locale = msgspec.UNSET


class ConfiguredSettings(PublicModel, omit_defaults=True):
    """The settings of the project. A project with more than one locale has them, the default first, and the aliases.

    An alias is a tag that leads to a locale of the project. `recordAnswers` is true where events may have answers, else
    left out.
    """

    platforms: tuple[Platform, ...]
    default_flow_id: str | None
    analytics_enabled: bool
    custom_domain: str | None
    record_answers: Literal[True] | msgspec.UnsetType = msgspec.UNSET
    default_locale: Locale = msgspec.UNSET
    locales: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    locale_aliases: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class ConfiguredTargeting(PublicModel):
    """The devices of a flow: all conditions must hold, and the device's bucket must be inside the percentage."""

    percentage: Annotated[float, Meta(ge=0, le=100)]
    conditions: list[Condition]


class ConfiguredFlow(PublicModel, omit_defaults=True):
    """A flow that a device can get.

    Active flows are in the order of their priority. The flows with a condition or with a percentage below 100 are
    evaluated first, then the one with `isDefault`, then the other active ones. Flows of another status belong to
    variants of experiments.
    """

    id: str
    name: str
    status: str
    is_default: bool
    priority: int
    theme_id: str | None
    targeting: ConfiguredTargeting
    screens: tuple[PublicScreen, ...]
    created_at: Timestamp
    variables: tuple[PublicVariable, ...] = ()


class ConfiguredAudience(PublicModel):
    """The devices of an experiment: those for which all conditions hold."""

    conditions: list[Condition]


class ConfiguredVariant(PublicModel):
    """A variant; its ranges of buckets are half open: from the first up to, but without, the second."""

    key: str
    name: str
    flow_id: str
    is_control: bool
    weight: int
    ranges: tuple[tuple[int, int], ...]


class ConfiguredExperiment(PublicModel):
    """An experiment that is running, or paused, when only devices that are in it already have a variant.

    A device of the audience takes part when its bucket under `trafficSalt` is below `trafficPercentage` x 100; its
    bucket under `variantSalt` lies in the ranges of its variant.
    """

    id: str
    name: str
    status: Literal["running", "paused"]
    started_at: Timestamp
    audience: ConfiguredAudience
    traffic_percentage: float
    traffic_salt: str
    variant_salt: str
    primary_event: str
    variants: list[ConfiguredVariant]


class Configuration(PublicModel):
    """Everything that an SDK needs to resolve by itself while it is offline."""

    project_id: str
    name: str
    settings: ConfiguredSettings
    flows: list[ConfiguredFlow]
    themes: tuple[ConfiguredTheme, ...]
    experiments: list[ConfiguredExperiment]
    config_version: Version


class EventReceipt(PublicModel):
    """The event is durable. The same `eventId` again within 7 days is counted once."""

    success: Literal[True]
    event_id: str


class UnrecordedEvent(EventReceipt):
    """The event was valid, but the project has its analytics turned off."""

    recorded: Literal[False]


class AcceptedEvent(PublicModel):
    """An event that is durable."""

    event_id: str
    status: Literal["accepted"]


class RejectedEvent(PublicModel):
    """An event that was rejected, and the reason; the others of the batch are not touched by it."""

    status: Literal["rejected"]
    code: str
    error: str


class BatchReceipt(PublicModel, omit_defaults=True):
    """The result of each event, in the order sent. `recorded: false`: the project's analytics are turned off."""

    success: Literal[True]
    accepted: Annotated[int, Meta(ge=0)]
    rejected: Annotated[int, Meta(ge=0)]
    results: list[dict[str, Any]]
    recorded: Literal[False] | msgspec.UnsetType = msgspec.UNSET
