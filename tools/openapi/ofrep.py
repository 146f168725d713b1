"""The paths of OFREP on the edge, the remote evaluation protocol of OpenFeature."""

from collections.abc import Iterator

from common.errors import ErrorCode
from common.rules.conditions import MAX_NAME_LENGTH
from common.text import text_pattern
from common.wire.public_bodies import MAX_ATTRIBUTE_LENGTH, MAX_ATTRIBUTES
from edge_api.api.ofrep import FLAGS
from edge_api.api.routes import API_OFREP_FLAG, API_OFREP_FLAGS, OFREP_FLAG, OFREP_FLAGS
from tools.openapi import components
from tools.openapi.components import ErrorResponse, Json, reference, response

_ERRORS = (
    *(components.BAD_REQUEST, components.UNAUTHORIZED, components.RATE_LIMITED, components.TOO_LARGE),
    *(components.UNSUPPORTED_TYPE, components.INTERNAL, components.UNAVAILABLE),
)
_DEVICE = ("platform", "appVersion", "osVersion", "locale", "country", "assignmentToken", "attributes")
_SCALAR: Json = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_ATTRIBUTE_LENGTH, "pattern": text_pattern(0, MAX_ATTRIBUTE_LENGTH)},
        {"type": ["boolean", "number", "object", "array", "null"]},
    ]
}
_CONTEXT: Json = {
    "type": "object",
    "description": "`targetingKey` is the id of the device. Scalars that a resolve does not have are attributes.",
    "properties": {
        "targetingKey": {"$ref": "#/components/schemas/ResolveBody/properties/deviceId"},
        **{name: {"$ref": f"#/components/schemas/ResolveBody/properties/{name}"} for name in _DEVICE},
    },
    "required": ["targetingKey"],
    "additionalProperties": _SCALAR,
    "propertyNames": {"minLength": 1, "maxLength": MAX_NAME_LENGTH, "pattern": text_pattern(1, MAX_NAME_LENGTH)},
    "maxProperties": MAX_ATTRIBUTES,
}
SCHEMAS: Json = {
    "OfrepBody": {"type": "object", "properties": {"context": _CONTEXT}, "required": ["context"]},
    "OfrepFlag": {
        "type": "object",
        "description": "A flag for one device. Without a flow the values are `{}`, `false` and empty texts.",
        "properties": {
            "key": {"enum": list(FLAGS)},
            "value": {"type": ["object", "string", "boolean"]},
            "reason": {"enum": ["TARGETING_MATCH", "SPLIT", "STATIC", "DISABLED"]},
            "variant": {"type": "string"},
            "metadata": {"type": "object", "additionalProperties": {"type": ["string", "boolean", "number"]}},
        },
        "required": ["key", "value", "reason", "variant", "metadata"],
    },
}
_FLAG = reference("schemas", "OfrepFlag")
_LIST: Json = {
    "type": "object",
    "properties": {"flags": {"type": "array", "items": _FLAG}, "metadata": {"type": "object"}},
    "required": ["flags", "metadata"],
}
_KEY: Json = {
    "name": "key",
    "in": "path",
    "required": True,
    "description": f"One of {', '.join(f'`{key}`' for key in FLAGS)}.",
    "schema": {"type": "string", "minLength": 1},
    "example": "onboarding",
}


def ofrep_paths(errors: dict[str, Json], servers: list[Json]) -> Iterator[tuple[str, Json]]:
    """Yield the paths. Error responses in use are added to `errors`."""

    def failures(*responses: ErrorResponse) -> Json:
        for error in responses:
            errors[f"Public{error.name}"] = error.component(counted=True, headers=["X-Config-Version"])
        return {error.status: reference("responses", f"Public{error.name}") for error in responses}

    for prefix, route in (("", OFREP_FLAG), ("api_", API_OFREP_FLAG)):
        responses = {
            "200": response("The flag.", {"application/json": _FLAG}, "X-Config-Version"),
            **failures(*_ERRORS, *components.not_found([ErrorCode.NOT_FOUND])),
        }
        summary = "Evaluate a flag of OpenFeature"
        description = "A device that gets a flow has an exposure from then on, as after a resolve."
        yield route.path, _operation(f"{prefix}evaluate_flag", summary, description, [_KEY], responses, servers)
    for prefix, route in (("", OFREP_FLAGS), ("api_", API_OFREP_FLAGS)):
        caching = ("ETag", "Cache-Control", "X-Config-Version")
        responses = {
            "200": response("The flags.", {"application/json": _LIST}, *caching),
            "304": response("The client has these values.", {}, *caching),
            **failures(*_ERRORS),
        }
        summary = "Evaluate all flags of OpenFeature"
        description = "No exposure is recorded. The `ETag` is of the bytes of the response."
        parameters = [reference("parameters", "IfNoneMatch")]
        yield route.path, _operation(f"{prefix}evaluate_flags", summary, description, parameters, responses, servers)


def _operation(
    operation_id: str, summary: str, description: str, parameters: list[Json], responses: Json, servers: list[Json]
) -> Json:
    example = {"context": {"targetingKey": "device-1", "platform": "ios", "plan": "pro"}}
    content = {"schema": reference("schemas", "OfrepBody"), "example": example}
    operation: Json = {
        "operationId": operation_id,
        "summary": summary,
        "description": f"{description} Errors have `errorCode` and `errorDetails`. Credentials are the headers of the "
        "other endpoints, or `{project id}.{secret key}` as `Authorization: Bearer` or `X-API-Key`.",
        "tags": ["sdk"],
        "servers": servers,
        "security": [{"project_id": [], "secret_key": []}],
        "parameters": [*parameters, reference("parameters", "XRequestId")],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": responses,
    }
    return {"post": operation}
