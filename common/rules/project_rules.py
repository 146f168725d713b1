"""The rules by which a project gives flows to devices, made ready for asking (contract, sections 4 and 5).

How devices are tried by them is decided in `resolution.py`.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import NamedTuple, Self

from common.rules.assignment_tokens import Assignment
from common.rules.bounded_cache import Weight
from common.rules.bucket_ranges import BucketRange
from common.rules.bucketing import BUCKETS, bucket_of, hash_threshold, traffic_salt, variant_salt
from common.rules.condition_index import ConditionIndex
from common.rules.conditions import CompiledCondition


class Source(StrEnum):
    """What an assignment says that its flow came from."""

    OVERRIDE = "override"
    EXPERIMENT = "experiment"
    TARGETING = "targeting"
    DEFAULT = "default"

    #: Answers are looked up by it, and an enumeration's own hash is a call of Python code.
    __hash__ = str.__hash__


class Rule(StrEnum):
    """The kinds of rules. Flows that are for everyone are evaluated after the default, all others before it."""

    OVERRIDE = "override"
    EXPERIMENT = "experiment"
    FLOW = "flow"
    DEFAULT = "default"


class SkipReason(Enum):
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


class VariantAllocation(NamedTuple):
    """A variant, the flow that it gives, and the buckets that it owns."""

    key: str
    flow_id: str
    ranges: Sequence[BucketRange]


#: A rule that was asked, the id of what it is about (None where there is no such thing), and how it ended.
Evaluation = tuple[Rule, str | None, Choice | SkipReason]

# Made once, here and for each rule, because to make a trial costs more than to ask the rule.
NO_OVERRIDE: Evaluation = (Rule.OVERRIDE, None, SkipReason.NO_OVERRIDE)
_NO_DEFAULT: Evaluation = (Rule.DEFAULT, None, SkipReason.NO_ACTIVE_DEFAULT)


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment that is running or paused, made ready for asking (contract, section 5).

    `choices` has the choice of each variant by its key; `range_ends` are the ends of all variants' ranges, ascending,
    and `range_trials` the trials that end in the variants that own those ranges.
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
    range_trials: tuple[Evaluation, ...]

    @classmethod
    def of(
        cls,
        experiment_id: str,
        *,
        is_paused: bool,
        conditions: tuple[CompiledCondition, ...],
        traffic_buckets: int,
        salt_version: int,
        variants: Sequence[VariantAllocation],
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
            range_trials=tuple((Rule.EXPERIMENT, experiment_id, choices[key]) for _, key in owners),
        )

    @property
    def about(self) -> tuple[Rule, str]:
        """What a trial of it begins with."""
        return Rule.EXPERIMENT, self.experiment_id

    @property
    def is_open(self) -> bool:
        """Whether it can be for any device that does not hold an assignment of it."""
        return not self.is_paused and self.traffic_buckets > 0

    def kept_choice(self, kept: Assignment) -> Choice | None:
        """Give the variant that a device keeps; none when it was assigned before all were assigned anew."""
        return self.choices.get(kept.variant) if kept.salt_version == self.salt_version else None

    def chosen_for(self, device_id: str) -> Evaluation:
        """Give the trial of a device that is in the traffic."""
        return self.range_trials[bisect_right(self.range_ends, bucket_of(self.variant_salt, device_id))]


@dataclass(frozen=True, slots=True)
class TargetedFlow:
    """An active flow that is not the default: chosen inside its rollout, when all conditions hold."""

    flow_id: str
    rollout_buckets: int
    conditions: tuple[CompiledCondition, ...]
    #: Its trial for a device that it is chosen for.
    chosen: Evaluation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the trial."""
        object.__setattr__(self, "chosen", (Rule.FLOW, self.flow_id, Choice(Source.TARGETING, self.flow_id)))

    @property
    def about(self) -> tuple[Rule, str]:
        """What a trial of it begins with."""
        return Rule.FLOW, self.flow_id

    @property
    def is_open(self) -> bool:
        """Whether it can be for any device."""
        return self.rollout_buckets > 0

    @property
    def is_for_everyone(self) -> bool:
        """Whether it has neither a condition nor a rollout below 100 %: it is evaluated after the default flow."""
        return not self.conditions and self.rollout_buckets >= BUCKETS

    def chosen_for(self, _device_id: str) -> Evaluation:
        """Give the trial of a device that is in the rollout."""
        return self.chosen


class Candidate(NamedTuple):
    """A rule as devices are tried by it.

    `salted` is what is hashed before their ids, `bound` the least hash that is outside of its share (None: none is).
    """

    salted: bytes
    bound: int | None
    rule: Experiment | TargetedFlow
    refusal_outside: SkipReason


@dataclass(frozen=True, slots=True)
class ProjectRules:
    """What decides in one project.

    `overrides` has flow ids by device ids, `experiments` are those running and paused in the order in which they were
    started, `flows` are the active flows except the default in the order of their priority, and `default_flow_id` is
    None unless that flow is active. `audiences_weight` is what the audiences take of memory.
    """

    platforms: tuple[str, ...]
    overrides: Mapping[str, str]
    experiments: tuple[Experiment, ...]
    flows: tuple[TargetedFlow, ...]
    default_flow_id: str | None
    #: The flows that are evaluated before the default: with a condition, or with a rollout below 100 %.
    targeted: tuple[TargetedFlow, ...] = field(init=False, repr=False, compare=False)
    #: The flows that are evaluated after the default: for everyone, so that at most the first one is ever chosen.
    for_everyone: tuple[TargetedFlow, ...] = field(init=False, repr=False, compare=False)
    audiences_weight: Weight = field(init=False, repr=False, compare=False, default_factory=Weight)
    #: The last trials of every device: of the default flow, then of the first flow for everyone, if there is one.
    ending: tuple[Evaluation, ...] = field(init=False, repr=False, compare=False)
    _audiences: ConditionIndex[Candidate] | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        """Sort the flows, and make the last trials."""
        object.__setattr__(self, "targeted", tuple(flow for flow in self.flows if not flow.is_for_everyone))
        object.__setattr__(self, "for_everyone", tuple(flow for flow in self.flows if flow.is_for_everyone))
        flow_id = self.default_flow_id
        default = _NO_DEFAULT if flow_id is None else (Rule.DEFAULT, flow_id, Choice(Source.DEFAULT, flow_id))
        object.__setattr__(self, "ending", (default, *(flow.chosen for flow in self.for_everyone[:1])))

    @property
    def tried(self) -> list[Candidate]:
        """Experiments and targeted flows, in the order in which they are tried."""
        return [
            *(
                Candidate(
                    f"{one.traffic_salt}:".encode(),
                    hash_threshold(one.traffic_buckets),
                    one,
                    SkipReason.OUTSIDE_TRAFFIC,
                )
                for one in self.experiments
            ),
            *(
                Candidate(
                    f"{one.flow_id}:".encode(), hash_threshold(one.rollout_buckets), one, SkipReason.OUTSIDE_ROLLOUT
                )
                for one in self.targeted
            ),
        ]

    @property
    def audiences(self) -> ConditionIndex[Candidate]:
        """Those of them that are for anybody, by their conditions; made for the first device that asks."""
        if self._audiences is None:
            open_ones = [one for one in self.tried if one.rule.is_open]
            audiences = ConditionIndex([(one, one.rule.conditions) for one in open_ones], self.audiences_weight)
            object.__setattr__(self, "_audiences", audiences)
            return audiences
        return self._audiences
