"""A decoded snapshot; its rules are compiled and its responses are made at the first request that needs them."""

from collections.abc import Iterable, Iterator
from typing import Self

import msgspec

from common.rules.conditions import Condition, compile_conditions, condition_error
from common.rules.resolution import (
    Choice,
    Experiment,
    ProjectRules,
    Source,
    TargetedFlow,
    VariantAllocation,
    variant_choice,
)
from common.wire.snapshot import OverridingFlow, Page, Snapshot, SnapshotFormatError, decode_snapshot
from edge_api.api.config_representations import ConfigRepresentations
from edge_api.api.response import Response, json_response

#: Memory of a project that was resolved, for each stored byte and beside them: measured on CPython 3.11, where 5, 50
#: and 500 flows of 3 screens take 7 % more to 10 % less. Results of conditions are not counted. They take at most
#: `MAX_CACHE_BYTES` of `common/rules/condition_index.py`.
_BYTES_FOR_STORED_BYTE = 1.5
_OVERHEAD_BYTES = 4_400


class VerifiedKey(msgspec.Struct, gc=False):
    """A secret key that was verified: its id, its expiry as a Unix time, and when its use was last recorded."""

    key_id: str
    expires_at: float | None
    use_noted_at: float = 0.0


class Answers(msgspec.Struct, gc=False, eq=False):
    """The compiled rules of a project, and the finished responses of the choices that devices had."""

    snapshot: Snapshot
    rules: ProjectRules
    #: The compressed pages by flow id, is_draft and is_preview.
    pages: dict[tuple[str, bool, bool], Page]
    #: Filled at the first use of each choice, by :meth:`response` and :meth:`variant_response`.
    responses: dict[Choice, Response] = msgspec.field(default_factory=dict)
    variant_responses: dict[Choice, tuple[bytes, bytes, bytes]] = msgspec.field(default_factory=dict)

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot) -> Self:
        """Compile the rules of a snapshot whose conditions are known."""
        pages = {(page.flow_id, page.is_draft, page.is_preview): page for page in snapshot.pages or ()}
        return cls(snapshot, _rules(snapshot), pages)

    def response(self, choice: Choice) -> Response:
        """Make and keep the response of a choice that no experiment made."""
        response = json_response(200, _flow_part(self.snapshot, choice), _tail(self.snapshot, choice))
        self.responses[choice] = response
        return response

    def variant_response(self, choice: Choice) -> tuple[bytes, bytes, bytes]:
        """Make and keep the parts of an experiment's response: the device's token goes before the last one."""
        parts = (_flow_part(self.snapshot, choice), *_head_and_tail(self.snapshot, choice))
        self.variant_responses[choice] = parts
        return parts


class LoadedSnapshot(msgspec.Struct, gc=False, eq=False):
    """All data of one project that requests need. No garbage collection visits it: it contains no cycle.

    `size` is the approximate memory in bytes. `verified_keys` has the secret keys that matched a digest in constant
    time, so that the cache of keys ends with the snapshot and is never larger than their number. `ticket_keys` has the
    keys that were used by tickets, by their ids.
    """

    snapshot: Snapshot
    size: int
    #: The value of X-Config-Version.
    version: bytes
    verified_keys: dict[bytes, VerifiedKey] = msgspec.field(default_factory=dict)
    ticket_keys: dict[str, VerifiedKey] = msgspec.field(default_factory=dict)
    #: None until :attr:`answers` is read first.
    prepared: Answers | None = None
    _config: ConfigRepresentations | None = None

    def __repr__(self) -> str:
        return f"LoadedSnapshot({self.snapshot.project_id}, revision {self.revision})"

    @property
    def answers(self) -> Answers:
        """The rules and responses, made at the first resolve: a change of many projects must not delay requests."""
        if self.prepared is None:
            self.prepared = Answers.from_snapshot(self.snapshot)
        return self.prepared

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
    def tombstone(cls, project_id: str, revision: int) -> Self:
        """Return the snapshot of a deleted project, which no key opens."""
        return cls.from_snapshot(Snapshot.tombstone(project_id, revision))

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot, stored_bytes: int = 0) -> Self:
        """Check the conditions. Raises SnapshotFormatError for an unknown one: skipping it would widen the audience."""
        _check(condition for flow in snapshot.targeted for condition in flow.conditions)
        _check(condition for experiment in snapshot.experiments for condition in experiment.conditions)
        size = _OVERHEAD_BYTES + int(stored_bytes * _BYTES_FOR_STORED_BYTE)
        return cls(snapshot, size, b"%d" % snapshot.revision)


def _check(conditions: Iterable[Condition]) -> None:
    for condition in conditions:
        error = condition_error(condition)
        if error is not None:
            raise SnapshotFormatError(f"a condition {error}")


def _rules(snapshot: Snapshot) -> ProjectRules:
    return ProjectRules.create(
        platforms=snapshot.platforms,
        overrides={device_id: choice for choice, flow in _overrides(snapshot) for device_id in flow.device_ids},
        experiments=tuple(
            Experiment.create(
                experiment.experiment_id,
                is_paused=experiment.is_paused,
                conditions=compile_conditions(experiment.conditions),
                traffic_buckets=experiment.traffic_buckets,
                salt_version=experiment.salt_version,
                variants=[
                    VariantAllocation(variant.key, variant.flow_id, variant.ranges) for variant in experiment.variants
                ],
            )
            for experiment in snapshot.experiments
        ),
        flows=[
            TargetedFlow.create(flow.flow_id, flow.rollout_buckets, compile_conditions(flow.conditions))
            for flow in snapshot.targeted
        ],
        default_flow_id=None if snapshot.default is None else snapshot.default.flow_id,
    )


def _overrides(snapshot: Snapshot) -> Iterator[tuple[Choice, OverridingFlow]]:
    for number, flow in enumerate(snapshot.overrides):
        yield Choice(Source.OVERRIDE, flow.flow_id, is_draft=number < snapshot.draft_overrides), flow


def _flow_part(snapshot: Snapshot, choice: Choice) -> bytes:
    """Return the flow part of a choice; empty in format 4, whose tails are whole responses."""
    key = (choice.flow_id, choice.is_draft)
    return next((part.body for part in snapshot.flow_parts if (part.flow_id, part.is_draft) == key), b"")


def _tail(snapshot: Snapshot, choice: Choice) -> bytes:
    if choice.source is Source.OVERRIDE:
        return next(flow.tail for override, flow in _overrides(snapshot) if override == choice)
    flows = (snapshot.default,) if choice.source is Source.DEFAULT else snapshot.targeted
    return next(flow.tail for flow in flows if flow is not None and flow.flow_id == choice.flow_id)


def _head_and_tail(snapshot: Snapshot, choice: Choice) -> tuple[bytes, bytes]:
    return next(
        (variant.head, variant.tail)
        for experiment in snapshot.experiments
        for variant in experiment.variants
        if variant_choice(variant.flow_id, experiment.experiment_id, variant.key, experiment.salt_version) == choice
    )
