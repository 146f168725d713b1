"""Read the rules of a project in the form that resolution evaluates (`common/rules/resolution.py`)."""

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from common.rules.conditions import CompiledCondition, Condition, compile_conditions
from common.rules.resolution import Choice, ProjectRules, Source, TargetedFlow, VariantAllocation
from common.rules.resolution import Experiment as ExperimentRule
from management_api.db.models.experiments import Experiment, ExperimentStatus
from management_api.db.models.flow_history import live_content
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.projects import QaDevice
from management_api.flows.targeting import buckets_of


@dataclass(frozen=True, slots=True)
class StoredRules:
    """The rules, and the conditions that they were compiled from, by the id of the flow or the experiment."""

    rules: ProjectRules
    conditions: dict[str, tuple[Condition, ...]]


def read_rules(session: Session, project: Row[Any]) -> StoredRules:
    """Return the rules of a project, of which the row has the id, the platforms and the default flow.

    The session must be of `Database.repeatable_read`.
    """
    active = session.execute(
        select(Flow.id, live_content().label("document"))
        .where(Flow.project_id == project.id, Flow.status == FlowStatus.ACTIVE)
        .order_by(*Flow.evaluation_order())
    ).all()
    overrides = session.execute(select(QaDevice.device_id, QaDevice.flow_id).where(QaDevice.project_id == project.id))
    experiments = session.scalars(
        select(Experiment)
        .where(Experiment.project_id == project.id, Experiment.is_active())
        .order_by(*Experiment.evaluation_order())
    ).all()
    targeting = {flow.id: flow.document["targeting"] for flow in active}
    conditions = {flow_id: _conditions(members["conditions"]) for flow_id, members in targeting.items()}
    conditions |= {experiment.id: _conditions(experiment.conditions) for experiment in experiments}
    rules = ProjectRules.create(
        platforms=tuple(project.platforms),
        overrides={row.device_id: Choice(Source.OVERRIDE, row.flow_id) for row in overrides},
        experiments=tuple(
            _experiment(experiment, compile_conditions(conditions[experiment.id])) for experiment in experiments
        ),
        flows=[
            TargetedFlow.create(
                flow.id, buckets_of(targeting[flow.id]["percentage"]), compile_conditions(conditions[flow.id])
            )
            for flow in active
            if flow.id != project.default_flow_id
        ],
        default_flow_id=project.default_flow_id if project.default_flow_id in conditions else None,
    )
    return StoredRules(rules, conditions)


def _experiment(stored: Experiment, conditions: tuple[CompiledCondition, ...]) -> ExperimentRule:
    return ExperimentRule.create(
        stored.id,
        is_paused=stored.status == ExperimentStatus.PAUSED,
        conditions=conditions,
        traffic_buckets=stored.traffic_buckets,
        salt_version=stored.salt_version,
        variants=[
            VariantAllocation(variant["key"], variant["flow_id"], variant["ranges"]) for variant in stored.variants
        ],
    )


def _conditions(stored: list[dict[str, Any]]) -> tuple[Condition, ...]:
    return msgspec.convert(stored, tuple[Condition, ...])
