"""The paths of the edge, which SDKs call, and the schemas of their bodies (contract, section 4)."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from common.errors import ErrorCode
from common.text import text_pattern
from common.wire import public_responses
from common.wire.public_bodies import EventBatchBody, EventBody, EventTime, Properties, ResolveBody, SentTime
from edge_api.api.health import EdgeLiveness, EdgeReadiness
from edge_api.api.routes import CONFIG, EVENT, EVENTS, RESOLVE
from tools.openapi import components, hosted_pages, ofrep
from tools.openapi.components import ErrorResponse, Json, reference, response, response_headers

TAGS = {"sdk": "The endpoints of apps, on the edge, opened by the secret key of a project."}
#: The edge is a server of its own.
SERVERS = [
    {
        "url": "{edge_url}",
        "description": "The edge.",
        "variables": {"edge_url": {"default": "http://127.0.0.1:8080", "description": "The address of the edge."}},
    }
]


@dataclass(frozen=True, slots=True)
class PublicOperation:
    """The documentation of a route; its path, method and body limit come from the table of routes."""

    operation_id: str
    summary: str
    description: str
    #: The response by status.
    responses: Mapping[str, type[msgspec.Struct]]
    body: type[msgspec.Struct] | None = None
    example: Json | None = None
    not_found: Sequence[ErrorCode] = ()


_FLOW_ID = "flow_01h455vb4pex5vsknk084sn02q"
_OPERATIONS = {
    RESOLVE: PublicOperation(
        "resolve_flow",
        "Resolve the flow of a device",
        "Evaluated in this order: the project's QA override for the device, its running experiments, its active flows "
        "that have a condition or a percentage below 100, by priority, its default flow, its other active flows, by "
        "priority. When none of them fits: 404 `INVALID_FLOW`.",
        {"200": public_responses.Resolution},
        ResolveBody,
        {"deviceId": "device-1", "platform": "ios", "appVersion": "2.3.0", "attributes": {"plan": "pro"}},
        (ErrorCode.INVALID_FLOW,),
    ),
    CONFIG: PublicOperation(
        "get_config",
        "Fetch the configuration of the project",
        "All that an SDK needs to resolve by itself while offline. Send the `ETag` back as `If-None-Match`; "
        "each form of it, plain, gzip or brotli by `Accept-Encoding`, has a tag of its own, and any of them gives 304.",
        {"200": public_responses.Configuration},
    ),
    EVENT: PublicOperation(
        "track_event",
        "Send an analytics event",
        "201 means that the event is durable. After any other response send it again with the same `eventId`.\n\n"
        "Built-in types are flow_started, screen_viewed, screen_completed, question_answered, permission_granted, "
        "permission_denied, flow_completed, flow_skipped, purchase and trial_started; any other name is an event of "
        "your own. The properties of a purchase and of a trial are product_id, and amount and currency where they are "
        "known.",
        {"201": public_responses.EventReceipt, "200": public_responses.UnrecordedEvent},
        EventBody,
        {"eventType": "flow_started", "deviceId": "device-1", "flowId": _FLOW_ID, "eventId": "e-1"},
        (ErrorCode.INVALID_FLOW,),
    ),
    EVENTS: PublicOperation(
        "track_events",
        "Send up to 500 analytics events",
        "Each event is checked by itself, as by `track_event`: a bad event does not affect the others.",
        {"200": public_responses.BatchReceipt},
        EventBatchBody,
        {"events": [{"eventType": "screen_viewed", "deviceId": "device-1", "flowId": _FLOW_ID}]},
    ),
}
#: By the name of the body; management has some of these bodies too.
EXAMPLES = {operation.body.__name__: operation.example for operation in _OPERATIONS.values() if operation.body}
_DESCRIPTIONS = {"200": "Success.", "201": "Created."}


class PublicPart:
    """The part of the document that comes from the edge's endpoints: paths and the error responses in use."""

    def __init__(self) -> None:
        self.errors: dict[str, Json] = {}
        self.paths: dict[str, Json] = {}
        for route, operation in _OPERATIONS.items():
            self.paths[route.path] = {route.methods[0].lower(): self._operation(operation, route.body_limit)}
        events = self.paths[EVENTS.path]["post"]
        self.paths |= hosted_pages.hosted_pages_paths(self.errors, events, SERVERS)
        self.paths |= dict(ofrep.ofrep_paths(self.errors, SERVERS))

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
                status: response(
                    _DESCRIPTIONS[status], {"application/json": reference("schemas", body.__name__)}, "X-Config-Version"
                )
                for status, body in operation.responses.items()
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
            content = {"schema": reference("schemas", operation.body.__name__), "example": operation.example}
            described["requestBody"] = {"required": True, "content": {"application/json": content}}
            described["description"] += f"\n\nThe body may have at most {(body_limit or 0) // 1024} KiB."
        for error in _errors(operation):
            self.errors[f"Public{error.name}"] = error.component(counted=True, headers=["X-Config-Version"])
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
    SentTime: {
        "type": "string",
        "format": "date-time",
        "description": "The clock of the device when it sends. Where it differs by more than 60 seconds from that of "
        "the service, times of events are corrected by the difference, and `properties.clock_skew_seconds` has it",
        "examples": ["2026-11-20T19:12:05.456Z"],
    },
    Properties: {"type": "object", "description": "Free JSON of at most 16 KiB"},
}
_TYPES: Final = (
    *(operation.body for operation in _OPERATIONS.values() if operation.body),
    *(response for operation in _OPERATIONS.values() for response in operation.responses.values()),
    public_responses.AcceptedEvent,
    public_responses.RejectedEvent,
    EdgeLiveness,
    EdgeReadiness,
)


