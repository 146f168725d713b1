"""The conditions by which analytics select events and rollups (contract, section 3)."""

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from common.ids import IdPrefix, is_id
from management_api.analytics.dates import DateRange
from management_api.analytics.schemas import EventFilterQuery
from management_api.auth.access import experiment_not_found
from management_api.db.models.analytics import ActivityRollup, LocaleRollup
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow
from management_api.rollups.rollup import Breakdown, breakdown_with


def check_filters(session: Session, query: EventFilterQuery) -> None:
    """Raise FlowNotFoundError or NotFoundError for a flow or an experiment that the project does not have.

    Also when the project has events that name it.
    """
    if query.flow_id is not None:
        flow = select(Flow.id).where(Flow.id == query.flow_id, Flow.project_id == query.project_id)
        if not is_id(IdPrefix.FLOW, query.flow_id) or session.scalar(flow) is None:
            raise FlowNotFoundError
    if query.experiment_id is not None:
        check_experiment(session, query.project_id, query.experiment_id)


def check_experiment(session: Session, project_id: str, experiment_id: str) -> None:
    """Raise NotFoundError for an experiment that the project does not have."""
    experiment = select(Experiment.id).where(Experiment.id == experiment_id, Experiment.project_id == project_id)
    if not is_id(IdPrefix.EXPERIMENT, experiment_id) or session.scalar(experiment) is None:
        raise experiment_not_found()


def breakdown_of(query: EventFilterQuery, *columns: str) -> Breakdown:
    """Return the coarsest breakdown that has the columns and those of the query's filters."""
    return breakdown_with(query.column_filters().keys() | frozenset(columns))


def rollup_conditions(
    query: EventFilterQuery, dates: DateRange | None, *columns: str
) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the rollups that count the events of a query by the columns."""
    model = rollups_by(*columns)
    return (
        model.project_id == query.project_id,
        model.breakdown == breakdown_of(query, *columns).value,
        *([] if dates is None else [model.day.between(dates.first, dates.last)]),
        *(getattr(model, column) == value for column, value in query.column_filters().items()),
    )


def rollups_by(*columns: str) -> type[ActivityRollup | LocaleRollup]:
    """Return the table that counts events by these columns."""
    return LocaleRollup if "locale" in columns else ActivityRollup
