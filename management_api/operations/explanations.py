"""Why a device is given the flow that it is given: every rule that is asked, and how it ends (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from common.bucketing import BUCKETS, bucket_of
from common.conditions import CompiledCondition, Condition
from common.public_bodies import ResolveBody
from common.resolution import Choice, Device, Refusal, Rule, Source, TargetedFlow, trials
from management_api.database.projects import Project
from management_api.operations.callers import Caller
from management_api.operations.project_access import project_to_read
from management_api.operations.project_rules import StoredRules, rules_of

_WHY_CHOSEN = {
    Source.OVERRIDE: "The device is one of the project's QA devices",
    Source.TARGETING: "The device is inside the flow's rollout, and all of the flow's conditions hold",
    Source.DEFAULT: "This is the default flow, which is for every device that no earlier rule has a flow for",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A rule that was asked. `id` is what it is about, a flow or an experiment; None where there is no such thing."""

    rule: Rule
    id: str | None
    matched: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the device is given (None: nothing), and the steps that lead there; only the last can have matched."""

    choice: Choice | None
    steps: Sequence[Step]


def explain_resolution(session: Session, caller: Caller, project_id: str, body: ResolveBody) -> Explanation:
    """Resolve a device as the edge does once it has the project's present state.

    The session must be of `Database.consistent_read`. Raises ProjectNotFoundError, ForbiddenError.
    """
    project = project_to_read(session, caller, project_id)
    stored, device = rules_of(session, project), Device.of(body)
    steps: list[Step] = []
    for rule, about, outcome in trials(stored.rules, device):
        if isinstance(outcome, Choice):
            steps.append(Step(rule, about, matched=True, reason=_WHY_CHOSEN[outcome.source]))
            return Explanation(outcome, steps)
        named = project.default_flow_id if outcome is Refusal.NO_ACTIVE_DEFAULT else about
        steps.append(Step(rule, named, matched=False, reason=_why_refused(outcome, project, stored, device, about)))
    return Explanation(None, steps)


def _why_refused(refusal: Refusal, project: Project, stored: StoredRules, device: Device, flow_id: str | None) -> str:
    if refusal is Refusal.PLATFORM_NOT_OF_PROJECT:
        return f"The project does not have the platform {device.platform}, so no rule has a flow for the device"
    if refusal is Refusal.NO_OVERRIDE:
        return "The device is none of the project's QA devices"
    if refusal is Refusal.NO_ACTIVE_DEFAULT:
        return "The default flow is not active" if project.default_flow_id else "The project has no default flow"
    flow = next(flow for flow in stored.rules.targeted if flow.flow_id == flow_id)
    if refusal is Refusal.OUTSIDE_ROLLOUT:
        return _outside_rollout(flow, device)
    return _failed_condition(flow, stored.conditions[flow.flow_id], device)


def _outside_rollout(flow: TargetedFlow, device: Device) -> str:
    bucket = bucket_of(flow.flow_id, device.device_id)
    return f"The device is in bucket {bucket}; the rollout has the first {flow.rollout_buckets} buckets of {BUCKETS}"


def _failed_condition(flow: TargetedFlow, conditions: Sequence[Condition], device: Device) -> str:
    """Name the first condition that fails; its value and the device's are left out, as they may be long."""
    pairs: Sequence[tuple[Condition, CompiledCondition]] = list(zip(conditions, flow.conditions, strict=True))
    stored, compiled = next(pair for pair in pairs if not pair[1].holds(device.attributes))
    absent = "" if compiled.attribute in device.attributes else ", which the device does not have"
    return f"The condition {stored.operator} does not hold for {stored.attribute}{absent}"
