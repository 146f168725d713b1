"""Experiments, results and explanations in requests and responses (contract, sections 3 and 5)."""

import math
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from common.rules.resolution import Rule as EvaluatedRule
from common.rules.resolution import Source
from management_api.db.models.experiments import ExperimentStatus
from management_api.flows.targeting import Conditions, ConditionView, Percentage, percentage_of
from management_api.http.fields import (
    REQUIRED,
    EventTypeText,
    IdText,
    Rule,
    SearchText,
    field_error,
    one_of,
    text_between,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel, resolve_alias
from management_api.http.responses import Count, ETagModel, Fraction, ResponseModel, Timestamp, is_none

MIN_VARIANTS, MAX_VARIANTS = 2, 10
FULL_PERCENTAGE = 100
MAX_NUMBER_LENGTH = 20

VariantKey = Annotated[str, text_between(1, 64)]
VariantName = Annotated[str, text_between(1, 100)]


class VariantBody(RequestModel):
    """One variant; without a name it is shown by its key."""

    key: Annotated[VariantKey, REQUIRED]
    name: VariantName | None = None
    flow_id: Annotated[IdText, REQUIRED]
    weight: Annotated[int, whole_number_between(0, FULL_PERCENTAGE), REQUIRED]
    is_control: bool = False

    @model_validator(mode="before")
    @classmethod
    def _resolve_alias(cls, variant: object) -> object:
        return resolve_alias(variant, "flowId", "flow_id")

    def members(self) -> dict[str, Any]:
        """Return the members of the variant in the form that the database has, without buckets."""
        return self.model_dump() | {"name": self.name or self.key}


def _check_count(value: object) -> object:
    if not isinstance(value, list) or not MIN_VARIANTS <= len(value) <= MAX_VARIANTS:
        raise field_error(f"must be an array of {MIN_VARIANTS} to {MAX_VARIANTS} variants")
    return value


def _check_variants(variants: list[VariantBody]) -> list[VariantBody]:
    if len({variant.key for variant in variants}) < len(variants):
        raise field_error("must have a different key each")
    if sum(variant.weight for variant in variants) != FULL_PERCENTAGE:
        raise field_error(f"must have weights that sum to {FULL_PERCENTAGE}")
    if sum(variant.is_control for variant in variants) != 1:
        raise field_error("must have exactly one that is_control")
    return variants


_VARIANTS_EXAMPLE = [
    {
        "key": "control",
        "name": "As it is",
        "flow_id": "flow_01h455vb4pex5vsknk084sn02q",
        "weight": 50,
        "is_control": True,
    },
    {"key": "short", "name": "Shorter", "flow_id": "flow_01h455vb4pex5vsknk084sn02r", "weight": 50},
]
Variants = Annotated[
    list[VariantBody],
    Rule(_check_count, {"minItems": MIN_VARIANTS, "maxItems": MAX_VARIANTS}),
    AfterValidator(_check_variants),
    Field(examples=[_VARIANTS_EXAMPLE]),
]


class VariantView(ResponseModel):
    """A variant of an experiment."""

    key: str
    name: str
    flow_id: str
    weight: int = Field(ge=0, le=FULL_PERCENTAGE, description="Per cent; the weights of all variants sum to 100.")
    is_control: bool


ExperimentName = Annotated[str, text_between(1, 100)]
Hypothesis = Annotated[str, text_between(0, 1000)]
DEFAULT_PRIMARY_EVENT = "flow_completed"


class ExperimentPart(StrEnum):
    """The members of listed experiments that are left out unless they are requested."""

    USERS = "users"


class ExperimentListQuery(PageQuery):
    """GET /experiments."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    status: Annotated[ExperimentStatus, one_of(ExperimentStatus)] | None = None
    search: SearchText | None = Field(default=None, description="A part of the name.")
    include: Annotated[ExperimentPart, one_of(ExperimentPart)] | None = Field(
        default=None, description="`users`: each experiment has `users` too."
    )


def _percent(lowest: float, highest: float) -> Rule:
    """Return the rule of a number in a query."""

    def check(value: object) -> float:
        try:
            number = float(str(value)) if str(value).isascii() and len(str(value)) <= MAX_NUMBER_LENGTH else math.nan
        except ValueError:
            number = math.nan
        if not lowest <= number <= highest:
            raise field_error(f"must be a number from {lowest:g} to {highest:g}")
        return number

    return Rule(check, {"minimum": lowest, "maximum": highest})


class EstimateQuery(RequestModel):
    """GET /experiments/estimate."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    primary_event: EventTypeText = DEFAULT_PRIMARY_EVENT
    traffic_percentage: Annotated[float, _percent(0, FULL_PERCENTAGE)] = Field(
        default=FULL_PERCENTAGE, description="The share of the users that takes part."
    )
    smallest_weight: Annotated[float, _percent(0, FULL_PERCENTAGE)] = Field(
        default=50, description="The weight of the variant with the fewest users."
    )
    lift_percentage: Annotated[float, _percent(0.1, 1000)] = Field(
        default=10, description="The smallest relative lift that the experiment should find."
    )

    @property
    def lift(self) -> float:
        """The lift as a fraction."""
        return self.lift_percentage / FULL_PERCENTAGE


class ResultsPart(StrEnum):
    """The parts of results that are left out unless they are requested."""

    SERIES = "series"


class ResultsQuery(RequestModel):
    """GET /experiments/{experiment_id}/results."""

    include: Annotated[ResultsPart, one_of(ResultsPart)] | None = Field(
        default=None, description="`series`: `days` too, the users and conversions by the day of the first exposure."
    )


class AudienceBody(RequestModel):
    """The devices of an experiment: those for which all conditions hold."""

    conditions: Conditions = Field(default_factory=list)


class ExperimentMembers(RequestModel):
    """The members that POST and PUT share."""

    hypothesis: Hypothesis | None = Field(default=None, examples=["With fewer screens more users complete the flow"])
    audience: AudienceBody = Field(
        default=AudienceBody(),
        examples=[{"conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}]}],
    )
    traffic_percentage: Percentage = Field(default=100.0, examples=[50])
    primary_event: EventTypeText = DEFAULT_PRIMARY_EVENT


class ExperimentCreateBody(ExperimentMembers):
    """POST /experiments."""

    aliases: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}
    read_only = frozenset({"status", "winner", "started_at", "ended_at"})

    project_id: Annotated[IdText, REQUIRED] = Field(examples=["proj_01h455vb4pex5vsknk084sn02q"])
    name: Annotated[ExperimentName, REQUIRED] = Field(examples=["Shorter"])
    variants: Annotated[Variants, REQUIRED]


class ExperimentUpdateBody(ExperimentMembers):
    """PUT /experiments/{experiment_id}; absent members stay as they are."""

    read_only = frozenset({"status", "winner", "started_at", "ended_at", "project_id", "projectId"})

    name: Annotated[ExperimentName, REQUIRED] = ""
    variants: Annotated[Variants, REQUIRED] = Field(default_factory=list)
    reset_assignments: bool = False


class ExperimentCompleteBody(RequestModel):
    """POST /experiments/{experiment_id}/complete; the body may be left out."""

    winner: VariantKey | None = Field(default=None, examples=["short"])


class AudienceView(ResponseModel):
    """The audience of an experiment."""

    conditions: Sequence[ConditionView]
    conditions_omitted: bool | None = Field(
        default=None,
        exclude_if=is_none,
        description="True in a list that leaves out large conditions: read the experiment by its id.",
    )


def _audience(conditions: object) -> dict[str, object]:
    return {"conditions": [], "conditions_omitted": True} if conditions is None else {"conditions": conditions}


class ExperimentView(ETagModel):
    """An experiment."""

    id: str
    project_id: str
    name: str
    hypothesis: str | None
    status: ExperimentStatus = Field(
        description="Devices enter running experiments only; paused ones keep devices that send their token."
    )
    audience: Annotated[AudienceView, BeforeValidator(_audience)] = Field(validation_alias="conditions")
    traffic_percentage: Annotated[int | float, BeforeValidator(percentage_of)] = Field(
        validation_alias="traffic_buckets",
        json_schema_extra={"minimum": 0, "maximum": 100},
        description="The share of the audience that takes part, in per cent; raising it moves no device that does.",
    )
    variants: Sequence[VariantView]
    primary_event: str = Field(description="The event type that counts as a conversion.")
    winner: str | None = Field(description="The key of the variant whose flow became the default; null without one.")
    started_at: Timestamp | None = Field(description="The time of the first start; null for a draft.")
    ended_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class ListedExperimentView(ExperimentView):
    """An experiment, with `include=users` also the number of its users."""

    users: Count | None = Field(
        default=None,
        exclude_if=is_none,
        description="Devices that were given a variant, or several; with `include=users`.",
    )


class SampleRatioView(ResponseModel):
    """The check that users are distributed by the weights."""

    p_value: Fraction | None = Field(
        description="Chi-square test of the users against the weights; null below 100 users."
    )
    mismatch: bool = Field(description="Whether `p_value` is below 0.001: then the results cannot be trusted.")


class VariantResultView(ResponseModel):
    """The results of one variant; comparisons of the control with itself, and rates of no users, are null."""

    key: str
    is_control: bool
    users: Count = Field(description="Devices with an exposure to this variant and to no other.")
    conversions: Count = Field(
        description="Users with an event of the experiment's primary_event at or after their exposure."
    )
    rate: Fraction | None = Field(description="Conversions per user.")
    rate_interval: tuple[float, float] | None = Field(description="Low and high end of the 95 % interval (Wilson).")
    lift: float | None = Field(
        description="The rate divided by that of the control, minus 1; null without conversions of the control."
    )
    lift_interval: tuple[float, float] | None = Field(
        description="Low and high end of the 95 % interval (Koopman's score interval)."
    )
    p_value: Fraction | None = Field(
        description="Two-sided z-test of two proportions: valid for one look at a time chosen beforehand."
    )
    sequential_p_value: Fraction | None = Field(
        description="Valid at every look, however many, and for all variants together."
    )
    probability_to_beat_control: Fraction | None = Field(
        description="The probability that the true rate is above that of the control (Beta-Binomial, uniform priors)."
    )


class VariantDayView(ResponseModel):
    """The users of a variant who were first exposed on one day, and how many of them have converted since."""

    key: str
    users: Count
    conversions: Count


class ResultDayView(ResponseModel):
    """The results of the users of one day."""

    date: date
    variants: Sequence[VariantDayView]


class ExperimentResultsView(ResponseModel):
    """The results of an experiment; the variants are in its own order."""

    experiment_id: str
    status: ExperimentStatus
    primary_event: str
    users: Count = Field(description="Devices with exposures to exactly one variant.")
    excluded_multiple_variants: Count = Field(
        description="Devices with exposures to several variants; they are left out elsewhere."
    )
    srm: SampleRatioView
    variants: Sequence[VariantResultView]
    days: Sequence[ResultDayView] | None = Field(
        default=None, exclude_if=is_none, description="Days with users, ascending; with `include=series`."
    )


class EstimateView(ResponseModel):
    """The users and days that an experiment needs, by the last 28 days of the project."""

    users_per_day: float = Field(ge=0, description="The distinct users of these days, divided by their number.")
    baseline_rate: Fraction | None = Field(
        description="The share of these users with the primary event; null without users."
    )
    users_per_variant: int | None = Field(
        description="For a power of 80 % at the level of 5 %; null where no number of users is enough."
    )
    days: int | None = Field(description="Until the variant with the fewest users has so many; null without users.")


class StepView(ResponseModel):
    """A rule that was evaluated, and its result."""

    rule: EvaluatedRule
    id: str | None
    matched: bool = Field(description="Whether the rule chose the flow.")
    reason: str = Field(description="The reason, for people.")


class ExplanationView(ResponseModel):
    """The flow of a device, and the rules that were evaluated."""

    flow_id: str | None
    source: Source | None
    experiment_id: str | None
    variant: str | None
    steps: Sequence[StepView]
