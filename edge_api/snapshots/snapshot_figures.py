"""How the snapshots of a worker stand, for metrics and for health: read off at one moment, kept by nobody."""

from dataclasses import dataclass
from typing import Literal

CopyState = Literal["off", "written", "failing"]


@dataclass(slots=True)
class LoadCounts:
    """How often snapshots came from where, since the worker started."""

    from_redis: int = 0
    from_disk: int = 0
    failed: int = 0
    #: Stored snapshots that this release could not read.
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class SnapshotFigures:
    """`age_seconds` is the time since Redis last confirmed all that is held; None: never, as far as is known.

    `revision_lag` is the most revisions that a project held is known to be behind Redis. `is_too_stale` tells that
    projects are refused, because what is held is older than the settings allow.
    """

    held: int
    held_bytes: int
    limit_bytes: int
    #: How many had to make room for others.
    evicted: int
    loads: LoadCounts
    age_seconds: float | None
    revision_lag: int
    is_degraded: bool
    #: Projects whose snapshot in Redis is damaged or of a newer release; what is held of them is served.
    unreadable: int
    is_too_stale: bool
    #: Whether copies go to disk; those found damaged, or left out, so far.
    copy: CopyState
    damaged_copies: int