def schemas() -> dict[str, Json]:
    """Return the components of bodies and responses by name."""
    _, schemas = msgspec.json.schema_components(
        _TYPES, schema_hook=_CUSTOM_TYPES.__getitem__, ref_template="#/components/schemas/{name}"
    )
    # Conditions and screen types are those of management.
    for owner in ("ConfiguredTargeting", "ConfiguredAudience"):
        schemas[owner]["properties"]["conditions"]["items"] = reference("schemas", "Condition")
    for body in (ResolveBody, EventBody):
        properties = schemas[body.__name__]["properties"]
        properties |= {name: _portable(member, is_trimmed=True) for name, member in properties.items()}
    results = {"anyOf": [reference("schemas", "AcceptedEvent"), reference("schemas", "RejectedEvent")]}
    schemas["BatchReceipt"]["properties"]["results"]["items"] = results
    # Each event is checked by itself, so nothing in one makes the batch a bad request.
    anything = {"description": "Anything else is rejected in its own result."}
    schemas["EventBatchBody"]["properties"]["events"]["items"] = {
        "anyOf": [reference("schemas", "EventBody"), anything]
    }
    for schema in schemas.values():
        schema.pop("title", None)
        if "description" in schema:
            # Python before 3.13 keeps the indentation of docstrings.
            schema["description"] = inspect.cleandoc(schema["description"])
    return {**hosted_pages.SCHEMAS, **ofrep.SCHEMAS, **{name: _portable(schema) for name, schema in schemas.items()}}


def _portable(part: Any, *, is_trimmed: bool = False) -> Any:  # noqa: ANN401 - any JSON
    """Rewrite patterns that name lone surrogates, which JSON as UTF-8 cannot have and some dialects refuse.

    A text that is trimmed gets a pattern of its form before, as clients send it, in place of its lengths.
    """
    if isinstance(part, list):
        return [_portable(item, is_trimmed=is_trimmed) for item in part]
    if not isinstance(part, dict):
        return part
    if "\\ud800" not in part.get("pattern", ""):
        # Only the text itself is trimmed, and no text inside of an object.
        return {key: _portable(item, is_trimmed=is_trimmed and key == "anyOf") for key, item in part.items()}
    if not is_trimmed or "maxLength" not in part:
        return {**part, "pattern": _PLAIN_TEXT}
    rest = {key: item for key, item in part.items() if key not in {"minLength", "maxLength"}}
    return {**rest, "pattern": text_pattern(part.get("minLength", 0), part["maxLength"])}
