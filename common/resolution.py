"""Which flow a device gets, and why: the rules in the order in which they are asked (contract, section 4).

`trials` is the only place where this is decided. The edge takes the first trial that ends in a choice, an explanation
shows every trial up to it, so the two cannot disagree. A refusal is a constant: nobody pays for words unread.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import NamedTuple, Self

import msgspec

from common.assignment_tokens import Assignment
from common.bucket_ranges import BucketRange
from common.bucketing import BUCKETS, bucket_of, is_inside_rollout, traffic_salt, variant_salt
from common.conditions import CUSTOM_PREFIX, CompiledCondition, DeviceAttributes, Scalar, all_hold
from common.public_bodies import ResolveBody


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


class Source(StrEnum):
    """What an assignment says that its flow came from."""

    OVERRIDE = "override"
    EXPERIMENT = "experiment"
    TARGETING = "targeting"
    DEFAULT = "default"

    #: Answers are looked up by it, and an enumeration's own hash is a call of Python code.
    __hash__ = str.__hash__


class Rule(StrEnum):
    """The kinds of rules, in the order in which they are asked."""

    OVERRIDE = "override"
    EXPERIMENT = "experiment"
    FLOW = "flow"
    DEFAULT = "default"


class Refusal(Enum):
    """Why a rule did not choose."""

    PLATFORM_NOT_OF_PROJECT = auto()
    NO_OVERRIDE = auto()
    PAUSED = auto()
    OUTSIDE_TRAFFIC = auto()
    OUTSIDE_ROLLOUT = auto()
    CONDITION_FAILED = auto()
    NO_ACTIVE_DEFAULT = auto()


class Choice(NamedTuple):
    """What a rule chose. A project has one finished answer for each choice that it can come to."""

    source: Source
    flow_id: str
    #: The variant that it is, when an experiment chose.
    assignment: Assignment | None = None


def variant_choice(flow_id: str, experiment_id: str, variant: str, salt_version: int) -> Choice:
    """Make the choice of an experiment."""
    return Choice(Source.EXPERIMENT, flow_id, Assignment(experiment_id, variant, salt_version))


class VariantShare(NamedTuple):
    """A variant, the flow that it gives, and the buckets that it owns."""

    key: str
    flow_id: str
    ranges: Sequence[BucketRange]


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment that is running or paused, made ready for asking (contract, section 5).

    `choices` has the choice of each variant by its key; `range_ends` are the ends of all variants' ranges, ascending,
    and `range_choices` the choices that those ranges stand for.
    """

    experiment_id: str
    is_paused: bool
    conditions: tuple[CompiledCondition, ...]
    traffic_buckets: int
    salt_version: int
    traffic_salt: str
    variant_salt: str
    choices: Mapping[str, Choice]
    range_ends: tuple[int, ...]
    range_choices: tuple[Choice, ...]

    @classmethod
    def of(
        cls,
        experiment_id: str,
        *,
        is_paused: bool,
        conditions: tuple[CompiledCondition, ...],
        traffic_buckets: int,
        salt_version: int,
        variants: Sequence[VariantShare],
    ) -> Self:
        """Make it ready; the ranges of the variants share out all buckets."""
        choices = {
            variant.key: variant_choice(variant.flow_id, experiment_id, variant.key, salt_version)
            for variant in variants
        }
        owners = sorted((end, variant.key) for variant in variants for _, end in variant.ranges)
        return cls(
            experiment_id=experiment_id,
            is_paused=is_paused,
            conditions=conditions,
            traffic_buckets=traffic_buckets,
            salt_version=salt_version,
            traffic_salt=traffic_salt(experiment_id, salt_version),
            variant_salt=variant_salt(experiment_id, salt_version),
            choices=choices,
            range_ends=tuple(end for end, _ in owners),
            range_choices=tuple(choices[key] for _, key in owners),
        )

    def kept_choice(self, kept: Assignment) -> Choice | None:
        """Give the variant that a device keeps; none when it was assigned before all were assigned anew."""
        return self.choices.get(kept.variant) if kept.salt_version == self.salt_version else None

    def outcome(self, device: Device) -> Choice | Refusal:
        """Judge a device that holds no assignment of this experiment."""
        if self.is_paused:
            return _PAUSED
        if self.conditions and not all_hold(self.conditions, device.attributes):
            return _CONDITION_FAILED
        if self.traffic_buckets < BUCKETS and bucket_of(self.traffic_salt, device.device_id) >= self.traffic_buckets:
            return _OUTSIDE_TRAFFIC
        return self.range_choices[bisect_right(self.range_ends, bucket_of(self.variant_salt, device.device_id))]


#: A rule that was asked, the id of what it is about (None where there is no such thing), and how it ended.
Trial = tuple[Rule, str | None, Choice | Refusal]

