"""Experiments, results and explanations in requests and responses (contract, sections 3 and 5)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

from pydantic import AfterValidator, Field, model_validator

from common.rules.resolution import Rule as EvaluatedRule
from common.rules.resolution import Source
from management_api.db.models.experiments import ExperimentStatus
from management_api.experiments.explain import Explanation
from management_api.experiments.operations import ExperimentChanges, NewExperiment
from management_api.experiments.results import ExperimentResults, VariantResult
from management_api.experiments.variants import Variant
from management_api.flows.targeting import Conditions, Percentage, buckets_of, percentage_of
from management_api.http.fields import (
    REQUIRED,
    EventTypeText,
    IdText,
    Rule,
    complaint,
    one_of,
    text_between,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import ResponseModel, TaggedModel, Timestamp

FEWEST_VARIANTS, MOST_VARIANTS = 2, 10
WHOLE = 100

VariantKey = Annotated[str, text_between(1, 64)]
VariantName = Annotated[str, text_between(1, 100)]


class VariantBody(RequestModel):
    """One variant; without a name of its own it is shown by its key."""

    key: Annotated[VariantKey, REQUIRED]
    name: VariantName | None = None
    flow_id: Annotated[IdText, REQUIRED]
    weight: Annotated[int, whole_number_between(0, WHOLE), REQUIRED]
    is_control: bool = False

    @model_validator(mode="before")
    @classmethod
    def _with_one_spelling(cls, variant: object) -> object:
        """Take the flow's id in the spelling of SDKs as well."""
        if not isinstance(variant, dict) or "flowId" not in variant:
            return variant
        others = {name: value for name, value in variant.items() if name != "flowId"}
        # Two that differ are left for the check that follows, to which this spelling is an unknown member.
        return others if others.setdefault("flow_id", variant["flowId"]) == variant["flowId"] else variant

    def variant(self) -> Variant:
        """Give what the experiment is made of."""
        return Variant(
            key=self.key,
            name=self.name or self.key,
            flow_id=self.flow_id,
            weight=self.weight,
            is_control=self.is_control,
        )


def _are_few(value: object) -> object:
    if not isinstance(value, list) or not FEWEST_VARIANTS <= len(value) <= MOST_VARIANTS:
        raise complaint(f"must be an array of {FEWEST_VARIANTS} to {MOST_VARIANTS} variants")
    return value


def _fit_together(variants: list[VariantBody]) -> list[VariantBody]:
    if len({variant.key for variant in variants}) < len(variants):
        raise complaint("must have a different key each")
    if sum(variant.weight for variant in variants) != WHOLE:
        raise complaint(f"must have weights that sum to {WHOLE}")
    if sum(variant.is_control for variant in variants) != 1:
        raise complaint("must have exactly one that is_control")
    return variants


Variants = Annotated[
    list[VariantBody],
    Rule(_are_few, {"minItems": FEWEST_VARIANTS, "maxItems": MOST_VARIANTS}),
    AfterValidator(_fit_together),
]


class VariantView(ResponseModel):
    """A variant as it is shown."""

    key: str
    name: str
    flow_id: str
    weight: int
    is_control: bool


ExperimentName = Annotated[str, text_between(1, 100)]
Hypothesis = Annotated[str, text_between(0, 1000)]
DEFAULT_PRIMARY_EVENT = "flow_completed"


class ExperimentListQuery(PageQuery):
    """GET /experiments."""

    spellings: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}

    project_id: Annotated[IdText, REQUIRED]
    status: Annotated[ExperimentStatus, one_of(ExperimentStatus)] | None = None


class AudienceBody(RequestModel):
    """Whom an experiment is for: devices for which all conditions hold."""

    conditions: Conditions = Field(default_factory=list)


class ExperimentMembers(RequestModel):
    """What a new experiment and a change have in common."""

    hypothesis: Hypothesis | None = None
    audience: AudienceBody = AudienceBody()
    traffic_percentage: Percentage = 100.0
    primary_event: EventTypeText = DEFAULT_PRIMARY_EVENT


class ExperimentCreateBody(ExperimentMembers):
    """POST /experiments."""

    spellings: ClassVar[Mapping[str, str]] = {"projectId": "project_id"}
    read_only = frozenset({"status", "winner", "started_at", "ended_at"})

    project_id: Annotated[IdText, REQUIRED]
    name: Annotated[ExperimentName, REQUIRED]
    variants: Annotated[Variants, REQUIRED]

    def new_experiment(self) -> NewExperiment:
        """Give what the experiment is made of."""
        return NewExperiment(
            name=self.name,
            hypothesis=self.hypothesis,
            conditions=tuple(self.audience.conditions),
            traffic_buckets=buckets_of(self.traffic_percentage),
            variants=tuple(variant.variant() for variant in self.variants),
            primary_event=self.primary_event,
        )


