"""What every responder does with a Falcon request and response: who calls, what is sent, what is answered."""

from typing import Any, TypeVar, cast

import falcon
import msgspec

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from common.json_body import convert_object, parse_object
from management_api.operations.callers import Caller
from management_api.operations.preconditions import Precondition
from management_api.schemas.envelope import Pagination, PlainView, ResponseModel, envelope
from management_api.schemas.if_match import parse_if_match
from management_api.schemas.parsing import RequestModel, parse_body, parse_query
from management_api.schemas.query_strings import query_parameters

MAX_BODY_BYTES = 1024 * 1024

#: Without the charset that Falcon's constant has, which is no part of what clients ask for or of the description.
MEDIA_CSV = "text/csv"

ModelT = TypeVar("ModelT", bound=RequestModel)
StructT = TypeVar("StructT", bound=msgspec.Struct)


def caller_of(request: falcon.Request) -> Caller:
    """Give the caller that the access gate has let through."""
    return cast("Caller", request.context.caller)


def if_match_of(request: falcon.Request) -> Precondition:
    """Give what the client demands of the thing that a PUT or DELETE names. Raises InvalidRequestError."""
    return parse_if_match(request.get_header("If-Match"))


def query_of(request: falcon.Request, model: type[ModelT]) -> ModelT:
    """Give the checked query. Raises RequestError of several kinds."""
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
    """Read and check a body that may be left out: an empty one, of whatever type, gives the model's defaults."""
    body = raw_body_of(request)
    return _checked_body(request, model, body) if body.strip() else model()


def raw_body_of(request: falcon.Request) -> bytes:
    """Give the body as it was sent, at most MAX_BODY_BYTES; the stream is read once. Raises PayloadTooLargeError."""
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
    # A chunked body has no declared length; a server that ends its stream where the body ends says so.
    ends_by_itself = declared is None and request.env.get("wsgi.input_terminated")
    stream = request.stream if ends_by_itself else request.bounded_stream
    body = stream.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise PayloadTooLargeError(MAX_BODY_BYTES)
    return body


def respond(
    response: falcon.Response,
    data: ResponseModel | PlainView | list[Any] | None = None,
    *,
    pagination: Pagination | None = None,
    message: str | None = None,
    tag: str | None = None,
) -> None:
    """Answer with the envelope, made at once, while the transaction is open; the status is the declared one.

    `tag` is that of the thing which the answer shows, from `entity_tags.py`; it becomes the `ETag`.
    """
    if tag is not None:
        response.set_header("ETag", f'"{tag}"')
    response.content_type = falcon.MEDIA_JSON
    response.data = envelope(data, pagination=pagination, message=message)


def prefers_csv(request: falcon.Request) -> bool:
    """Tell whether the client would rather have CSV than JSON; who asks in no readable way gets JSON."""
    try:
        # Falcon compares letter by letter, but media types may be written in any case (RFC 9110, section 8.3.1).
        return falcon.mediatypes.best_match([falcon.MEDIA_JSON, MEDIA_CSV], request.accept.lower()) == MEDIA_CSV
    except ValueError:
        return False


def respond_with_csv(response: falcon.Response, table: bytes, file_name: str) -> None:
    """Respond with a table as CSV, to be saved under a file name."""
    response.content_type = f"{MEDIA_CSV}; charset=utf-8; header=present"
    response.downloadable_as = file_name
    response.data = table
