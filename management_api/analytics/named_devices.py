"""The conditions that name a device: an erasure leaves them, because they are configuration of the project."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, or_, select, type_coerce, union
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import InstrumentedAttribute, Session

from common.text import has_forbidden_characters
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import FlowDraft, FlowVersion, live
from management_api.db.models.flows import Flow

#: A response names at most so many flows and experiments.
MAX_PLACES = 20


def places_that_name(session: Session, project_id: str, device_id: str) -> Sequence[str]:
    """Return the ids of flows and experiments with a condition on this device, at most MAX_PLACES, sorted.

    A flow counts with its draft. Former versions and the audit log are not searched: their number is not bounded.
    """
    if has_forbidden_characters(device_id):
        return ()
    places = union(
        select(Flow.id).where(Flow.project_id == project_id, _name(live(_conditions(FlowVersion.document)), device_id)),
        select(FlowDraft.flow_id).where(
            FlowDraft.project_id == project_id,
            _name(_conditions(FlowDraft.document), device_id),
        ),
        select(Experiment.id).where(Experiment.project_id == project_id, _name(Experiment.conditions, device_id)),
    ).subquery()
    return session.scalars(select(places.c[0]).order_by(places.c[0]).limit(MAX_PLACES)).all()


def _conditions(document: InstrumentedAttribute[Any]) -> ColumnElement[Any]:
    """Return the conditions of a stored document as JSON, to which its own column type would add members."""
    return type_coerce(document, JSONB)["targeting"]["conditions"]


def _name(conditions: Any, device_id: str) -> ColumnElement[bool]:  # noqa: ANN401 - a JSON column, or a part of one
    """Return the condition that a list has the device as the value of `deviceId`, or among its values."""
    return or_(
        *(conditions.contains([{"attribute": "deviceId", "value": value}]) for value in (device_id, [device_id]))
    )
