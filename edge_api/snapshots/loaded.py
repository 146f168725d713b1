"""A snapshot as a worker holds it: decoded, its conditions compiled, its size known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from common.rules.conditions import CompiledCondition, Condition, compile_conditions, condition_error
from common.rules.resolution import (
    Choice,
    Experiment,
    ProjectRules,
    Source,
    TargetedFlow,
    VariantAllocation,
    variant_choice,
)
from common.wire.snapshot import Snapshot, SnapshotFormatError, decode_snapshot
from edge_api.answers.answer import Answer, json_answer
from edge_api.answers.config_answers import ConfigAnswers

#: What the objects around the bytes weigh, by measurement on CPython 3.11, rounded up.
_SNAPSHOT_OVERHEAD_BYTES = 4_400
_FLOW_OVERHEAD_BYTES = 800
_VARIANT_OVERHEAD_BYTES = 1_000
_CONDITION_OVERHEAD_BYTES = 1_500
_OVERRIDE_OVERHEAD_BYTES = 650


@dataclass(slots=True)
class LoadedSnapshot:
    """Everything that the edge needs of one project: what decides, and a finished answer for each choice.

    A variant's answer has two parts, between which the device's token goes. `size` is about how many bytes of memory
    it takes, with all caches of its rules full.
    """

    snapshot: Snapshot
    rules: ProjectRules
    answers: Mapping[Choice, Answer]
    variant_answers: Mapping[Choice, tuple[bytes, bytes]]
    size: int
    _config: ConfigAnswers | None = None

    @property
    def config_answers(self) -> ConfigAnswers:
        """The answers that are the project's configuration; made for the first client that asks."""
        if self._config is None:
            self._config = ConfigAnswers.of(self.snapshot.config)
        return self._config

    @property
    def revision(self) -> int:
        """The revision of the project that this is."""
        return self.snapshot.revision

    @classmethod
    def read(cls, project_id: str, stored: bytes) -> Self:
        """Decode the stored snapshot of that project. Raises SnapshotFormatError."""
        snapshot = decode_snapshot(stored)
        if snapshot.project_id != project_id:
            raise SnapshotFormatError(f"the snapshot stored for {project_id} is another project's")
        return cls.of(snapshot, len(stored))

    @classmethod
    def of(cls, snapshot: Snapshot, stored_bytes: int = 0) -> Self:
        """Make a snapshot ready for answering. Raises SnapshotFormatError."""
        rules = _rules(snapshot)
        conditions = sum(len(flow.conditions) for flow in snapshot.targeted)
        conditions += sum(len(experiment.conditions) for experiment in snapshot.experiments)
        variants = sum(len(experiment.variants) for experiment in snapshot.experiments)
        overhead = (
            _SNAPSHOT_OVERHEAD_BYTES
            + len(snapshot.targeted) * _FLOW_OVERHEAD_BYTES
            + variants * _VARIANT_OVERHEAD_BYTES
            + conditions * _CONDITION_OVERHEAD_BYTES
            + len(rules.overrides) * _OVERRIDE_OVERHEAD_BYTES
            + rules.condition_index.max_bytes
        )
        return cls(snapshot, rules, _answers(snapshot), _variant_answers(snapshot), stored_bytes + overhead)


def _rules(snapshot: Snapshot) -> ProjectRules:
    return ProjectRules.create(
        platforms=snapshot.platforms,
        overrides={device_id: flow.flow_id for flow in snapshot.overrides for device_id in flow.device_ids},
        experiments=tuple(
            Experiment.create(
                experiment.experiment_id,
                is_paused=experiment.is_paused,
                conditions=_compile(experiment.conditions),
                traffic_buckets=experiment.traffic_buckets,
                salt_version=experiment.salt_version,
                variants=[
                    VariantAllocation(variant.key, variant.flow_id, variant.ranges) for variant in experiment.variants
                ],
            )
            for experiment in snapshot.experiments
        ),
        flows=[
            TargetedFlow.create(flow.flow_id, flow.rollout_buckets, _compile(flow.conditions))
            for flow in snapshot.targeted
        ],
        default_flow_id=None if snapshot.default is None else snapshot.default.flow_id,
    )


def _answers(snapshot: Snapshot) -> dict[Choice, Answer]:
    bodies = {Choice(Source.OVERRIDE, flow.flow_id): flow.body for flow in snapshot.overrides}
    bodies |= {Choice(Source.TARGETING, flow.flow_id): flow.body for flow in snapshot.targeted}
    if snapshot.default is not None:
        bodies[Choice(Source.DEFAULT, snapshot.default.flow_id)] = snapshot.default.body
    return {choice: json_answer(200, body) for choice, body in bodies.items()}


def _variant_answers(snapshot: Snapshot) -> dict[Choice, tuple[bytes, bytes]]:
    return {
        variant_choice(variant.flow_id, experiment.experiment_id, variant.key, experiment.salt_version): (
            variant.head,
            variant.tail,
        )
        for experiment in snapshot.experiments
        for variant in experiment.variants
    }


def _compile(conditions: tuple[Condition, ...]) -> tuple[CompiledCondition, ...]:
    """Compile what was checked at write time; what this release does not know must not pass for a match."""
    for condition in conditions:
        error = condition_error(condition)
        if error is not None:
            raise SnapshotFormatError(f"a condition {error}")
    return compile_conditions(conditions)