# Made once, here and for each rule, because to make a trial costs more than to ask the rule.
_NO_OVERRIDE: Trial = (Rule.OVERRIDE, None, Refusal.NO_OVERRIDE)
_NO_DEFAULT: Trial = (Rule.DEFAULT, None, Refusal.NO_ACTIVE_DEFAULT)
_PAUSED, _CONDITION_FAILED, _OUTSIDE_TRAFFIC = Refusal.PAUSED, Refusal.CONDITION_FAILED, Refusal.OUTSIDE_TRAFFIC


@dataclass(frozen=True, slots=True)
class TargetedFlow:
    """An active flow that targeting may choose: inside its rollout, all conditions holding."""

    flow_id: str
    rollout_buckets: int
    conditions: tuple[CompiledCondition, ...]
    #: Its trial for a device that it is chosen for.
    chosen: Trial = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the trial."""
        object.__setattr__(self, "chosen", (Rule.FLOW, self.flow_id, Choice(Source.TARGETING, self.flow_id)))


@dataclass(frozen=True, slots=True)
class ProjectRules:
    """What decides in one project.

    `overrides` has flow ids by device ids, `experiments` are those running and paused in the order in which they were
    started, `targeted` stands in the order in which flows are tried and leaves the default flow out, and
    `default_flow_id` is None unless that flow is active.
    """

    platforms: tuple[str, ...]
    overrides: Mapping[str, str]
    experiments: tuple[Experiment, ...]
    targeted: tuple[TargetedFlow, ...]
    default_flow_id: str | None
    #: The trial that is the last for every device.
    last: Trial = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the last trial."""
        flow_id = self.default_flow_id
        last = _NO_DEFAULT if flow_id is None else (Rule.DEFAULT, flow_id, Choice(Source.DEFAULT, flow_id))
        object.__setattr__(self, "last", last)


def trials(rules: ProjectRules, device: Device) -> Iterator[Trial]:
    """Ask each rule in turn; whoever iterates stops at the first choice."""
    if device.platform is not None and device.platform not in rules.platforms:
        yield from _refused_by_platform(rules)
        return

    flow_id = rules.overrides.get(device.device_id)
    if flow_id is None:
        yield _NO_OVERRIDE
    else:
        yield Rule.OVERRIDE, flow_id, Choice(Source.OVERRIDE, flow_id)

    if rules.experiments:
        yield from _trials_of_experiments(rules.experiments, device)

    for flow in rules.targeted:
        if not is_inside_rollout(flow.flow_id, flow.rollout_buckets, device.device_id):
            yield Rule.FLOW, flow.flow_id, Refusal.OUTSIDE_ROLLOUT
        elif flow.conditions and not all_hold(flow.conditions, device.attributes):
            yield Rule.FLOW, flow.flow_id, Refusal.CONDITION_FAILED
        else:
            yield flow.chosen

    yield rules.last


def choose(rules: ProjectRules, device: Device) -> Choice | None:
    """Give the first choice; None when no flow is configured for the device."""
    for _rule, _id, outcome in trials(rules, device):
        if isinstance(outcome, Choice):
            return outcome
    return None


def _trials_of_experiments(experiments: Sequence[Experiment], device: Device) -> Iterator[Trial]:
    """Ask first the experiment that the device is in already, by its token, so that no other one takes it over.

    Neither weights nor traffic nor audience, as they are now, take a device out of a variant that it was given.
    """
    kept = device.kept
    if kept is not None:
        for experiment in experiments:
            if experiment.experiment_id == kept.experiment_id:
                choice = experiment.kept_choice(kept)
                if choice is not None:
                    yield Rule.EXPERIMENT, experiment.experiment_id, choice
    for experiment in experiments:
        yield Rule.EXPERIMENT, experiment.experiment_id, experiment.outcome(device)


def _attributes(body: ResolveBody) -> DeviceAttributes:
    named: dict[str, Scalar | None] = {
        "deviceId": body.device_id,
        "platform": body.platform,
        "appVersion": body.app_version,
        "osVersion": body.os_version,
        "locale": body.locale,
        "country": body.country,
    }
    attributes = {name: value for name, value in named.items() if value is not None}
    for name, value in (body.attributes or {}).items():
        attributes[CUSTOM_PREFIX + name] = value
    return attributes


def _refused_by_platform(rules: ProjectRules) -> Iterator[Trial]:
    """Refuse by every rule, so that an explanation lists all that the device might have got."""
    yield Rule.OVERRIDE, None, Refusal.PLATFORM_NOT_OF_PROJECT
    for experiment in rules.experiments:
        yield Rule.EXPERIMENT, experiment.experiment_id, Refusal.PLATFORM_NOT_OF_PROJECT
    for flow in rules.targeted:
        yield Rule.FLOW, flow.flow_id, Refusal.PLATFORM_NOT_OF_PROJECT
    yield Rule.DEFAULT, rules.default_flow_id, Refusal.PLATFORM_NOT_OF_PROJECT
