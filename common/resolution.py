"""Which flow a device gets, and why: the rules in the order in which they are asked (contract, section 4).

`trials` is the only place where this is decided. The edge takes the first trial that ends in a choice, an explanation
shows every trial up to it, so the two cannot disagree. A refusal is a constant: nobody pays for words unread.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import NamedTuple, Self

import msgspec

from common.bucketing import is_inside_rollout
from common.conditions import CUSTOM_PREFIX, CompiledCondition, DeviceAttributes, Scalar, all_hold
from common.public_bodies import ResolveBody


class Device(msgspec.Struct, gc=False):
    """A device as the rules see it: what it says of itself is its `body`."""

    device_id: str
    platform: str | None
    body: ResolveBody
    _named: DeviceAttributes | None = None

    @classmethod
    def of(cls, body: ResolveBody) -> Self:
        """Take what the device says of itself."""
        return cls(body.device_id, body.platform, body)

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
    OUTSIDE_ROLLOUT = auto()
    CONDITION_FAILED = auto()
    NO_ACTIVE_DEFAULT = auto()


class Choice(NamedTuple):
    """What a rule chose. A project has one finished answer for each choice that it can come to."""

    source: Source
    flow_id: str
    experiment_id: str | None = None
    variant: str | None = None


#: A rule that was asked, the id of what it is about (None where there is no such thing), and how it ended.
Trial = tuple[Rule, str | None, Choice | Refusal]

# Made once, here and for each rule, because to make a trial costs more than to ask the rule.
_NO_OVERRIDE: Trial = (Rule.OVERRIDE, None, Refusal.NO_OVERRIDE)
_NO_DEFAULT: Trial = (Rule.DEFAULT, None, Refusal.NO_ACTIVE_DEFAULT)


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

    `overrides` has flow ids by device ids, `targeted` stands in the order in which flows are tried and leaves the
    default flow out, and `default_flow_id` is None unless that flow is active.
    """

    platforms: tuple[str, ...]
    overrides: Mapping[str, str]
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

    # Here is the place of running experiments, in the order in which they started: audience, traffic, variant.

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
    for flow in rules.targeted:
        yield Rule.FLOW, flow.flow_id, Refusal.PLATFORM_NOT_OF_PROJECT
    yield Rule.DEFAULT, rules.default_flow_id, Refusal.PLATFORM_NOT_OF_PROJECT
