"""A decoded snapshot with compiled rules and finished responses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

import msgspec

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
from common.wire.snapshot import OverridingFlow, Snapshot, SnapshotFormatError, decode_snapshot
from edge_api.api.config_representations import ConfigRepresentations
from edge_api.api.response import Response, json_response

#: Sizes of the objects around the bytes, measured on CPython 3.11 and rounded up.
_SNAPSHOT_OVERHEAD_BYTES = 4_400
_FLOW_OVERHEAD_BYTES = 800
_VARIANT_OVERHEAD_BYTES = 1_000
_CONDITION_OVERHEAD_BYTES = 1_500
_OVERRIDE_OVERHEAD_BYTES = 650
_PAGE_OVERHEAD_BYTES = 450


class VerifiedKey(msgspec.Struct, gc=False):
    """A secret key that was verified: its id, its expiry as a Unix time, and when its use was last recorded."""

    key_id: str
    expires_at: float | None
    use_noted_at: float = 0.0


@dataclass(slots=True)
class LoadedSnapshot:
    """All data of one project that requests need: its rules, and a finished response for each choice.

    A variant's response has three parts; the device's assignment token goes before the last one. `size` is about the
    memory in bytes, with all caches of the rules full. `verified_keys` has the secret keys that matched
    a digest in constant time, so that the cache of keys ends with the snapshot and is never larger than their number.
    `ticket_keys` has the keys that were used by tickets, by their ids.
    """

    snapshot: Snapshot
    rules: ProjectRules
    responses: Mapping[Choice, Response]
    variant_responses: Mapping[Choice, tuple[bytes, bytes, bytes]]
    size: int
    #: The value of X-Config-Version.
    version: bytes
    verified_keys: dict[bytes, VerifiedKey] = field(default_factory=dict, repr=False)
    ticket_keys: dict[str, VerifiedKey] = field(default_factory=dict, repr=False)
    #: The compressed pages by flow id, is_draft and is_preview.
    pages: Mapping[tuple[str, bool, bool], bytes] = field(default_factory=dict, repr=False)
    _config: ConfigRepresentations | None = None

    @property
    def config_responses(self) -> ConfigRepresentations:
        """The responses of GET /api/config, created at the first request."""
        if self._config is None:
            self._config = ConfigRepresentations.from_document(self.snapshot.config)
        return self._config

    @property
    def revision(self) -> int:
        """The revision of the project."""
        return self.snapshot.revision

    @classmethod
    def decode(cls, project_id: str, stored: bytes) -> Self:
        """Decode the stored snapshot of that project. Raises SnapshotFormatError."""
        snapshot = decode_snapshot(stored)
        if snapshot.project_id != project_id:
            raise SnapshotFormatError(f"the snapshot stored for {project_id} is another project's")
        return cls.from_snapshot(snapshot, len(stored))

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot, stored_bytes: int = 0) -> Self:
        """Compile the rules and build the responses. Raises SnapshotFormatError."""
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
            + len(snapshot.pages or ()) * _PAGE_OVERHEAD_BYTES
        )
        pages = {(page.flow_id, page.is_draft, page.is_preview): page.gzip for page in snapshot.pages or ()}
        size = stored_bytes + overhead
        version = b"%d" % snapshot.revision
        return cls(snapshot, rules, _responses(snapshot), _variant_responses(snapshot), size, version, pages=pages)


def _rules(snapshot: Snapshot) -> ProjectRules:
    return ProjectRules.create(
        platforms=snapshot.platforms,
        overrides={device_id: choice for choice, flow in _overrides(snapshot) for device_id in flow.device_ids},
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


def _overrides(snapshot: Snapshot) -> Iterator[tuple[Choice, OverridingFlow]]:
    for number, flow in enumerate(snapshot.overrides):
        yield Choice(Source.OVERRIDE, flow.flow_id, is_draft=number < snapshot.draft_overrides), flow


def _responses(snapshot: Snapshot) -> dict[Choice, Response]:
    parts = _parts(snapshot)
    tails = {choice: flow.tail for choice, flow in _overrides(snapshot)}
    tails |= {Choice(Source.TARGETING, flow.flow_id): flow.tail for flow in snapshot.targeted}
    if snapshot.default is not None:
        tails[Choice(Source.DEFAULT, snapshot.default.flow_id)] = snapshot.default.tail
    return {
        choice: json_response(200, parts.get((choice.flow_id, choice.is_draft), b""), tail)
        for choice, tail in tails.items()
    }


def _variant_responses(snapshot: Snapshot) -> dict[Choice, tuple[bytes, bytes, bytes]]:
    parts = _parts(snapshot)
    return {
        variant_choice(variant.flow_id, experiment.experiment_id, variant.key, experiment.salt_version): (
            parts.get((variant.flow_id, False), b""),
            variant.head,
            variant.tail,
        )
        for experiment in snapshot.experiments
        for variant in experiment.variants
    }


def _parts(snapshot: Snapshot) -> dict[tuple[str, bool], bytes]:
    """Return the flow parts by flow and draft: none in format 4, whose tails are whole responses."""
    return {(part.flow_id, part.is_draft): part.body for part in snapshot.flow_parts}


def _compile(conditions: tuple[Condition, ...]) -> tuple[CompiledCondition, ...]:
    """Compile conditions. An unknown condition is an error, because skipping it would widen the audience."""
    for condition in conditions:
        error = condition_error(condition)
        if error is not None:
            raise SnapshotFormatError(f"a condition {error}")
    return compile_conditions(conditions)
