"""Which flow a device gets, and why: the rules in the order in which they are asked (contract, section 4).

`trials` is the only place where this is decided. The edge takes the first trial that ends in a choice, an explanation
shows every trial up to it, so the two cannot disagree. A refusal is a constant: nobody pays for words unread. The
edge asks in brief: rules whose conditions do not hold are left out at once (`audiences.py`), not refused one by one.
"""

from collections.abc import Iterator, Sequence
from typing import Self

import msgspec
from mmh3 import mmh3_32_uintdigest

from common.rules.assignment_tokens import Assignment
from common.rules.condition_index import MEMBERS
from common.rules.conditions import CUSTOM_PREFIX, DeviceAttributes, all_hold
from common.rules.project_rules import (
    NO_OVERRIDE,
    Choice,
    Evaluation,
    Experiment,
    ProjectRules,
    Rule,
    SkipReason,
    Source,
    TargetedFlow,
)
from common.wire.public_bodies import ResolveBody


class Device(msgspec.Struct, gc=False):
    """A device as the rules see it: what it says of itself is its `body`."""

    device_id: str
    platform: str | None
    body: ResolveBody
    #: What its assignment token says, if it is a true one.
    kept: Assignment | None = None
    _named: DeviceAttributes | None = None

    @classmethod
    def of(cls, body: ResolveBody, kept: Assignment | None = None) -> Self:
        """Take what the device says of itself, and what its assignment token says, if it is a true one."""
        return cls(body.device_id, body.platform, body, kept)

    @property
    def attributes(self) -> DeviceAttributes:
        """What it says, as conditions name it; made for the first condition that asks."""
        if self._named is None:
            self._named = _attributes(self.body)
        return self._named


def trials(rules: ProjectRules, device: Device, *, is_brief: bool = False) -> Iterator[Evaluation]:
    """Ask each rule in turn; whoever iterates stops at the first choice. In brief, refusals may be left out."""
    if device.platform is not None and device.platform not in rules.platforms:
        yield from _refused_by_platform(rules)
        return

    device_id = device.device_id
    flow_id = rules.overrides.get(device_id)
    if flow_id is not None:
        yield Rule.OVERRIDE, flow_id, Choice(Source.OVERRIDE, flow_id)
    elif not is_brief:
        yield NO_OVERRIDE

    if device.kept is not None:
        yield from _kept(rules.experiments, device.kept)

    if rules.experiments or rules.targeted:
        device_bytes = device_id.encode()
        for salted, bound, rule, refusal_outside in rules.audiences.admitting(device.body) if is_brief else rules.tried:
            refusal = None if is_brief else _refusal_by_audience(rule, device)
            if refusal is not None:
                yield *rule.about, refusal
            elif bound is None or mmh3_32_uintdigest(salted + device_bytes) < bound:
                yield rule.chosen_for(device_id)
            elif not is_brief:
                yield *rule.about, refusal_outside

    yield from rules.ending


def choose(rules: ProjectRules, device: Device) -> Choice | None:
    """Give the first choice; None when no flow is configured for the device."""
    for _rule, _id, outcome in trials(rules, device, is_brief=True):
        if isinstance(outcome, Choice):
            return outcome
    return None


def _kept(experiments: Sequence[Experiment], kept: Assignment) -> Iterator[Evaluation]:
    """Ask first the experiment that the device is in already, by its token, so that no other one takes it over.

    Neither weights nor traffic nor audience, as they are now, take a device out of a variant that it was given.
    """
    for experiment in experiments:
        if experiment.experiment_id == kept.experiment_id:
            choice = experiment.kept_choice(kept)
            if choice is not None:
                yield *experiment.about, choice


def _refusal_by_audience(rule: Experiment | TargetedFlow, device: Device) -> SkipReason | None:
    if isinstance(rule, Experiment) and rule.is_paused:
        return SkipReason.PAUSED
    return None if all_hold(rule.conditions, device.attributes) else SkipReason.CONDITION_FAILED


def _attributes(body: ResolveBody) -> DeviceAttributes:
    read = {name: member(body) for name, member in MEMBERS.items()}
    attributes = {name: value for name, value in read.items() if value is not None}
    for name, value in (body.attributes or {}).items():
        attributes[CUSTOM_PREFIX + name] = value
    return attributes


def _refused_by_platform(rules: ProjectRules) -> Iterator[Evaluation]:
    """Refuse by every rule, so that an explanation lists all that the device might have got."""
    yield Rule.OVERRIDE, None, SkipReason.PLATFORM_NOT_OF_PROJECT
    for experiment in rules.experiments:
        yield Rule.EXPERIMENT, experiment.experiment_id, SkipReason.PLATFORM_NOT_OF_PROJECT
    for flow in rules.targeted:
        yield Rule.FLOW, flow.flow_id, SkipReason.PLATFORM_NOT_OF_PROJECT
    yield Rule.DEFAULT, rules.default_flow_id, SkipReason.PLATFORM_NOT_OF_PROJECT
    for flow in rules.for_everyone:
        yield Rule.FLOW, flow.flow_id, SkipReason.PLATFORM_NOT_OF_PROJECT
