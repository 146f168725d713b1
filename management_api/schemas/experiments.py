"""Experiments as the interface takes and shows them (contract, section 5)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from management_api.database.experiments import ExperimentStatus
from management_api.operations.experiments import ExperimentChanges, NewExperiment
from management_api.schemas.envelope import ResponseModel, TaggedModel, Timestamp
from management_api.schemas.page_query import PageQuery
from management_api.schemas.parsing import RequestModel
from management_api.schemas.targeting import Conditions, Percentage, buckets_of, percentage_of
from management_api.schemas.texts import REQUIRED, EventTypeText, IdText, text_between
from management_api.schemas.values import one_of
from management_api.schemas.variants import VariantKey, Variants, VariantView

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
