"""The OpenAPI 3.1 document of both services, built from the models and routes that serve."""

from common.version import VERSION
from tools.openapi import components, hosted_pages, management, public
from tools.openapi.components import Json, reference, response

_DESCRIPTION = """
Onboarding flows for mobile apps: a dashboard configures them, devices resolve them, statistics measure them.

**Two services.** The edge serves the paths tagged `sdk`, for the project's secret key in the headers `X-Project-Id` and
`X-Secret-Key`; its responses are flat camelCase objects. The management service serves all others, for
`Authorization: Bearer` with a JWT of the identity provider or a personal API key; its responses are snake_case inside
an envelope of `success`, `data` and, where relevant, `pagination` or `message`. Ids of parents have two spellings in
requests, such as `projectId` and `project_id`; send one of them.

**Versions.** Every path also exists under `/api/v1`, with the same meaning: v1 is the version when a path names none.

**Every path** also answers `OPTIONS`, and `HEAD` where there is a `GET`. Another method is a 405 with `Allow`; a path
that is not here is a 404 `NOT_FOUND`.

**Text** is trimmed of white space at its ends before its length is counted, in Unicode code points. **JSON** that
cannot be stored (NUL characters, numbers outside a double, more than 32 levels of nesting) is a 400. Bodies of the
management service may have 1 MiB; they refuse unknown members, but for those that the service itself writes, which are
ignored, so that what was read can be edited and sent back. Bodies of the edge ignore unknown members.

**Rate limits** per hour: 1000 for a secret key and client address, 5000 for a user, 60 for an address without a valid
credential, unless the operator has set others. The headers `X-RateLimit-*` have the limit and the rest of it. A
request whose description gives a number counts as that many requests, or as those that are left.
"""


def build_document() -> Json:
    """Build the document without a connection to anything; the same code always produces the same document."""
    management_part, public_part = management.ManagementPart(), public.PublicPart()
    paths: dict[str, Json] = {}
    # One path belongs to both services, with different methods.
    for part in (public_part.paths, management_part.paths, _health_paths()):
        for path, item in part.items():
            paths.setdefault(path, {}).update(item)
    tags = {
        **public.TAGS,
        **hosted_pages.TAGS,
        **management.TAGS,
        "operations": "Health of the services, for their operators.",
    }
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


def _health_paths() -> dict[str, Json]:
    """Return the paths of both services that report their health."""
    return {
        "/health/live": _health(
            "get_liveness", "Check that the process runs", "It depends on no other server.", "EdgeLiveness"
        ),
        "/health/ready": _health(
            "get_readiness",
            "Check whether requests can be served",
            "503 while the service cannot serve; the edge adds the state of its snapshots and events.",
            "EdgeReadiness",
        ),
    }


def _health(operation_id: str, summary: str, description: str, edge_response: str) -> Json:
    management: Json = {"type": "object", "properties": {"success": {"const": True}}, "required": ["success"]}
    failures = (components.BAD_REQUEST, components.INTERNAL, components.UNAVAILABLE)
    success = response(
        "The management service responds with `success`, the edge with its `status`.",
        {"application/json": {"anyOf": [management, reference("schemas", edge_response)]}},
        counted=False,
    )
    operation: Json = {
        "operationId": operation_id,
        "summary": summary,
        "description": description,
        "tags": ["operations"],
        "security": [],
        "responses": {"200": success, **{error.status: error.component(counted=False) for error in failures}},
    }
    return {"get": operation}
