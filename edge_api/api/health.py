"""GET /health/live and /health/ready (contract, section 3, Operations endpoints)."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from common.errors import UnavailableError
from edge_api.api.response import Response, json_response
from edge_api.events.status import EventsState, EventStatus, SpoolState
from edge_api.snapshots.metrics import CopyState, SnapshotMetrics


class EdgeLiveness(msgspec.Struct):
    """The edge's worker runs."""

    status: Literal["live"]


class SnapshotHealth(msgspec.Struct):
    """The snapshots from which the edge's worker serves."""

    projects: Annotated[int, Meta(description="Projects in memory.")]
    held: Annotated[int, Meta(description="The former name of `projects`, until release 0.4.")]
    age_seconds: Annotated[float | None, Meta(description="Since Redis last confirmed them; null: never.")]
    revision_lag: Annotated[int, Meta(description="The most revisions that a project is known to be behind.")]
    disk_copy: CopyState


class EventHealth(msgspec.Struct):
    """The place where the edge's worker stores events now."""

    store: Annotated[EventsState, Meta(description="none: events get the response 503.")]
    stored: Annotated[
        Literal["redis", "spool", "nowhere"], Meta(description="The former name of `store`, until release 0.4.")
    ]
    spool: SpoolState
    spooled_records: Annotated[int, Meta(description="Waiting on disk for Redis.")]
    spooled_bytes: int
    oldest_seconds: Annotated[float | None, Meta(description="The waiting time of the oldest record.")]


#: The counts that decide about rate limits: of all workers in Redis, or of each worker while Redis is unavailable.
RateLimitState = Literal["shared", "local", "off"]


class EdgeReadiness(msgspec.Struct):
    """The edge's worker can serve requests."""

    status: Literal["ready", "degraded"]
    snapshots: SnapshotHealth
    events: EventHealth
    rate_limits: Annotated[RateLimitState, Meta(description="local: each worker counts alone, without Redis.")]
    redis_reachable: Annotated[bool, Meta(description="For the changes of snapshots.")]
    redis: Annotated[
        Literal["reachable", "away"], Meta(description="The former name of `redis_reachable`, until release 0.4.")
    ]
    clock_difference_seconds: Annotated[
        float | None,
        Meta(description="The clock of Redis minus the clock of the edge's worker; null without rate limits."),
    ]
    assignment_keys: Annotated[
        list[Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]],
        Meta(description="Fingerprints of the edge's keys, the one that signs first, to be compared."),
    ]


def live_response() -> Response:
    """Report that the process runs."""
    return json_response(200, msgspec.json.encode(EdgeLiveness(status="live")))


def ready_response(
    *,
    can_serve: bool,
    snapshots: SnapshotMetrics,
    copies: CopyState,
    events: EventStatus,
    rate_limits: RateLimitState,
    clock_difference: float | None,
    assignment_keys: list[str],
) -> Response:
    """Report whether requests can be served, from where, where events go, and the fingerprints of the signing keys.

    Degraded means that a part works without Redis, or could not do its work if Redis failed now.
    `clock_difference` is the clock of Redis minus the worker's, in seconds, None without rate limits. Raises
    UnavailableError when requests cannot be served.
    """
    if not can_serve:
        raise UnavailableError(
            "The snapshots are older than allowed" if snapshots.is_too_stale else "Redis has not been reached yet"
        )
    is_degraded = snapshots.is_degraded or bool(snapshots.unreadable) or events.is_degraded or rate_limits == "local"
    readiness = EdgeReadiness(
        status="degraded" if is_degraded else "ready",
        snapshots=SnapshotHealth(
            projects=snapshots.cached,
            held=snapshots.cached,
            age_seconds=_tenths(snapshots.age_seconds),
            revision_lag=snapshots.revision_lag,
            disk_copy=copies,
        ),
        events=EventHealth(
            store=events.state,
            stored="nowhere" if events.state == "none" else events.state,
            spool=events.spool.state,
            spooled_records=events.spool.records,
            spooled_bytes=events.spool.bytes,
            oldest_seconds=_tenths(events.spool.oldest_seconds),
        ),
        rate_limits=rate_limits,
        redis_reachable=not snapshots.is_degraded,
        redis="away" if snapshots.is_degraded else "reachable",
        clock_difference_seconds=_tenths(clock_difference),
        assignment_keys=assignment_keys,
    )
    return json_response(200, msgspec.json.encode(readiness))


def _tenths(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
