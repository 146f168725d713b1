"""The OpenAPI 3.1 document of both services, made of the models and routes that serve."""

from typing import Any

from common.version import VERSION
from tools.openapi import management_paths, public_paths
from tools.openapi.common_headers import PARAMETERS, RESPONSE_HEADERS
from tools.openapi.error_responses import ERROR_SCHEMAS
from tools.openapi.examples import add_examples
from tools.openapi.health_paths import health_paths
from tools.openapi.json_types import Json
from tools.openapi.management_paths import ManagementPart
from tools.openapi.public_paths import PublicPart
from tools.openapi.public_schemas import public_schemas

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
_SECURITY_SCHEMES: Json = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A JWT of the identity provider, or a personal API key (`obk_api_...`).",
    },
    "project_id": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Project-Id",
        "description": "The project's id; always together with `X-Secret-Key`.",
    },
    "secret_key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Secret-Key",
        "description": "A secret key of the project (`obk_sk_...`); always together with `X-Project-Id`.",
    },
}


def build_document() -> Json:
    """Make the whole document. Nothing is connected to; the same code always makes the same document."""
    management, public = ManagementPart(), PublicPart()
    tags = {**public_paths.TAGS, **management_paths.TAGS, "operations": "For whoever runs the services."}
    document: Json = {
        "openapi": "3.1.0",
        "info": {
            "title": "Onboarding Configuration Service",
            "version": VERSION,
            "summary": "Self-hosted onboarding flows for mobile apps: resolve, configure, measure.",
            "description": _DESCRIPTION.strip(),
        },
        "servers": [{"url": "/", "description": "The management service, which serves this document."}],
        "security": [{"bearer": []}],
        "paths": _merged(public.paths, management.paths, health_paths()),
        "components": {
            "securitySchemes": _SECURITY_SCHEMES,
            "parameters": PARAMETERS,
            "headers": RESPONSE_HEADERS,
            "responses": {**public.used_errors, **management.used_errors},
            "schemas": {**ERROR_SCHEMAS, **public_schemas(), **management.schemas},
        },
    }
    used = {tag for path in document["paths"].values() for tag in _tags_of(path)}
    document["tags"] = [{"name": name, "description": text} for name, text in tags.items() if name in used]
    add_examples(document)
    return document


def _merged(*parts: dict[str, Json]) -> dict[str, Json]:
    """Put all paths together; the services have one in common, which each answers by a method of its own."""
    merged: dict[str, Json] = {}
    for part in parts:
        for path, item in part.items():
            merged.setdefault(path, {}).update(item)
    return merged


def _tags_of(path: Json) -> set[str]:
    operations: list[Any] = [one for one in path.values() if isinstance(one, dict) and "tags" in one]
    return {tag for operation in operations for tag in operation["tags"]}
