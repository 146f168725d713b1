"""The choice of a project's rules for a device, without the rule that made it."""

from common.rules.conditions import Device
from common.rules.resolution import Assignment, Choice, ProjectRules, evaluate


def choose(rules: ProjectRules, device: Device, assignment: Assignment | None = None) -> Choice | None:
    """Return the first choice; None when no flow is configured for the device."""
    chosen = evaluate(rules, device, assignment)
    return None if chosen is None else chosen[2]
