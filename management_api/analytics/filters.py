"""Filters of analytics: the days and the events of a query (contract, section 3)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, bindparam, select
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from common.ids import IdPrefix, is_id
from management_api.auth.access import experiment_not_found
from management_api.db.models.analytics import Event
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow
from management_api.rollups.reading import cell_rows
from management_api.rollups.rollup import breakdown_with


class Period(StrEnum):
    """The periods that may be asked for."""

    DAY = "1d"
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"

    @property
    def length(self) -> int:
        """How many days the period has."""
        return int(self.value.removesuffix("d"))


@dataclass(frozen=True, slots=True)
class DateRange:
    """A run of UTC days, the first and the last included."""

    first: date
    last: date

    @classmethod
    def from_period(cls, period: Period, today: date) -> "DateRange":
        """Give the period that ends with today."""
        return cls(today - timedelta(days=period.length - 1), today)

    @property
    def days(self) -> list[date]:
        """Every day, ascending."""
        return [self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1)]

    @property
    def start(self) -> datetime:
        """The first moment."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.last + timedelta(days=1), time(), UTC)


# Which events of a project an analysis is about (contract, section 3, Analytics).
# Time is the event's own, in UTC days. A flow or an experiment that the project does not have is refused, also when
# the project has events that name it.

_CLAUSES: Mapping[str, ColumnElement[bool]] = {
    "project_id": Event.project_id == bindparam("project_id"),
    "flow_id": Event.flow_id == bindparam("flow_id"),
    "experiment_id": Event.experiment_id == bindparam("experiment_id"),
    "event_type": Event.event_type == bindparam("event_type"),
    "platform": Event.platform == bindparam("platform"),
    "start": Event.occurred_at >= bindparam("start"),
    "end": Event.occurred_at < bindparam("end"),
}


@dataclass(frozen=True, slots=True)
class EventFilter:
    """What is wanted of a project's events; None leaves a filter out."""

    project_id: str
    dates: DateRange | None = None
    flow_id: str | None = None
    experiment_id: str | None = None
    event_type: str | None = None
    platform: str | None = None

    def values(self) -> dict[str, object]:
        """Give the values of those bound parameters that stand in the clauses."""
        values: dict[str, object] = {
            "project_id": self.project_id,
            "flow_id": self.flow_id,
            "experiment_id": self.experiment_id,
            "event_type": self.event_type,
            "platform": self.platform,
            "start": self.dates and self.dates.start,
            "end": self.dates and self.dates.end,
        }
        return {name: value for name, value in values.items() if value is not None}

    def of_cells(self) -> dict[str, str]:
        """Give what is asked of the columns of cells."""
        columns = {
            "flow_id": self.flow_id,
            "experiment_id": self.experiment_id,
            "event_type": self.event_type,
            "platform": self.platform,
        }
        return {column: value for column, value in columns.items() if value is not None}

    def clauses(self) -> tuple[ColumnElement[bool], ...]:
        """Give the conditions on the table of events."""
        return clauses_of(self.values())


def clauses_of(names: Iterable[str]) -> tuple[ColumnElement[bool], ...]:
    """Give the conditions that have these bound parameters."""
    return tuple(_CLAUSES[name] for name in names)


def cells_of(
    session: Session, columns: str, wanted: EventFilter, dates: DateRange | None, *told_apart: str, tail: str = ""
) -> Iterator[tuple[Any, ...]]:
    """Read columns of the cells that count the wanted events of the dates, and tell more columns apart."""
    filters = wanted.of_cells()
    breakdown = breakdown_with(filters.keys() | frozenset(told_apart))
    days = (dates.first, dates.last) if dates else None
    return cell_rows(session, columns, wanted.project_id, (breakdown,), days, filters, tail)


def check_filter(session: Session, wanted: EventFilter) -> None:
    """Raise FlowNotFoundError or NotFoundError for a flow or an experiment that the project does not have."""
    if wanted.flow_id is not None:
        flow = select(Flow.id).where(Flow.id == wanted.flow_id, Flow.project_id == wanted.project_id)
        if not is_id(IdPrefix.FLOW, wanted.flow_id) or session.scalar(flow) is None:
            raise FlowNotFoundError
    if wanted.experiment_id is not None:
        check_experiment(session, wanted.project_id, wanted.experiment_id)


def check_experiment(session: Session, project_id: str, experiment_id: str) -> None:
    """Raise NotFoundError for an experiment that the project does not have."""
    experiment = select(Experiment.id).where(Experiment.id == experiment_id, Experiment.project_id == project_id)
    if not is_id(IdPrefix.EXPERIMENT, experiment_id) or session.scalar(experiment) is None:
        raise experiment_not_found()
