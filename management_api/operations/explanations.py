"""Why a device is given the flow that it is given: every rule that is asked, and how it ends (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from common.rules.assignment_tokens import AssignmentTokens
from common.rules.bucketing import BUCKETS, bucket_of
from common.rules.conditions import CompiledCondition, Condition
from common.rules.project_rules import Choice, Experiment, Rule, SkipReason, Source, TargetedFlow
from common.rules.resolution import Device, trials
from common.wire.public_bodies import ResolveBody
from management_api.operations.callers import Caller
from management_api.operations.project_access import project_to_read
from management_api.operations.project_rules import StoredRules, rules_of

_KEPT = "The device's assignment token keeps it in the variant that it was given"
_WHY_CHOSEN = {
    Source.OVERRIDE: "The device is one of the project's QA devices",
    Source.EXPERIMENT: "The device is in the experiment's audience and inside its traffic",
    Source.TARGETING: "The device is inside the flow's rollout, and all of the flow's conditions hold",
    Source.DEFAULT: "This is the default flow, which is for every device that no earlier rule has a flow for",
}
_FOR_EVERYONE = "The flow is for every device that no earlier rule has a flow for"

_WHY_REFUSED = {
    SkipReason.NO_OVERRIDE: "The device is none of the project's QA devices",
    SkipReason.PAUSED: "The experiment is paused, and the device has no assignment token of it",
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


def explain_resolution(
    session: Session, caller: Caller, project_id: str, body: ResolveBody, assignments: AssignmentTokens
) -> Explanation:
    """Resolve a device as the edge does once it has the project's present state.

    The session must be of `Database.consistent_read`. Raises ProjectNotFoundError, ForbiddenError.
    """
    project = project_to_read(session, caller, project_id)
    stored = rules_of(session, project)
    device = Device.of(body, assignments.read(project_id, body.device_id, body.assignment_token))
    steps: list[Step] = []
    for rule, about, outcome in trials(stored.rules, device):
        if isinstance(outcome, Choice):
            steps.append(Step(rule, about, matched=True, reason=_why_chosen(outcome, stored, device)))
            return Explanation(outcome, steps)
        named = project.default_flow_id if outcome is SkipReason.NO_ACTIVE_DEFAULT else about
        steps.append(Step(rule, named, matched=False, reason=_why_refused(outcome, project, stored, device, about)))
    return Explanation(None, steps)


def _why_chosen(choice: Choice, stored: StoredRules, device: Device) -> str:
    if choice.assignment is not None and choice.assignment == device.kept:
        return _KEPT
    if choice.source is Source.TARGETING and choice.flow_id in {flow.flow_id for flow in stored.rules.for_everyone}:
        return _FOR_EVERYONE
    return _WHY_CHOSEN[choice.source]


def _why_refused(
    refusal: SkipReason, project: Row[*tuple[Any, ...]], stored: StoredRules, device: Device, about: str | None
) -> str:
    if refusal in _WHY_REFUSED:
        return _WHY_REFUSED[refusal]
    if refusal is SkipReason.PLATFORM_NOT_OF_PROJECT:
        return f"The project does not have the platform {device.platform}, so no rule has a flow for the device"
    if refusal is SkipReason.NO_ACTIVE_DEFAULT:
        return "The default flow is not active" if project.default_flow_id else "The project has no default flow"
    rule = _rule_about(stored, about)
    if refusal is SkipReason.CONDITION_FAILED:
        return _failed_condition(rule, stored.conditions[about or ""], device)
    if isinstance(rule, Experiment):
        return _outside(rule.traffic_salt, rule.traffic_buckets, device, "traffic")
    return _outside(rule.flow_id, rule.rollout_buckets, device, "rollout")


def _rule_about(stored: StoredRules, about: str | None) -> Experiment | TargetedFlow:
    experiments = (one for one in stored.rules.experiments if one.experiment_id == about)
    return next(experiments, None) or next(flow for flow in stored.rules.targeted if flow.flow_id == about)


def _outside(salt: str, buckets: int, device: Device, share: str) -> str:
    bucket = bucket_of(salt, device.device_id)
    return f"The device is in bucket {bucket}; the {share} has the first {buckets} buckets of {BUCKETS}"


def _failed_condition(rule: Experiment | TargetedFlow, conditions: Sequence[Condition], device: Device) -> str:
    """Name the first condition that fails; its value and the device's are left out, as they may be long."""
    pairs: Sequence[tuple[Condition, CompiledCondition]] = list(zip(conditions, rule.conditions, strict=True))
    stored, compiled = next(pair for pair in pairs if not pair[1].holds(device.attributes))
    absent = "" if compiled.attribute in device.attributes else ", which the device does not have"
    return f"The condition {stored.operator} does not hold for {stored.attribute}{absent}"
