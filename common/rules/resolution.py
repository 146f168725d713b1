"""Resolution: the choice of a flow for a device (contract, sections 4 and 5).

Only :func:`evaluate` chooses. An explanation takes the rules that it skipped, too, so the
edge and an explanation cannot disagree.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum, auto
from typing import NamedTuple, Self

import msgspec
from mmh3 import mmh3_32_uintdigest

from common.rules.bucketing import BUCKETS, BucketRange, bucket_of, hash_threshold, traffic_salt, variant_salt
from common.rules.condition_index import ATTRIBUTE_READERS, ConditionIndex
from common.rules.conditions import CUSTOM_PREFIX, CompiledCondition, Device, DeviceAttributes, all_hold


class Source(StrEnum):
    """The `source` of an assignment: the kind of rule that its flow came from."""

    OVERRIDE = "override"
    EXPERIMENT = "experiment"
    TARGETING = "targeting"
    DEFAULT = "default"


class Rule(StrEnum):
    """The kinds of rules. Flows that are for everyone are evaluated after the default, all others before it."""

    OVERRIDE = "override"
    EXPERIMENT = "experiment"
    FLOW = "flow"
    DEFAULT = "default"


class SkipReason(Enum):
    """The reason why a rule did not choose a flow."""

    PLATFORM_NOT_OF_PROJECT = auto()
    NO_OVERRIDE = auto()
    PAUSED = auto()
    OUTSIDE_TRAFFIC = auto()
    OUTSIDE_ROLLOUT = auto()
    CONDITION_FAILED = auto()
    NO_ACTIVE_DEFAULT = auto()


class Assignment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The variant of a device, and the version of the experiment's salts when the device was assigned."""

    experiment_id: str
    variant: str
    salt_version: int


class Choice(msgspec.Struct, frozen=True, gc=False):
    """The flow that a rule chose. The edge has one finished response for each choice that a project can come to."""

    source: Source
    flow_id: str
    #: The variant, when an experiment chose.
    assignment: Assignment | None = None
    #: Whether it is the draft of the flow, which only an override chooses.
    is_draft: bool = False

    @property
    def rule_key(self) -> tuple[Rule, str]:
        """The rule that chose, and the id of its flow or experiment."""
        if self.assignment is not None:
            return Rule.EXPERIMENT, self.assignment.experiment_id
        return _RULES[self.source], self.flow_id


_RULES = {Source.OVERRIDE: Rule.OVERRIDE, Source.TARGETING: Rule.FLOW, Source.DEFAULT: Rule.DEFAULT}

#: A rule, the id of its flow or experiment (None where there is none), and why it did not choose.
SkippedRule = tuple[Rule, str | None, SkipReason]

_NO_OVERRIDE: SkippedRule = (Rule.OVERRIDE, None, SkipReason.NO_OVERRIDE)
_NO_DEFAULT: SkippedRule = (Rule.DEFAULT, None, SkipReason.NO_ACTIVE_DEFAULT)


def variant_choice(flow_id: str, experiment_id: str, variant: str, salt_version: int) -> Choice:
    """Return the choice of an experiment."""
    return Choice(Source.EXPERIMENT, flow_id, Assignment(experiment_id, variant, salt_version))


class VariantAllocation(NamedTuple):
    """A variant, its flow, and the buckets that it owns."""

    key: str
    flow_id: str
    ranges: Sequence[BucketRange]