class ExperimentUpdateBody(ExperimentMembers):
    """PUT /experiments/{experiment_id}; what is left out stays as it is."""

    read_only = frozenset({"status", "winner", "started_at", "ended_at", "project_id", "projectId"})

    name: Annotated[ExperimentName, REQUIRED] = ""
    variants: Annotated[Variants, REQUIRED] = Field(default_factory=list)
    reset_assignments: bool = False

    def changes(self) -> ExperimentChanges:
        """Give the members that the body has."""
        given: dict[str, Any] = {
            name: getattr(self, name) for name in self.model_fields_set - {"audience", "traffic_percentage", "variants"}
        }
        if "audience" in self.model_fields_set:
            given["conditions"] = tuple(self.audience.conditions)
        if "traffic_percentage" in self.model_fields_set:
            given["traffic_buckets"] = buckets_of(self.traffic_percentage)
        if "variants" in self.model_fields_set:
            given["variants"] = tuple(variant.variant() for variant in self.variants)
        return cast("ExperimentChanges", given)


class ExperimentActionBody(RequestModel):
    """POST /experiments/{experiment_id}/start and /pause take no member; the body may be left out."""


class ExperimentCompleteBody(RequestModel):
    """POST /experiments/{experiment_id}/complete; the body may be left out."""

    winner: VariantKey | None = None


class AudienceView(ResponseModel):
    """The audience of an experiment as it is shown."""

    conditions: Sequence[dict[str, Any]]


class ExperimentView(TaggedModel):
    """An experiment as it is shown."""

    id: str
    project_id: str
    name: str
    hypothesis: str | None
    status: str
    audience: AudienceView
    traffic_percentage: int | float
    variants: Sequence[VariantView]
    primary_event: str
    winner: str | None
    started_at: Timestamp | None
    ended_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def of(cls, experiment: Any) -> "ExperimentView":  # noqa: ANN401 - a model or a row of its columns
        """Show an experiment, which has the columns of the table as its attributes."""
        return cls(
            id=experiment.id,
            project_id=experiment.project_id,
            name=experiment.name,
            hypothesis=experiment.hypothesis,
            status=experiment.status,
            audience=AudienceView(conditions=experiment.conditions),
            traffic_percentage=percentage_of(experiment.traffic_buckets),
            variants=[VariantView.model_validate(variant) for variant in experiment.variants],
            primary_event=experiment.primary_event,
            winner=experiment.winner,
            started_at=experiment.started_at,
            ended_at=experiment.ended_at,
            created_at=experiment.created_at,
            updated_at=experiment.updated_at,
        )


class SampleRatioView(ResponseModel):
    """Whether the users are shared out by the weights."""

    p_value: float | None
    mismatch: bool


class VariantResultView(ResponseModel):
    """The figures of one variant; those of the control that compare, and those over no users, are null."""

    key: str
    is_control: bool
    users: int
    conversions: int
    rate: float | None
    rate_interval: tuple[float, float] | None
    lift: float | None
    lift_interval: tuple[float, float] | None
    p_value: float | None
    sequential_p_value: float | None
    probability_to_beat_control: float | None

    @classmethod
    def of(cls, variant: VariantResult) -> "VariantResultView":
        """Show the figures of a variant."""
        compared = variant.comparison
        return cls(
            key=variant.key,
            is_control=variant.is_control,
            users=variant.counts.users,
            conversions=variant.counts.conversions,
            rate=variant.counts.rate,
            rate_interval=variant.rate_interval,
            lift=compared.lift,
            lift_interval=compared.lift_interval,
            p_value=compared.p_value,
            sequential_p_value=compared.sequential_p_value,
            probability_to_beat_control=compared.probability_to_beat_control,
        )


class ExperimentResultsView(ResponseModel):
    """The figures of an experiment; variants in its own order."""

    experiment_id: str
    status: str
    primary_event: str
    users: int
    excluded_multiple_variants: int
    srm: SampleRatioView
    variants: Sequence[VariantResultView]

    @classmethod
    def of(cls, results: ExperimentResults) -> "ExperimentResultsView":
        """Show the figures of an experiment."""
        return cls(
            experiment_id=results.experiment_id,
            status=results.status,
            primary_event=results.primary_event,
            users=results.users,
            excluded_multiple_variants=results.excluded_multiple_variants,
            srm=SampleRatioView.model_validate(results.sample_ratio),
            variants=[VariantResultView.of(variant) for variant in results.variants],
        )


class StepView(ResponseModel):
    """A rule that was evaluated, and its result."""

    rule: EvaluatedRule
    id: str | None
    matched: bool
    reason: str


class ExplanationView(ResponseModel):
    """The device's flow, and the rules that led to it."""

    flow_id: str | None
    source: Source | None
    experiment_id: str | None
    variant: str | None
    steps: Sequence[StepView]

    @classmethod
    def from_explanation(cls, explanation: Explanation) -> "ExplanationView":
        """Return the response of an explanation."""
        choice = explanation.choice
        assignment = choice and choice.assignment
        return cls(
            flow_id=choice and choice.flow_id,
            source=choice and choice.source,
            experiment_id=assignment and assignment.experiment_id,
            variant=assignment and assignment.variant,
            steps=[StepView.model_validate(step) for step in explanation.steps],
        )
