"""What the edge answers, as types: the bytes that the publisher finishes, and its own (contract, section 4)."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from management_api.db.models.flows import ScreenType

Version = Annotated[int, Meta(ge=0, description="The revision of the configuration; it never goes backwards.")]
Platform = Literal["ios", "android"]
ScreenKind = Annotated[str, Meta(extra_json_schema={"enum": [kind.value for kind in ScreenType]})]
Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class PublicModel(msgspec.Struct, kw_only=True, rename="camel"):
    """Base of what is answered: camelCase, no envelope."""


class PublicScreen(PublicModel):
    """A screen of a flow."""

    id: str
    type: ScreenKind
    name: str | None
    order: int
    content: dict[str, Any]
    settings: dict[str, Any]


class PublicTheme(PublicModel):
    """How a flow looks. `colors` are CSS hex colours by name."""

    id: str
    name: str
    colors: dict[str, str]
    typography: dict[str, Any]
    border_radius: dict[str, Any]


class ConfiguredTheme(PublicTheme):
    """A theme of the project."""

    is_default: bool


class ResolvedFlow(PublicModel):
    """The flow to show."""

    id: str
    name: str
    theme: PublicTheme | None
    screens: list[PublicScreen]


class Assignment(PublicModel):
    """Why this flow: the rule that chose it. Send `token` back as `assignmentToken` to keep a variant."""

    source: Literal["override", "experiment", "targeting", "default"]
    experiment_id: str | None
    variant: str | None
    token: str | None


class Resolution(PublicModel):
    """The answer of a resolve."""

    flow_id: str
    project_id: str
    flow: ResolvedFlow
    assignment: Assignment
    config_version: Version


class ConfiguredSettings(PublicModel):
    """The settings of the project."""

    platforms: list[Platform]
    default_flow_id: str | None
    analytics_enabled: bool
    custom_domain: str | None


class ConfiguredCondition(PublicModel, omit_defaults=True):
    """A targeting condition; `exists` and `not_exists` have no value."""

    attribute: str
    operator: str
    value: Any = None


class ConfiguredTargeting(PublicModel):
    """Whom a flow is for: all conditions must hold, and the device's bucket must be inside the percentage."""

    percentage: Annotated[float, Meta(ge=0, le=100)]
    conditions: list[ConfiguredCondition]


class ConfiguredFlow(PublicModel):
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
    screens: list[PublicScreen]
    created_at: Timestamp


class ConfiguredAudience(PublicModel):
    """Whom an experiment is for: devices for which all conditions hold."""

    conditions: list[dict[str, Any]]


class ConfiguredVariant(PublicModel):
    """A variant; its ranges of buckets are half open: from the first up to, but without, the second."""

    key: str
    name: str
    flow_id: str
    is_control: bool
    weight: int
    ranges: list[tuple[int, int]]


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
    themes: list[ConfiguredTheme]
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
    """An event that was refused, and why; the others of the batch are not touched by it."""

    status: Literal["rejected"]
    code: str
    error: str


class BatchReceipt(PublicModel, omit_defaults=True):
    """What became of each event, in the order sent. `recorded: false`: the project's analytics are turned off."""

    success: Literal[True]
    accepted: Annotated[int, Meta(ge=0)]
    rejected: Annotated[int, Meta(ge=0)]
    results: list[dict[str, Any]]
    recorded: Literal[False] | msgspec.UnsetType = msgspec.UNSET
