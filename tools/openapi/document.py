"""The OpenAPI 3.1 document of both services, built from the models and routes that serve."""

from common.version import VERSION
from tools.openapi import components, management, public
from tools.openapi.components import Json, response_headers

_DESCRIPTION = """
Onboarding flows for mobile apps: a dashboard configures them, devices resolve them, statistics measure them.

**Two services.** Paths tagged `sdk` are answered by the edge, with the project's secret key in the headers
`X-Project-Id` and `X-Secret-Key`; they are flat camelCase objects. All others are answered by the management service,
with `Authorization: Bearer`, which is either a JWT of the identity provider or a personal API key; they are snake_case
inside an envelope of `success`, `data` and, where relevant, `pagination` or `message`.

**Versions.** Every path also exists under `/api/v1`, with the same meaning: v1 is the version when a path names none.

**Every path** also answers `OPTIONS`, and `HEAD` where there is a `GET`. Another method is a 405 with `Allow`; a path
that is not here is a 404 `NOT_FOUND`.

**Text** is trimmed of white space at its ends before its length is counted, in Unicode code points. **JSON** that
cannot be stored (NUL characters, numbers outside a double, more than 32 levels of nesting) is a 400. Bodies of the
management service may have 1 MiB; they refuse unknown members, but for those that the service itself writes, which are
ignored, so that what was read can be edited and sent back. Bodies of the edge ignore unknown members.

**Rate limits** per hour: 1000 for a secret key and client address, 5000 for a user, 60 for an address without a valid
credential, unless the operator has set others. The headers `X-RateLimit-*` say how you stand.
"""


def build_document() -> Json:
    """Build the document without a connection to anything; the same code always gives the same document."""
    management_part, public_part = management.ManagementPart(), public.PublicPart()
    paths: dict[str, Json] = {}
    # One path belongs to both services, with different methods.
    for part in (public_part.paths, management_part.paths, _health_paths()):
        for path, item in part.items():
            paths.setdefault(path, {}).update(item)
    tags = {**public.TAGS, **management.TAGS, "operations": "For whoever runs the services."}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Onboarding Configuration Service",
            "version": VERSION,
            "summary": "Self-hosted onboarding flows for mobile apps: resolve, configure, measure.",
            "description": _DESCRIPTION.strip(),
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The management service, which serves this document."}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": components.SECURITY_SCHEMES,
            "parameters": components.PARAMETERS,
            "headers": components.RESPONSE_HEADERS,
            "responses": {**public_part.errors, **management_part.errors},
            "schemas": {**components.ERROR_SCHEMAS, **public.schemas(), **management_part.schemas},
        },
        "tags": [{"name": name, "description": text} for name, text in tags.items()],
    }


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


def _health_paths() -> dict[str, Json]:
    """Give both paths."""
    return {
        "/health/live": {
            "get": _described("get_liveness", "Check that the process runs", "It depends on no other server.")
        },
        "/health/ready": {
            "get": _described(
                "get_readiness",
                "Check whether requests can be served",
                "503 while the service cannot serve; the edge adds the state of its snapshots and events.",
            )
        },
    }


def _described(operation_id: str, summary: str, description: str) -> Json:
    failures = (components.BAD_REQUEST, components.INTERNAL, components.UNAVAILABLE)
    return {
        "operationId": operation_id,
        "summary": summary,
        "description": description,
        "tags": ["operations"],
        "security": [],
        "responses": {"200": _SUCCESS, **{one.status: one.component(counted=False) for one in failures}},
    }
