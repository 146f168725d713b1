"""The content of a project: the typed input of the compiler of snapshots."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from common.rules.bucketing import BucketRange


@dataclass(frozen=True, slots=True)
class SealedKey:
    """A secret key as the database stores it."""

    key_id: str
    sealed: bytes
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class ThemeContent:
    """A theme; the members of its three objects are the customer's and pass untouched."""

    theme_id: str
    name: str
    is_default: bool
    colors: dict[str, Any]
    typography: dict[str, Any]
    border_radius: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """A screen; `content` and `settings` are the customer's and pass untouched."""

    screen_id: str
    type: str
    name: str | None
    order: int
    content: dict[str, Any]
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FlowContent:
    """A flow that a device can get, with its screens in order; `conditions` as they are stored."""

    flow_id: str
    name: str
    status: str
    theme_id: str | None
    priority: int
    rollout_buckets: int
    conditions: list[dict[str, Any]]
    created_at: datetime
    screens: tuple[ScreenContent, ...]


@dataclass(frozen=True, slots=True)
class OverridingContent:
    """A flow of any status that some QA devices always get; the ids of the devices are sorted."""

    flow: FlowContent
    device_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VariantContent:
    """A variant with its flow, of any status."""

    key: str
    name: str
    flow: FlowContent
    weight: int
    is_control: bool
    ranges: tuple[BucketRange, ...]


@dataclass(frozen=True, slots=True)
class ExperimentContent:
    """An experiment that is running or paused; `conditions` as they are stored."""

    experiment_id: str
    name: str
    is_paused: bool
    conditions: list[dict[str, Any]]
    traffic_buckets: int
    salt_version: int
    primary_event: str
    started_at: datetime
    variants: tuple[VariantContent, ...]


@dataclass(frozen=True, slots=True)
class ProjectContent:
    """A project at one revision.

    `overrides` are in the order of their flows' ids, `experiments` in the order in which they were started.

    `active_flows` are in the order of their priority (contract, section 4), the default flow among them;
    `flow_ids` has the ids of all flows, because the edge accepts events of any flow.
    """

    project_id: str
    revision: int
    name: str
    platforms: tuple[str, ...]
    default_flow_id: str | None
    analytics_enabled: bool
    custom_domain: str | None
    secret_keys: tuple[SealedKey, ...]
    themes: tuple[ThemeContent, ...]
    active_flows: tuple[FlowContent, ...]
    flow_ids: frozenset[str]
    overrides: tuple[OverridingContent, ...]
    experiments: tuple[ExperimentContent, ...]


@dataclass(frozen=True, slots=True)
class DeletedProject:
    """A deleted project, at the revision of its deletion."""

    project_id: str
    revision: int


ProjectState = ProjectContent | DeletedProject
