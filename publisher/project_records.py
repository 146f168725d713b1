"""The records of a project that the compiler gets: the state of PostgreSQL at one revision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from common.rules.bucketing import BucketRange
from common.wire.public_responses import ConfiguredTheme, PublicScreen, PublicVariable
from publisher.media import MediaRecord


@dataclass(frozen=True, slots=True)
class SealedKey:
    """A secret key as the database stores it."""

    key_id: str
    sealed: bytes
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class FlowRecord:
    """A flow that a device can get: columns by their names, and the screens in order."""

    id: str
    name: str
    status: str
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: list[dict[str, Any]]
    created_at: datetime
    screens: tuple[PublicScreen, ...]
    variables: tuple[PublicVariable, ...] = ()


@dataclass(frozen=True, slots=True)
class QaOverride:
    """A flow of any status, or its draft, that some QA devices always get; the ids of the devices are sorted."""

    flow: FlowRecord
    device_ids: tuple[str, ...]
    is_draft: bool = False


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A flow that is shown as a hosted page, or its draft. A preview is for links, and records nothing."""

    flow: FlowRecord
    is_draft: bool = False
    is_preview: bool = False
    #: Of a preview, as a Unix second: links that were made before were revoked.
    valid_from: int = 0


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """A variant with its flow, of any status."""

    key: str
    name: str
    flow: FlowRecord
    weight: int
    is_control: bool
    ranges: tuple[BucketRange, ...]


@dataclass(frozen=True, slots=True)
class ExperimentRecord:
    """An experiment that is running or paused; `conditions` as they are stored."""

    experiment_id: str
    name: str
    is_paused: bool
    conditions: list[dict[str, Any]]
    traffic_buckets: int
    salt_version: int
    primary_event: str
    started_at: datetime
    variants: tuple[VariantRecord, ...]


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    """A project at one revision.

    `overrides` are drafts, then flows, each in the order of the flows' ids, `experiments` in the order in which they
    were started.

    `active_flows` are in the order of their priority (contract, section 4), the default flow among them;
    `flow_ids` has the ids of all flows, because the edge accepts events of any flow. `pages` has every flow that is not
    archived and not unreviewed, then the drafts with a QA device or a preview link.
    """

    project_id: str
    revision: int
    name: str
    platforms: tuple[str, ...]
    default_flow_id: str | None
    analytics_enabled: bool
    record_answers: bool
    custom_domain: str | None
    secret_keys: tuple[SealedKey, ...]
    themes: tuple[ConfiguredTheme, ...]
    active_flows: tuple[FlowRecord, ...]
    flow_ids: frozenset[str]
    overrides: tuple[QaOverride, ...]
    experiments: tuple[ExperimentRecord, ...]
    pages: tuple[PageRecord, ...]
    #: The media files that screens name, and their partners, by their ids.
    media: Mapping[str, MediaRecord] = field(default_factory=dict)
    #: The default first.
    locales: tuple[str, ...] = ("en",)


@dataclass(frozen=True, slots=True)
class DeletedProject:
    """A deleted project, at the revision of its deletion."""

    project_id: str
    revision: int
