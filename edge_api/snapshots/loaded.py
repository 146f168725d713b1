"""A decoded snapshot; its rules are compiled and its responses are made at the first request that needs them."""

from collections.abc import Iterable
from typing import Self

import msgspec

from common.rules.conditions import Condition, compile_conditions, condition_error
from common.rules.locales import ProjectLocales
from common.rules.resolution import (
    Experiment,
    ProjectRules,
    TargetedFlow,
    VariantAllocation,
)
from common.wire.snapshot import FlowTexts, Snapshot, SnapshotFormatError, decode_snapshot
from edge_api.api.config_representations import ConfigRepresentations
from edge_api.snapshots.bodies import MAX_LOCALIZED_BYTES, Bodies, LocalizedBodies, overrides_of

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


class Answers(Bodies, gc=False, eq=False, kw_only=True):
    """The compiled rules of a project, and the finished responses of the choices that devices had."""

    rules: ProjectRules
    #: None where the project has one locale.
    locales: ProjectLocales | None = None
    #: By flow id and is_draft.
    texts: dict[tuple[str, bool], FlowTexts] = msgspec.field(default_factory=dict)
    #: The bodies of other locales than the default, and the sum of their bytes in the first item of `sizes`.
    localized: dict[str, LocalizedBodies] = msgspec.field(default_factory=dict)
    sizes: list[int] = msgspec.field(default_factory=lambda: [0])

    @classmethod
    def from_snapshot(cls, snapshot: Snapshot) -> Self:
        """Compile the rules of a snapshot whose conditions are known."""
        pages = {(page.flow_id, page.is_draft, page.is_preview): page for page in snapshot.pages or ()}
        return cls(
            snapshot=snapshot,
            pages=pages,
            rules=_rules(snapshot),
            locales=ProjectLocales(snapshot.locales, snapshot.locale_aliases) if snapshot.locales else None,
            texts={(texts.flow_id, texts.is_draft): texts for texts in snapshot.flow_texts},
        )

    def in_locale(self, locale: str) -> Bodies:
        """Return the bodies of a locale of the project."""
        if self.sizes[0] > MAX_LOCALIZED_BYTES:
            self.localized.clear()
            self.sizes[0] = 0
        return self.localized.get(locale) or self._add_locale(locale)

    def _add_locale(self, locale: str) -> Bodies:
        if locale == self.snapshot.locales[0]:
            return self
        bodies = self.localized[locale] = LocalizedBodies(
            snapshot=self.snapshot,
            pages={},
            locale=locale,
            texts=self.texts,
            originals=self.pages,
            sizes=self.sizes,
        )
        return bodies


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
        if snapshot.locales:
            bodies = sum(len(part.body) for part in snapshot.flow_parts)
            bodies += sum(len(page.gzip) for page in snapshot.pages or ())
            size += min(bodies * len(snapshot.locales), MAX_LOCALIZED_BYTES)
        return cls(snapshot, size, b"%d" % snapshot.revision)


def _check(conditions: Iterable[Condition]) -> None:
    for condition in conditions:
        error = condition_error(condition)
        if error is not None:
            raise SnapshotFormatError(f"a condition {error}")


def _rules(snapshot: Snapshot) -> ProjectRules:
    return ProjectRules.create(
        platforms=snapshot.platforms,
        overrides={device_id: choice for choice, flow in overrides_of(snapshot) for device_id in flow.device_ids},
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
