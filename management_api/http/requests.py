"""Requests: the caller, the query, the body and If-Match, parsed into checked models (contract, section 1)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar, cast
from urllib.parse import parse_qsl

import falcon
import msgspec
from pydantic import BaseModel, ConfigDict, ValidationError

from common.errors import (
    MAX_DETAILS,
    Detail,
    InvalidRequestError,
    MalformedBodyError,
    PayloadTooLargeError,
    UnsupportedMediaTypeError,
)
from common.json_body import convert_object, parse_object
from management_api.auth.access import Caller
from management_api.auth.entity_tags import NO_PRECONDITION, Precondition
from management_api.http.fields import KIND_MARK

MAX_PARAMETERS = 50
MAX_BODY_BYTES = 1024 * 1024
BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
#: Members that the service writes. A body may have them (GET, edit, PUT); they are ignored.
READ_ONLY_MEMBERS = frozenset({"id", "created_at", "updated_at", "stats", "api_keys"})

#: A longer name of a field is cut in an error detail.
MAX_FIELD_LENGTH = 200
#: Messages for the types of JSON, in place of pydantic's, which name Python's types.
_WRONG_TYPES = {
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "list_type": "must be an array",
    "model_type": "must be an object",
    "string_type": "must be a string",
}

_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
#: Empty elements of a list are allowed, as everywhere in HTTP (section 5.6.1).
_LIST = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
#: The tags of this service are hexadecimal. A weak tag never matches, so only the strong ones are looked for.
_STRONG_TAG = re.compile(r'(?<!W/)"([0-9a-f]+)"')

StructT = TypeVar("StructT", bound=msgspec.Struct)


def query_parameters(query_string: str) -> dict[str, str]:
    """Return the parameters; each may come once. Raises MalformedBodyError or InvalidRequestError."""
    if not query_string:
        return {}
    malformed = MalformedBodyError("The query string must be percent-encoded UTF-8")
    if not query_string.isascii() or BROKEN_ESCAPE.search(query_string):
        raise malformed
    try:
        pairs = parse_qsl(query_string, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise malformed from None
    except ValueError:
        raise MalformedBodyError(f"The query string may have at most {MAX_PARAMETERS} parameters") from None
    repeated = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if repeated:
        raise InvalidRequestError([Detail.invalid(name, "must be given once") for name in repeated])
    return dict(pairs)


def parse_if_match(text: str | None) -> Precondition:
    """Return the precondition of the header. Raises InvalidRequestError unless it is `*` or a list of entity tags.

    A malformed header is an error, because ignoring it could overwrite a change of another client.
    """
    if text is None:
        return NO_PRECONDITION
    if text.strip() == "*":
        return Precondition(tags=None, must_exist=True)
    if not _LIST.fullmatch(text):
        raise InvalidRequestError([Detail.invalid("If-Match", "must be * or a list of quoted entity tags")])
    return Precondition(frozenset(_STRONG_TAG.findall(text)))


def parse_if_none_match(text: str | None) -> Precondition:
    """Return the precondition of the header of a change. Raises InvalidRequestError unless it is `*`."""
    if text is None:
        return NO_PRECONDITION
    if text.strip() != "*":
        raise InvalidRequestError([Detail.invalid("If-None-Match", "must be *")])
    return Precondition(tags=None, must_be_new=True)


class RequestModel(BaseModel):
    """Base of bodies and queries. Unknown members are errors.

    `aliases` maps further names of a member to its field (`projectId` to `project_id`); `read_only` are members of this
    resource that are ignored besides READ_ONLY_MEMBERS; `ignored` are those of a model inside another body.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    aliases: ClassVar[Mapping[str, str]] = {}
    read_only: ClassVar[frozenset[str]] = frozenset()
    ignored: ClassVar[frozenset[str]] = frozenset()


class EmptyBody(RequestModel):
    """A body without members, which may be left out."""


ModelT = TypeVar("ModelT", bound=RequestModel)


def parse_body(model: type[ModelT], body: bytes) -> ModelT:
    """Check a JSON body. Raises MalformedBodyError or InvalidRequestError."""
    document = parse_object(body)
    ignored = (READ_ONLY_MEMBERS | model.read_only) - model.model_fields.keys()
    return _validated(model, {name: value for name, value in document.items() if name not in ignored})


def parse_query(model: type[ModelT], query: Mapping[str, str]) -> ModelT:
    """Check query parameters. Raises InvalidRequestError."""
    return _validated(model, dict(query))


def _validated(model: type[ModelT], document: dict[str, Any]) -> ModelT:
    displayed_names = _displayed_names(model, document)
    details = list(_reconcile_aliases(model, document))
    try:
        checked = model.model_validate(document)
    except ValidationError as error:
        details.extend(_detail(item, displayed_names) for item in error.errors(include_url=False)[:MAX_DETAILS])
    if details:
        raise InvalidRequestError(details[:MAX_DETAILS])
    return checked


