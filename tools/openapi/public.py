"""The paths of the edge, which SDKs call, and the schemas of their bodies (interface, section 4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from common.errors import ErrorCode
from common.rules.assignment_tokens import AssignmentTokens
from common.text import text_pattern
from common.wire import public_responses
from common.wire.public_bodies import EventBatchBody, EventBody, EventTime, Properties, ResolveBody
from edge_api.app import public_endpoints
from tools.openapi import components
from tools.openapi.components import ErrorResponse, Json, reference, response_headers

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
    """The documentation of an endpoint; methods and body limit come from the endpoint itself."""

    operation_id: str
    summary: str
    description: str
    #: Component of the body by status.
    responses: Mapping[str, str]
    body: str | None = None
    example: Json | None = None
    not_found: Sequence[ErrorCode] = ()


_FLOW_ID = "flow_01h455vb4pex5vsknk084sn02q"
_OPERATIONS = {
    "/api/onboarding/resolve": PublicOperation(
        "resolve_flow",
        "Tell which flow to show on a device",
        "Asked in this order: the project's QA override for the device, its running experiments, its active flows that "
        "have a condition or a percentage below 100, by priority, its default flow, its other active flows, by "
        "priority. When none of them fits: 404 `INVALID_FLOW`.",
        {"200": "Resolution"},
        "ResolveBody",
        {"deviceId": "device-1", "platform": "ios", "appVersion": "2.3.0", "attributes": {"plan": "pro"}},
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
        {"eventType": "flow_started", "deviceId": "device-1", "flowId": _FLOW_ID, "eventId": "e-1"},
        (ErrorCode.INVALID_FLOW,),
    ),
    "/api/analytics/events": PublicOperation(
        "track_events",
        "Report up to 500 analytics events",
        "Each event is judged by itself, as by `track_event`; one bad event never sinks the rest.",
        {"200": "BatchReceipt"},
        "EventBatchBody",
        {"events": [{"eventType": "screen_viewed", "deviceId": "device-1", "flowId": _FLOW_ID}]},
    ),
}
#: By the component of the body; management takes some of these bodies too.
EXAMPLES = {operation.body: operation.example for operation in _OPERATIONS.values() if operation.example}
_DESCRIPTIONS = {"200": "Success.", "201": "Created."}


class PublicPart:
    """The part of the document that comes from the edge's endpoints: paths and the error responses in use."""

    def __init__(self) -> None:
        self.errors: dict[str, Json] = {}
        self.paths: dict[str, Json] = {}
        for path, endpoint in public_endpoints(None, AssignmentTokens([b""])).items():
            if not path.startswith("/api/v1/"):
                method = endpoint.methods[0].lower()
                self.paths[path] = {method: self._operation(_OPERATIONS[path], endpoint.body_limit)}

    def _operation(self, operation: PublicOperation, body_limit: int | None) -> Json:
        described: Json = {
            "operationId": operation.operation_id,
            "summary": operation.summary,
            "description": operation.description,
            "tags": list(TAGS),
            "servers": SERVERS,
            "security": [{"project_id": [], "secret_key": []}],
            "parameters": [reference("parameters", "XRequestId")],
            "responses": {
                status: {
                    "description": _DESCRIPTIONS[status],
                    "headers": response_headers("X-Config-Version"),
                    "content": {"application/json": {"schema": reference("schemas", name)}},
                }
                for status, name in operation.responses.items()
            },
        }
        if operation.body is None:
            caching = {name: reference("headers", name) for name in ("ETag", "Cache-Control", "Vary")}
            described["parameters"].insert(0, reference("parameters", "IfNoneMatch"))
            described["responses"]["200"]["headers"] |= caching
            described["responses"]["304"] = {
                "description": "The client has the current configuration.",
                "headers": response_headers("X-Config-Version") | caching,
            }
        else:
            content = {"schema": reference("schemas", operation.body), "example": operation.example}
            described["requestBody"] = {"required": True, "content": {"application/json": content}}
            described["description"] += f"\n\nThe body may have at most {(body_limit or 0) // 1024} KiB."
        for error in _errors(operation):
            component = error.component(counted=True)
            component["headers"]["X-Config-Version"] = reference("headers", "X-Config-Version")
            self.errors[f"Public{error.name}"] = component
            described["responses"][error.status] = reference("responses", f"Public{error.name}")
        return described


def _errors(operation: PublicOperation) -> Iterator[ErrorResponse]:
    yield from (components.BAD_REQUEST, components.UNAUTHORIZED, components.RATE_LIMITED)
    yield from (components.INTERNAL, components.UNAVAILABLE)
    if operation.body is not None:
        yield from (components.TOO_LARGE, components.UNSUPPORTED_TYPE)
    yield from components.not_found(operation.not_found)


#: `common/wire/public_bodies.py` rejects what its patterns leave out; here in terms of every dialect of patterns.
_PLAIN_TEXT = r"^[^\x00-\x08\x0b-\x1f]*$"
_CUSTOM_TYPES: Final[Mapping[type, Json]] = {
    EventTime: {
        "type": "string",
        "format": "date-time",
        "description": "ISO 8601. Not before 2000, and at most 24 hours in the future; without it, the time of arrival",
        "examples": ["2026-11-20T19:12:03.123Z"],
    },
    Properties: {"type": "object", "description": "Free JSON of at most 16 KiB"},
}
_TYPES: Final = (
    ResolveBody,
    EventBody,
    EventBatchBody,
    public_responses.Resolution,
    public_responses.Configuration,
    public_responses.EventReceipt,
    public_responses.UnrecordedEvent,
    public_responses.BatchReceipt,
    public_responses.AcceptedEvent,
    public_responses.RejectedEvent,
)


def schemas() -> dict[str, Json]:
    """Return the components of bodies and responses by name."""
    _, schemas = msgspec.json.schema_components(
        _TYPES, schema_hook=_CUSTOM_TYPES.__getitem__, ref_template="#/components/schemas/{name}"
    )
    for body in (ResolveBody, EventBody):
        schema = schemas[body.__name__]
        schema["properties"] = {name: _trimmed(member) for name, member in schema["properties"].items()}
    results = {"anyOf": [reference("schemas", "AcceptedEvent"), reference("schemas", "RejectedEvent")]}
    schemas["BatchReceipt"]["properties"]["results"]["items"] = results
    # Each event is judged by itself, so nothing in one makes the batch a bad request.
    item = {
        "anyOf": [reference("schemas", "EventBody"), {"description": "Anything else is rejected in its own result."}]
    }
    schemas["EventBatchBody"]["properties"]["events"]["items"] = item
    return {name: _portable(schema) for name, schema in schemas.items()}


def _trimmed(member: Json) -> Json:
    """Say what a member of text accepts before its white space is trimmed, which is what the client sends."""
    if "anyOf" in member:
        return {**member, "anyOf": [_trimmed(choice) for choice in member["anyOf"]]}
    if "maxLength" not in member or "\\ud800" not in member.get("pattern", ""):
        return member
    rest = {key: part for key, part in member.items() if key not in {"minLength", "maxLength"}}
    return {**rest, "pattern": text_pattern(member.get("minLength", 0), member["maxLength"])}


def _portable(part: Any) -> Any:  # noqa: ANN401 - any JSON
    """Rewrite patterns that name lone surrogates, which JSON as UTF-8 cannot have and some dialects refuse."""
    if isinstance(part, list):
        return [_portable(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {key: _PLAIN_TEXT if key == "pattern" and "\\ud800" in one else _portable(one) for key, one in part.items()}
