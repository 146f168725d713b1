"""OFREP 0.3, the OpenFeature Remote Evaluation Protocol: the flow of a device as four flags.

Clients of OpenFeature in all languages use it unmodified. A single evaluation records an exposure, as a resolve does.
A bulk evaluation does not, because clients evaluate all flags before they show any.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from common.errors import FlowNotFoundError, InvalidRequestError, RequestError
from common.json_body import convert_object
from common.rules.bucketing import BUCKETS
from common.rules.resolution import Source
from common.wire.public_bodies import ResolveBody
from common.wire.snapshot import Snapshot
from edge_api.api.headers import header_text, match_etag
from edge_api.api.request import IF_NONE_MATCH, AuthenticatedProject, RequestContext
from edge_api.api.resolve import ResolveEndpoint
from edge_api.api.response import JSON_CONTENT, Response, json_response, make_response

#: The members of a context that are members of a resolve's body; other scalars are attributes.
_DEVICE_MEMBERS = ("platform", "appVersion", "osVersion", "locale", "country", "assignmentToken")
_TARGETING_KEY, _ATTRIBUTES = "targetingKey", "attributes"
_NO_VARIANT = "none"

Json = dict[str, Any]
#: The resolution of a device, as the response of a resolve; empty without a flow.
Resolution = Mapping[str, Any]


def _variant_of(resolution: Resolution) -> str:
    """Return the key of the variant, else the id of the flow."""
    return resolution["assignment"].get("variant") or resolution["flowId"] if resolution else ""


#: The flags, and the value of each for a resolution.
FLAGS: Mapping[str, Callable[[Resolution], object]] = {
    "onboarding": dict,
    "onboarding.flow-id": lambda resolution: resolution.get("flowId", ""),
    "onboarding.enabled": bool,
    "onboarding.variant": _variant_of,
}


class OfrepFlagEndpoint:
    """POST /ofrep/v1/evaluate/flags/{key}: one flag, with an exposure."""

    def __init__(self, resolve: ResolveEndpoint, *, records_exposures: bool) -> None:
        self._resolve = resolve
        self._records_exposures = records_exposures

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> Response:
        """Evaluate a flag. Raises RequestError."""
        key = request.parameters["key"]
        if key not in FLAGS:
            return _failure(404, "NOT_FOUND", "FLAG_NOT_FOUND", f"There is no flag {key[:100]}", key)
        device = _read_device(request.body)
        if isinstance(device, Response):
            return device
        resolution = _resolution(self._resolve, project, device)
        source = resolution["assignment"]["source"] if resolution else None
        is_recorded = (
            self._records_exposures
            and project.snapshot.snapshot.analytics_enabled
            and source is not None
            and source != Source.OVERRIDE
        )
        return json_response(200, orjson.dumps(_evaluated(key, project, resolution, is_recorded=is_recorded)))


class OfrepFlagsEndpoint:
    """POST /ofrep/v1/evaluate/flags: all flags, without an exposure."""

    def __init__(self, resolve: ResolveEndpoint) -> None:
        """Take an endpoint that records nothing."""
        self._resolve = resolve

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> Response:
        """Evaluate all flags. Raises RequestError.

        The tag is of the bytes, because clients send the tag of an answer to another context.
        """
        device = _read_device(request.body)
        if isinstance(device, Response):
            return device
        resolution = _resolution(self._resolve, project, device)
        flags = [_evaluated(key, project, resolution, is_recorded=False) for key in FLAGS]
        body = orjson.dumps({"flags": flags, "metadata": {"exposureRecorded": False}})
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = ((b"etag", tag.encode()), (b"cache-control", b"private, no-cache"))
        if match_etag(header_text(request.headers, IF_NONE_MATCH), (tag,)) is not None:
            return make_response(304, headers, b"")
        return make_response(200, (JSON_CONTENT, *headers), body)


def with_ofrep_error(response: Response, key: str | None) -> Response:
    """Return the response to an error of the edge with the members that OFREP requires."""
    document: Json = orjson.loads(response.body + response.tail)
    if "errorCode" not in document:
        document |= {"errorCode": "GENERAL", "errorDetails": document["error"]}
    if key is not None:
        document.setdefault("key", key)
    headers = tuple(pair for pair in response.headers if pair[0] != b"content-length")
    return make_response(response.status, headers, orjson.dumps(document))


def _failure(status: int, code: str, error_code: str, details: str, key: str | None = None) -> Response:
    document: Json = {"success": False, "error": details, "code": code, "status": status}
    document |= {"errorCode": error_code, "errorDetails": details} | ({} if key is None else {"key": key})
    return json_response(status, orjson.dumps(document))


def _read_device(body: bytes) -> ResolveBody | Response:
    """Return the device of a context, or the response to a context that has none."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _failure(400, "INVALID_PARAMETER", "PARSE_ERROR", "The request body must be valid JSON")
    context = document.get("context") if isinstance(document, dict) else None
    if not isinstance(context, dict):
        return _failure(400, "INVALID_PARAMETER", "INVALID_CONTEXT", "context must be an object")
    targeting_key = context.get(_TARGETING_KEY)
    if not isinstance(targeting_key, str) or not targeting_key.strip():
        return _failure(400, "MISSING_PARAMETER", "TARGETING_KEY_MISSING", "context.targetingKey is required")
    try:
        return convert_object(_resolve_document(context), ResolveBody)
    except InvalidRequestError as error:
        details = "; ".join(f"context.{_in_context(detail.field)} {detail.message}" for detail in error.details)
        return _failure(400, "INVALID_PARAMETER", "INVALID_CONTEXT", details)
    except RequestError as error:
        return _failure(400, "INVALID_PARAMETER", "INVALID_CONTEXT", error.message)