class Experiment(msgspec.Struct, frozen=True, gc=False):
    """An experiment that is running or paused (contract, section 5).

    A device is inside its traffic when the hash of `salt_prefix` and the device's id is below `hash_threshold`; None:
    every device is inside. `choices` has the choice of each variant by its key. `range_ends` are the ends of all
    variants' ranges, ascending, `range_choices` the choices of the variants that own those ranges.
    """

    experiment_id: str
    is_paused: bool
    conditions: tuple[CompiledCondition, ...]
    traffic_buckets: int
    salt_version: int
    salt_prefix: bytes
    hash_threshold: int | None
    variant_salt: str
    choices: Mapping[str, Choice]
    range_ends: tuple[int, ...]
    range_choices: tuple[Choice, ...]

    @classmethod
    def create(
        cls,
        experiment_id: str,
        *,
        is_paused: bool,
        conditions: tuple[CompiledCondition, ...],
        traffic_buckets: int,
        salt_version: int,
        variants: Sequence[VariantAllocation],
    ) -> Self:
        """Return the experiment; the ranges of its variants cover all buckets."""
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
            salt_prefix=f"{traffic_salt(experiment_id, salt_version)}:".encode(),
            hash_threshold=hash_threshold(traffic_buckets),
            variant_salt=variant_salt(experiment_id, salt_version),
            choices=choices,
            range_ends=tuple(end for end, _ in owners),
            range_choices=tuple(choices[key] for _, key in owners),
        )

    @property
    def rule_key(self) -> tuple[Rule, str]:
        """The rule and its id, as in `SkippedRule`."""
        return Rule.EXPERIMENT, self.experiment_id

    @property
    def can_match(self) -> bool:
        """Whether any device without an assignment of it can enter."""
        return not self.is_paused and self.traffic_buckets > 0

    def sticky_choice(self, assignment: Assignment) -> Choice | None:
        """Return the variant that a device keeps; None when `reset_assignments` came after the assignment."""
        return self.choices.get(assignment.variant) if assignment.salt_version == self.salt_version else None

    def assign(self, device_id: str) -> Choice:
        """Return the choice for a device that is inside the traffic."""
        return self.range_choices[bisect_right(self.range_ends, bucket_of(self.variant_salt, device_id))]


class TargetedFlow(msgspec.Struct, frozen=True, gc=False):
    """An active flow that is not the default: chosen inside its rollout, when all conditions hold.

    A device is inside its rollout when the hash of `salt_prefix` and the device's id is below `hash_threshold`; None:
    every device is inside.
    """

    flow_id: str
    rollout_buckets: int
    conditions: tuple[CompiledCondition, ...]
    salt_prefix: bytes
    hash_threshold: int | None
    #: The choice for every device that gets it.
    choice: Choice

    @classmethod
    def create(cls, flow_id: str, rollout_buckets: int, conditions: tuple[CompiledCondition, ...]) -> Self:
        """Return the flow."""
        threshold = hash_threshold(rollout_buckets)
        choice = Choice(Source.TARGETING, flow_id)
        return cls(flow_id, rollout_buckets, conditions, f"{flow_id}:".encode(), threshold, choice)

    @property
    def rule_key(self) -> tuple[Rule, str]:
        """The rule and its id, as in `SkippedRule`."""
        return Rule.FLOW, self.flow_id

    @property
    def can_match(self) -> bool:
        """Whether any device is inside its rollout."""
        return self.rollout_buckets > 0

    @property
    def is_for_everyone(self) -> bool:
        """Whether it has neither a condition nor a rollout below 100 %: it is evaluated after the default flow."""
        return not self.conditions and self.rollout_buckets >= BUCKETS

    def assign(self, _device_id: str) -> Choice:
        """Return the choice for a device that is inside the rollout."""
        return self.choice


#: An experiment or a flow in the order of evaluation.
Candidate = Experiment | TargetedFlow


