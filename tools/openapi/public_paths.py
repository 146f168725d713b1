"""The paths of the edge, which SDKs call (interface, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from common.errors import ErrorCode
from common.rules.assignment_tokens import AssignmentTokens
from edge_api.app import public_endpoints
from tools.openapi import error_responses as errors
from tools.openapi.common_headers import response_headers
from tools.openapi.error_responses import ErrorResponse
from tools.openapi.json_types import Json, reference

TAGS = {"sdk": "What apps call, on the edge, with their project's secret key."}
#: The edge is a server of its own.
SERVERS = [
    {
        "url": "{edge_url}",
        "description": "The edge.",
        "variables": {"edge_url": {"default": "http://127.0.0.1:8080", "description": "Where the edge answers."}},
    }
]


@dataclass(frozen=True, slots=True)
class PublicOperation:
    """What the document says of an endpoint besides its methods and its body limit, which it knows itself."""

    operation_id: str
    summary: str
    description: str
    answers: dict[str, str]
    body: str | None = None
    not_found: Sequence[ErrorCode] = ()


_OPERATIONS = {
    "/api/onboarding/resolve": PublicOperation(
        "resolve_flow",
        "Tell which flow to show on a device",
        "Asked in this order: the project's QA override for the device, its running experiments, its active flows that "
        "have a condition or a percentage below 100, by priority, its default flow, its other active flows, by "
        "priority. When none of them fits: 404 `INVALID_FLOW`.",
        {"200": "Resolution"},
        "ResolveBody",
        (ErrorCode.INVALID_FLOW,),
    ),
    "/api/config": PublicOperation(
        "get_config",
        "Fetch the configuration of the project",
        "Everything that an SDK needs to resolve by itself while offline. Send the `ETag` back as `If-None-Match`; "
        "each form of it, plain, gzip or brotli by `Accept-Encoding`, has a tag of its own, and any of them gives 304.",
        {"200": "Configuration"},
    ),
    "/api/analytics/event": PublicOperation(
        "track_event",
        "Report an analytics event",
        "201 is a promise that the event is durable. Send it again with the same `eventId` after any other answer.\n\n"
        "Built-in types are flow_started, screen_viewed, screen_completed, question_answered, permission_granted, "
        "permission_denied, flow_completed and flow_skipped; any other name is an event of your own.",
        {"201": "EventReceipt", "200": "UnrecordedEvent"},
        "EventBody",
        (ErrorCode.INVALID_FLOW,),
    ),
    "/api/analytics/events": PublicOperation(
        "track_events",
        "Report up to 500 analytics events",
        "Each event is judged by itself, as by `track_event`; one bad event never sinks the rest.",
        {"200": "BatchReceipt"},
        "EventBatchBody",
    ),
}
_DESCRIPTIONS = {"200": "Success.", "201": "Created."}


class PublicPart:
    """The part of the document that the edge's endpoints give: paths, and the error responses they use."""

    def __init__(self) -> None:
        self.used_errors: dict[str, Json] = {}
        self.paths: dict[str, Json] = {}
        for path, endpoint in public_endpoints(None, AssignmentTokens([b""])).items():
            if not path.startswith("/api/v1/"):
                operation = _OPERATIONS[path]
                described = self._described(operation, endpoint.body_limit)
                self.paths[path] = {endpoint.methods[0].lower(): described}

    def _described(self, operation: PublicOperation, body_limit: int | None) -> Json:
        described: Json = {
            "operationId": operation.operation_id,
            "summary": operation.summary,
            "description": operation.description,
            "tags": list(TAGS),
            "servers": SERVERS,
            "security": [{"project_id": [], "secret_key": []}],
            "parameters": [reference("parameters", "XRequestId")],
            "responses": {status: _success(status, name) for status, name in operation.answers.items()},
        }
        if operation.body is None:
            described["parameters"].insert(0, reference("parameters", "IfNoneMatch"))
            described["responses"]["200"]["headers"] |= _caching()
            described["responses"]["304"] = _not_modified()
        else:
            content = {"application/json": {"schema": reference("schemas", operation.body)}}
            described["requestBody"] = {"required": True, "content": content}
            described["description"] += f"\n\nThe body may have at most {(body_limit or 0) // 1024} KiB."
        for error in _errors(operation):
            component = error.component(counted=True)
            component["headers"]["X-Config-Version"] = reference("headers", "X-Config-Version")
            self.used_errors[f"Public{error.name}"] = component
            described["responses"][error.status] = reference("responses", f"Public{error.name}")
        return described


def _success(status: str, name: str) -> Json:
    return {
        "description": _DESCRIPTIONS[status],
        "headers": response_headers("X-Config-Version"),
        "content": {"application/json": {"schema": reference("schemas", name)}},
    }


def _caching() -> Json:
    return {name: reference("headers", name) for name in ("ETag", "Cache-Control", "Vary")}


def _not_modified() -> Json:
    return {
        "description": "The client has the current configuration.",
        "headers": {**response_headers("X-Config-Version"), **_caching()},
    }


def _errors(operation: PublicOperation) -> list[ErrorResponse]:
    missing = errors.not_found(operation.not_found)
    with_body = [errors.TOO_LARGE, errors.UNSUPPORTED_TYPE] if operation.body else []
    always = [errors.BAD_REQUEST, errors.UNAUTHORIZED, errors.RATE_LIMITED, errors.INTERNAL, errors.UNAVAILABLE]
    return [*always, *with_body, *([missing] if missing else [])]
