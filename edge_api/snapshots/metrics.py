"""The state of a worker's snapshots, apart from the modules that import libraries to read them."""

from dataclasses import dataclass
from typing import Literal

CopyState = Literal["off", "written", "failing"]


@dataclass(slots=True)
class LoadCounts:
    """Loaded snapshots by their origin, since the start of the worker."""

    from_redis: int = 0
    from_disk: int = 0
    failed: int = 0
    #: Stored snapshots that this release could not decode.
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class SnapshotMetrics:
    """The state of a worker's snapshots at one moment, for metrics and health.

    `age_seconds` is the time since the cached snapshots were last known to be as new as in Redis; None for never.
    `revision_lag` is the largest number of revisions by which a cached project is behind Redis.
    """

    cached: int
    cached_bytes: int
    limit_bytes: int
    evicted: int
    loads: LoadCounts
    age_seconds: float | None
    revision_lag: int
    is_degraded: bool
    #: Projects whose snapshot in Redis is damaged or of a newer release.
    unreadable: int
    #: Whether requests are rejected because the snapshots are older than the settings allow.
    is_too_stale: bool


@dataclass(frozen=True, slots=True)
class CopyMetrics:
    """The state of the copies on disk, for metrics and health."""

    state: CopyState = "off"
    damaged: int = 0