class ProjectRules(msgspec.Struct, frozen=True, gc=False):
    """The rules of one project. No garbage collection visits them: they contain no cycle.

    `overrides` has the choices of QA devices by their ids. `experiments` are those running and paused in the order of
    their start. `default_flow_id` is None unless that flow is active.
    """

    platforms: tuple[str, ...]
    overrides: Mapping[str, Choice]
    experiments: tuple[Experiment, ...]
    #: The flows that are evaluated before the default: with a condition, or with a rollout below 100 %.
    targeted: tuple[TargetedFlow, ...]
    default_flow_id: str | None
    #: The flows that are evaluated after the default. At most the first one is ever chosen.
    for_everyone: tuple[TargetedFlow, ...]
    #: The experiments and the targeted flows that can match any device, by their conditions.
    condition_index: ConditionIndex[Candidate]
    #: The choice for every device that none of them chooses for: the default, else the first flow for everyone.
    fallback: Choice | None

    @classmethod
    def create(
        cls,
        *,
        platforms: tuple[str, ...],
        overrides: Mapping[str, Choice],
        experiments: tuple[Experiment, ...],
        flows: Iterable[TargetedFlow],
        default_flow_id: str | None,
    ) -> Self:
        """Return the rules; `flows` are the active flows except the default, in the order of their priority."""
        flows = tuple(flows)
        targeted = tuple(flow for flow in flows if not flow.is_for_everyone)
        for_everyone = tuple(flow for flow in flows if flow.is_for_everyone)
        candidates: tuple[Candidate, ...] = (*experiments, *targeted)
        fallback = for_everyone[0].choice if for_everyone else None
        if default_flow_id is not None:
            fallback = Choice(Source.DEFAULT, default_flow_id)
        return cls(
            platforms=platforms,
            overrides=overrides,
            experiments=experiments,
            targeted=targeted,
            default_flow_id=default_flow_id,
            for_everyone=for_everyone,
            condition_index=ConditionIndex.create(
                [(candidate, candidate.conditions) for candidate in candidates if candidate.can_match]
            ),
            fallback=fallback,
        )

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The experiments and the targeted flows, in the order of evaluation."""
        return (*self.experiments, *self.targeted)


def evaluate(
    rules: ProjectRules,
    device: Device,
    assignment: Assignment | None = None,
    skipped: list[SkippedRule] | None = None,
) -> Choice | None:
    """Evaluate the rules in their order and return the first choice; None when no flow is configured.

    `assignment` is that of a valid token. An explanation passes a list, to which the rules before are added.
    """
    if device.platform is not None and device.platform not in rules.platforms:
        if skipped is not None:
            skipped.extend(_skip_all(rules, SkipReason.PLATFORM_NOT_OF_PROJECT))
        return None

    override = rules.overrides.get(device.device_id)
    if override is not None:
        return override
    if skipped is not None:
        skipped.append(_NO_OVERRIDE)

    if assignment is not None:
        sticky = _sticky_variant(rules.experiments, assignment)
        if sticky is not None:
            return sticky

    if skipped is not None:
        chosen = _explain_candidates(rules.candidates, device, skipped)
    else:
        chosen = _first_candidate(rules.condition_index, device) if rules.condition_index.rules else None
    if chosen is not None:
        return chosen

    if skipped is not None and rules.default_flow_id is None:
        skipped.append(_NO_DEFAULT)
    return rules.fallback


def device_attributes(device: Device) -> DeviceAttributes:
    """Return the attributes that the device has, by the names that conditions use."""
    values = {name: read(device) for name, read in ATTRIBUTE_READERS.items()}
    attributes = {name: value for name, value in values.items() if value is not None}
    for name, value in (device.attributes or {}).items():
        attributes[CUSTOM_PREFIX + name] = value
    return attributes


def _sticky_variant(experiments: Iterable[Experiment], assignment: Assignment) -> Choice | None:
    """Return the variant of the device's token. It comes before all others, so that none of them takes the device over.

    Neither weights nor traffic nor audience, as they are now, take a device out of its variant.
    """
    for experiment in experiments:
        if experiment.experiment_id == assignment.experiment_id:
            choice = experiment.sticky_choice(assignment)
            if choice is not None:
                return choice
    return None


def _first_candidate(index: ConditionIndex[Candidate], device: Device) -> Choice | None:
    """Return the choice of the first experiment or targeted flow that the device belongs to."""
    device_bytes = device.device_id.encode()
    for rule in index.matching(device):
        threshold = rule.hash_threshold
        if threshold is None or mmh3_32_uintdigest(rule.salt_prefix + device_bytes) < threshold:
            return rule.assign(device.device_id)
    return None


def _explain_candidates(candidates: Iterable[Candidate], device: Device, skipped: list[SkippedRule]) -> Choice | None:
    """Return the same choice as :func:`_first_candidate`, and add each rule before it with its reason."""
    device_bytes = device.device_id.encode()
    attributes = device_attributes(device)
    for rule in candidates:
        reason = _skip_reason(rule, attributes, device_bytes)
        if reason is None:
            return rule.assign(device.device_id)
        skipped.append((*rule.rule_key, reason))
    return None


def _skip_reason(rule: Candidate, attributes: DeviceAttributes, device_bytes: bytes) -> SkipReason | None:
    if isinstance(rule, Experiment) and rule.is_paused:
        return SkipReason.PAUSED
    if not all_hold(rule.conditions, attributes):
        return SkipReason.CONDITION_FAILED
    if rule.hash_threshold is None or mmh3_32_uintdigest(rule.salt_prefix + device_bytes) < rule.hash_threshold:
        return None
    return SkipReason.OUTSIDE_TRAFFIC if isinstance(rule, Experiment) else SkipReason.OUTSIDE_ROLLOUT


def _skip_all(rules: ProjectRules, reason: SkipReason) -> Iterator[SkippedRule]:
    """Skip every rule, so that an explanation lists all that the device might have got."""
    yield Rule.OVERRIDE, None, reason
    for candidate in rules.candidates:
        yield *candidate.rule_key, reason
    yield Rule.DEFAULT, rules.default_flow_id, reason
    for flow in rules.for_everyone:
        yield *flow.rule_key, reason