def _in_context(field: str) -> str:
    return _TARGETING_KEY if field == "deviceId" else field


def _resolve_document(context: Json) -> Json:
    """Return the body of a resolve. Scalars that it does not have are attributes; others are ignored."""
    own = context.get(_ATTRIBUTES)
    taken = {_TARGETING_KEY, _ATTRIBUTES, *_DEVICE_MEMBERS}
    attributes: object = {
        name: value
        for name, value in context.items()
        if name not in taken and isinstance(value, str | bool | int | float)
    }
    if isinstance(own, dict) and isinstance(attributes, dict):
        attributes = {**attributes, **own}
    elif own is not None:
        # The validation has the message.
        attributes = own
    document = {name: context[name] for name in _DEVICE_MEMBERS if name in context}
    return {"deviceId": context[_TARGETING_KEY], **document, **({} if attributes == {} else {_ATTRIBUTES: attributes})}


def _resolution(resolve: ResolveEndpoint, project: AuthenticatedProject, device: ResolveBody) -> Resolution:
    try:
        response = resolve.resolve(project, device)
    except FlowNotFoundError:
        return {}
    found: Json = orjson.loads(response.body + response.tail)
    return found


def _evaluated(key: str, project: AuthenticatedProject, resolution: Resolution, *, is_recorded: bool) -> Json:
    assignment = resolution.get("assignment", {})
    metadata = {
        "source": assignment.get("source"),
        "flowId": resolution.get("flowId"),
        "flowName": resolution.get("flow", {}).get("name"),
        "experimentId": assignment.get("experimentId"),
        "variant": assignment.get("variant"),
        "assignmentToken": assignment.get("token"),
        "configVersion": project.snapshot.revision,
        "exposureRecorded": is_recorded,
    }
    return {
        "key": key,
        "value": FLAGS[key](resolution),
        "reason": _reason(project.snapshot.snapshot, resolution),
        "variant": _variant_of(resolution) or _NO_VARIANT,
        "metadata": {name: value for name, value in metadata.items() if value is not None},
    }


def _reason(snapshot: Snapshot, resolution: Resolution) -> str:
    if not resolution:
        return "DISABLED"
    source = resolution["assignment"]["source"]
    if source == Source.OVERRIDE:
        return "TARGETING_MATCH"
    if source == Source.EXPERIMENT:
        return "SPLIT"
    flow = next((flow for flow in snapshot.targeted if flow.flow_id == resolution["flowId"]), None)
    if source == Source.DEFAULT or flow is None:
        return "STATIC"
    if flow.conditions:
        return "TARGETING_MATCH"
    return "SPLIT" if flow.rollout_buckets < BUCKETS else "STATIC"
