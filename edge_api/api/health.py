"""GET /health/live and /health/ready (contract, section 3, Operations endpoints)."""

import orjson

from common.errors import UnavailableError
from edge_api.api.response import Response, json_response
from edge_api.events.status import EventStatus
from edge_api.snapshots.metrics import SnapshotMetrics

LIVE_PATH, READY_PATH = HEALTH_PATHS = ("/health/live", "/health/ready")


def live_response() -> Response:
    """Report that the process runs."""
    return json_response(200, b'{"status":"live"}')


def ready_response(
    *,
    can_serve: bool,
    snapshots: SnapshotMetrics,
    events: EventStatus,
    clock_difference: float | None,
    assignment_keys: list[str],
) -> Response:
    """Report whether requests can be served, from where, where events go, and the fingerprints of the signing keys.

    `clock_difference` is the clock of Redis minus the worker's, in seconds, None without rate limits. Raises
    UnavailableError when requests cannot be served.
    """
    if not can_serve:
        raise UnavailableError(
            "The snapshots are older than allowed" if snapshots.is_too_stale else "Redis has not been reached yet"
        )
    is_degraded = snapshots.is_degraded or bool(snapshots.unreadable) or events.is_degraded
    return json_response(
        200,
        orjson.dumps(
            {
                "status": "degraded" if is_degraded else "ready",
                "snapshots": {
                    "held": snapshots.cached,
                    "age_seconds": None if snapshots.age_seconds is None else round(snapshots.age_seconds, 1),
                    "revision_lag": snapshots.revision_lag,
                    "disk_copy": snapshots.copies,
                },
                "events": {
                    "stored": events.state,
                    "spool": events.spool.state,
                    "spooled_records": events.spool.records,
                    "spooled_bytes": events.spool.bytes,
                    "oldest_seconds": None
                    if events.spool.oldest_seconds is None
                    else round(events.spool.oldest_seconds, 1),
                },
                "redis": "away" if snapshots.is_degraded else "reachable",
                "clock_difference_seconds": None if clock_difference is None else round(clock_difference, 1),
                "assignment_keys": assignment_keys,
            }
        ),
    )
