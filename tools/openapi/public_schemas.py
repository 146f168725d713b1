"""The JSON Schemas of the public bodies and answers, from the structs that read them."""

from typing import Any, Final

import msgspec

from common.text import text_pattern
from common.wire.public_bodies import EventBatchBody, EventBody, EventTime, Properties, ResolveBody
from tools.openapi import public_answers
from tools.openapi.json_types import Json, reference

_REF_TEMPLATE = "#/components/schemas/{name}"
#: `common/wire/public_bodies.py` rejects what its patterns leave out; here in terms of every dialect of patterns.
_PLAIN_TEXT = r"^[^\x00-\x08\x0b-\x1f]*$"
_TIME: Json = {
    "type": "string",
    "format": "date-time",
    "description": "ISO 8601. Not before 2000, and at most 24 hours in the future; without it, the time of arrival",
    "examples": ["2026-11-20T19:12:03.123Z"],
}
_PROPERTIES: Json = {"type": "object", "description": "Free JSON of at most 16 KiB"}
_TYPES: Final = (
    ResolveBody,
    EventBody,
    EventBatchBody,
    public_answers.Resolution,
    public_answers.Configuration,
    public_answers.EventReceipt,
    public_answers.UnrecordedEvent,
    public_answers.BatchReceipt,
    public_answers.AcceptedEvent,
    public_answers.RejectedEvent,
)


def public_schemas() -> dict[str, Json]:
    """Give all components by name."""
    _references, schemas = msgspec.json.schema_components(_TYPES, schema_hook=_hook, ref_template=_REF_TEMPLATE)
    for body in (ResolveBody, EventBody):
        schema = schemas[body.__name__]
        schema["properties"] = {name: _trimmed(member) for name, member in schema["properties"].items()}
    results = {"anyOf": [reference("schemas", "AcceptedEvent"), reference("schemas", "RejectedEvent")]}
    schemas["BatchReceipt"]["properties"]["results"]["items"] = results
    # Each event is judged by itself, so nothing in one makes the batch a bad request.
    item = {"anyOf": [reference("schemas", "EventBody"), {}]}
    schemas["EventBatchBody"]["properties"]["events"]["items"] = item
    return {name: _portable(schema) for name, schema in schemas.items()}


def _hook(kind: type[Any]) -> Json:
    return {EventTime: _TIME, Properties: _PROPERTIES}[kind]


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
