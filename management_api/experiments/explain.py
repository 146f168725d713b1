"""Explanation of a resolution: every rule that is evaluated, and its result (contract, section 3)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from common.rules.bucketing import BUCKETS, bucket_of, traffic_salt
from common.rules.conditions import CUSTOM_PREFIX, Condition
from common.rules.resolution import (
    Assignment,
    Choice,
    Experiment,
    SkippedRule,
    SkipReason,
    Source,
    TargetedFlow,
    device_attributes,
    evaluate,
)
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.public_bodies import ResolveBody
from management_api.auth.access import Caller, project_for_caller, read_project
from management_api.db.models.projects import Project
from management_api.experiments.project_rules import StoredRules, read_rules
from management_api.experiments.schemas import ExplanationView, StepView

_STICKY = "The device's assignment token keeps it in the variant that it was given"
_FOR_EVERYONE = "The flow is for every device that no earlier rule has a flow for"
_CHOSEN = {
    Source.OVERRIDE: "The device is one of the project's QA devices",
    Source.EXPERIMENT: "The device is in the experiment's audience and inside its traffic",
    Source.TARGETING: "The device is inside the flow's rollout, and all of the flow's conditions hold",
    Source.DEFAULT: "This is the default flow, which is for every device that no earlier rule has a flow for",
}
_SKIPPED = {
    SkipReason.NO_OVERRIDE: "The device is none of the project's QA devices",
    SkipReason.PAUSED: "The experiment is paused, and the device has no assignment token of it",
}
#: The names of attributes, for people. Others are those of the app.
_ATTRIBUTES = {
    "platform": "platform",
    "appVersion": "app version",
    "osVersion": "OS version",
    "country": "country",
    "locale": "language",
    "deviceId": "id",
}
_PROJECT = project_for_caller(Project.id, Project.platforms, Project.default_flow_id)


def explain_resolution(
    session: Session, caller: Caller, project_id: str, body: ResolveBody, tokens: AssignmentTokens
) -> ExplanationView:
    """Resolve a device as the edge does once it has the project's present state.

    Only the last step can have matched. The session must be of `Database.repeatable_read`. Raises
    ProjectNotFoundError, ForbiddenError.
    """
    project = read_project(session, caller, project_id, _PROJECT)
    stored = read_rules(session, project)
    assignment = tokens.read(project_id, body.device_id, body.assignment_token)
    skipped: list[SkippedRule] = []
    chosen = evaluate(stored.rules, body, assignment, skipped)
    steps: list[StepView] = []
    for rule, rule_id, skip in skipped:
        step_id = project.default_flow_id if skip is SkipReason.NO_ACTIVE_DEFAULT else rule_id
        reason = _reason_skipped(skip, project, stored, body, rule_id)
        steps.append(StepView(rule=rule, id=step_id, matched=False, reason=reason))
    if chosen is None:
        return _explanation(None, steps)
    rule, chosen_id = chosen.rule_key
    steps.append(StepView(rule=rule, id=chosen_id, matched=True, reason=_reason_chosen(chosen, stored, assignment)))
    return _explanation(chosen, steps)


def _explanation(choice: Choice | None, steps: list[StepView]) -> ExplanationView:
    assignment = choice and choice.assignment
    return ExplanationView(
        flow_id=choice and choice.flow_id,
        source=choice and choice.source,
        experiment_id=assignment and assignment.experiment_id,
        variant=assignment and assignment.variant,
        steps=steps,
    )


def _reason_chosen(choice: Choice, stored: StoredRules, assignment: Assignment | None) -> str:
    if choice.assignment is not None and choice.assignment == assignment:
        return _STICKY
    if choice.source is Source.TARGETING and choice.flow_id in {flow.flow_id for flow in stored.rules.for_everyone}:
        return _FOR_EVERYONE
    return _CHOSEN[choice.source]


def _reason_skipped(
    skip: SkipReason, project: Row[Any], stored: StoredRules, body: ResolveBody, rule_id: str | None
) -> str:
    if skip in _SKIPPED:
        return _SKIPPED[skip]
    if skip is SkipReason.PLATFORM_NOT_OF_PROJECT:
        return f"The project does not have the platform {body.platform}, so no rule has a flow for the device"
    if skip is SkipReason.NO_ACTIVE_DEFAULT:
        return "The default flow is not active" if project.default_flow_id else "The project has no default flow"
    rule = _find_rule(stored, rule_id)
    if skip is SkipReason.CONDITION_FAILED:
        return _failed_condition(rule, stored.conditions[rule_id or ""], body)
    if isinstance(rule, Experiment):
        return _outside(traffic_salt(rule.experiment_id, rule.salt_version), rule.traffic_buckets, body, "traffic")
    return _outside(rule.flow_id, rule.rollout_buckets, body, "rollout")


def _find_rule(stored: StoredRules, rule_id: str | None) -> Experiment | TargetedFlow:
    return next(rule for rule in stored.rules.candidates if rule.rule_key[1] == rule_id)


def _outside(salt: str, buckets: int, body: ResolveBody, share: str) -> str:
    bucket = bucket_of(salt, body.device_id)
    return f"The device is in bucket {bucket}; the {share} has the first {buckets} buckets of {BUCKETS}"


def _failed_condition(rule: Experiment | TargetedFlow, conditions: Sequence[Condition], body: ResolveBody) -> str:
    """Name the first condition that fails; its value and the device's are left out, because they can be long."""
    attributes = device_attributes(body)
    pairs = zip(conditions, rule.conditions, strict=True)
    condition = next(stored for stored, compiled in pairs if not compiled.holds(attributes))
    attribute = condition.attribute
    name = _ATTRIBUTES.get(attribute) or f"attribute {attribute.removeprefix(CUSTOM_PREFIX)}"
    if attribute not in attributes:
        return f"The {name} of the device is unknown"
    return f"The {name} of the device does not meet a condition"
