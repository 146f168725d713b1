"""The rules of a project as they are stored now, in the form in which the edge has them (`common/resolution.py`)."""

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from common.conditions import Condition, compile_conditions
from common.resolution import ProjectRules, TargetedFlow
from management_api.database.flows import Flow, FlowStatus
from management_api.database.projects import Project
from management_api.database.qa_devices import QaDevice


@dataclass(frozen=True, slots=True)
class StoredRules:
    """The rules, and by flow id the conditions that they were compiled from, in the same order."""

    rules: ProjectRules
    conditions: dict[str, tuple[Condition, ...]]


def rules_of(session: Session, project: Project) -> StoredRules:
    """Read the rules; the session must see the database at one moment (`Database.consistent_read`)."""
    active = session.execute(
        select(Flow.id, Flow.rollout_buckets, Flow.conditions)
        .where(Flow.project_id == project.id, Flow.status == FlowStatus.ACTIVE)
        .order_by(*Flow.order_of_trial())
    ).all()
    overrides = session.execute(select(QaDevice.device_id, QaDevice.flow_id).where(QaDevice.project_id == project.id))
    conditions = {flow.id: _conditions(flow) for flow in active}
    rules = ProjectRules(
        platforms=tuple(project.platforms),
        overrides=dict(overrides.all()),
        targeted=tuple(
            TargetedFlow(flow.id, flow.rollout_buckets, compile_conditions(conditions[flow.id]))
            for flow in active
            if flow.id != project.default_flow_id
        ),
        default_flow_id=project.default_flow_id if project.default_flow_id in conditions else None,
    )
    return StoredRules(rules, conditions)


def _conditions(flow: Row[Any]) -> tuple[Condition, ...]:
    return msgspec.convert(flow.conditions, tuple[Condition, ...])
