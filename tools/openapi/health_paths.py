"""The health endpoints, which both services have outside of /api."""

from tools.openapi import error_responses as errors
from tools.openapi.common_headers import response_headers
from tools.openapi.json_types import Json

_SNAPSHOTS: Json = {
    "type": "object",
    "description": "What the edge's worker serves from.",
    "properties": {
        "held": {"type": "integer", "description": "Projects in memory."},
        "age_seconds": {"type": ["number", "null"], "description": "Since Redis last confirmed them; null: never."},
        "revision_lag": {"type": "integer", "description": "The most revisions that one is known to be behind."},
        "disk_copy": {"enum": ["off", "written", "failing"]},
    },
    "required": ["held", "age_seconds", "revision_lag", "disk_copy"],
}
_EVENTS: Json = {
    "type": "object",
    "description": "Where the edge's worker stores events now.",
    "properties": {
        "stored": {"enum": ["redis", "spool", "nowhere"], "description": "nowhere: they are answered 503."},
        "spool": {"enum": ["off", "empty", "filled", "failing"]},
        "spooled_records": {"type": "integer", "description": "Waiting on disk for Redis."},
        "spooled_bytes": {"type": "integer"},
        "oldest_seconds": {"type": ["number", "null"], "description": "How long the oldest has been waiting."},
    },
    "required": ["stored", "spool", "spooled_records", "spooled_bytes", "oldest_seconds"],
}
_SUCCESS: Json = {
    "description": "It is so.",
    "headers": response_headers(counted=False),
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "description": "The management service says `success`, the edge its `status`.",
                "properties": {
                    "success": {"const": True},
                    "status": {"enum": ["live", "ready", "degraded"]},
                    "redis": {"enum": ["reachable", "away"]},
                    "clock_difference_seconds": {
                        "type": ["number", "null"],
                        "description": "The clock of Redis minus the clock of the edge's worker; null without rate"
                        " limits.",
                    },
                    "snapshots": _SNAPSHOTS,
                    "events": _EVENTS,
                    "assignment_keys": {
                        "type": "array",
                        "description": "Fingerprints of the edge's keys, the one that signs first, to be compared.",
                        "items": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
                    },
                },
                "anyOf": [{"required": ["success"]}, {"required": ["status"]}],
            }
        }
    },
}


def health_paths() -> dict[str, Json]:
    """Give both paths."""
    return {
        "/health/live": {"get": _described("get_liveness", "Tell that the process runs")},
        "/health/ready": {"get": _described("get_readiness", "Tell whether requests can be served")},
    }


def _described(operation_id: str, summary: str) -> Json:
    failures = (errors.BAD_REQUEST, errors.INTERNAL, errors.UNAVAILABLE)
    return {
        "operationId": operation_id,
        "summary": summary,
        "tags": ["operations"],
        "security": [],
        "responses": {"200": _SUCCESS, **{one.status: one.component(counted=False) for one in failures}},
    }