def _displayed_names(model: type[RequestModel], document: dict[str, Any]) -> dict[str, str]:
    """Return the alias of each field that the client has sent by its alias, or not at all."""
    return {name: other for other, name in model.aliases.items() if other in document or name not in document}


def _reconcile_aliases(model: type[RequestModel], document: dict[str, Any]) -> Iterator[Detail]:
    """Fold the other aliases into the field names; both given and different is an error."""
    for other, name in model.aliases.items():
        if other not in document:
            continue
        value = document.pop(other)
        if document.setdefault(name, value) != value:
            yield Detail.invalid(other, f"must not differ from {name}")


def resolve_alias(value: object, alias: str, name: str) -> object:
    """Return an object inside of a body with the alias of a member replaced by its name.

    If both are present and differ, the alias stays, and is refused as an unknown member.
    """
    if not isinstance(value, dict) or alias not in value:
        return value
    others = {other: member for other, member in value.items() if other != alias}
    return others if others.setdefault(name, value[alias]) == value[alias] else value


def _detail(item: Mapping[str, Any], displayed_names: Mapping[str, str]) -> Detail:
    # A client may send the mark, too, as the name of a member that is not known.
    parts = [str(part) for part in item["loc"]]
    member, *inner = [part for part in parts if not part.startswith(KIND_MARK)] or parts
    field = ".".join((displayed_names.get(member, member), *inner))[:MAX_FIELD_LENGTH]
    if item["type"] == "missing" or (item["type"] == "required_null"):
        return Detail.missing(field)
    if item["type"] == "extra_forbidden":
        return Detail.invalid(field, "is not a known member")
    message = _WRONG_TYPES.get(item["type"], str(item["msg"]))
    return Detail.invalid(field, message if message.startswith("must ") else f"is invalid: {message}")


def caller_of(request: falcon.Request) -> Caller:
    """Return the caller, whom AuthorizationMiddleware has authenticated."""
    return cast("Caller", request.context.caller)


def if_match_of(request: falcon.Request) -> Precondition:
    """Return the precondition of a PUT or DELETE. Raises InvalidRequestError."""
    return parse_if_match(request.get_header("If-Match"))


def precondition_of(request: falcon.Request) -> Precondition:
    """Return the precondition of a PUT that creates or replaces, by one of two headers. Raises InvalidRequestError."""
    if_match, is_new = if_match_of(request), parse_if_none_match(request.get_header("If-None-Match"))
    if NO_PRECONDITION not in (if_match, is_new):
        raise InvalidRequestError([Detail.invalid("If-None-Match", "must not be sent with If-Match")])
    return if_match if is_new == NO_PRECONDITION else is_new


def query_of(request: falcon.Request, model: type[ModelT]) -> ModelT:
    """Return the checked query. Raises MalformedBodyError or InvalidRequestError."""
    return parse_query(model, query_parameters(request.query_string))


def body_of(request: falcon.Request, model: type[ModelT]) -> ModelT:
    """Read and check the JSON body, at most MAX_BODY_BYTES. Raises RequestError of several kinds."""
    return _checked_body(request, model, raw_body_of(request))


def public_body_of(request: falcon.Request, struct: type[StructT]) -> StructT:
    """Read and check a body as the public endpoints do, which ignore unknown members. Raises like body_of."""
    body = raw_body_of(request)
    _check_media_type(request)
    return convert_object(parse_object(body), struct)


def optional_body_of(request: falcon.Request, model: type[ModelT]) -> ModelT:
    """Read and check an optional body; an empty one of any type stands for the model's defaults."""
    body = raw_body_of(request)
    return _checked_body(request, model, body) if body.strip() else model()


def raw_body_of(request: falcon.Request) -> bytes:
    """Return the body as sent, at most MAX_BODY_BYTES. Raises PayloadTooLargeError.

    The stream is read once; the request keeps the body.
    """
    body: bytes | None = request.context.get("raw_body")
    if body is None:
        body = request.context.raw_body = _body_bytes(request)
    return body


def _checked_body(request: falcon.Request, model: type[ModelT], body: bytes) -> ModelT:
    _check_media_type(request)
    return parse_body(model, body)


def _check_media_type(request: falcon.Request) -> None:
    media_type = (request.content_type or "").partition(";")[0].strip().lower()
    if media_type != falcon.MEDIA_JSON:
        raise UnsupportedMediaTypeError


def _body_bytes(request: falcon.Request) -> bytes:
    declared = request.content_length
    if declared is not None and declared > MAX_BODY_BYTES:
        raise PayloadTooLargeError(MAX_BODY_BYTES)
    # A chunked body has no declared length; `wsgi.input_terminated` means that its stream ends with the body.
    ends_by_itself = declared is None and request.env.get("wsgi.input_terminated")
    stream = request.stream if ends_by_itself else request.bounded_stream
    body = stream.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise PayloadTooLargeError(MAX_BODY_BYTES)
    return body
