"""What every responder does with a Falcon request and response: who calls, what is sent, what is answered."""

from typing import Any, TypeVar, cast

import falcon

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from management_api.operations.callers import Caller
from management_api.schemas.envelope import Pagination, ResponseModel, envelope
from management_api.schemas.parsing import RequestModel, parse_body, parse_query

MAX_BODY_BYTES = 1024 * 1024

ModelT = TypeVar("ModelT", bound=RequestModel)


def caller_of(request: falcon.Request) -> Caller:
    """Give the caller that the access gate has let through."""
    return cast("Caller", request.context.caller)


def query_of(request: falcon.Request, model: type[ModelT]) -> ModelT:
    """Give the checked query. Raises InvalidRequestError."""
    return parse_query(model, request.params)


def body_of(request: falcon.Request, model: type[ModelT]) -> ModelT:
    """Read and check the JSON body, at most MAX_BODY_BYTES. Raises RequestError of several kinds."""
    media_type = (request.content_type or "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaTypeError
    body = request.bounded_stream.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise PayloadTooLargeError(MAX_BODY_BYTES)
    return parse_body(model, body)


def respond(
    response: falcon.Response,
    data: ResponseModel | list[Any] | None = None,
    *,
    status: int = 200,
    pagination: Pagination | None = None,
    message: str | None = None,
) -> None:
    """Answer with the envelope, made at once, while the transaction is open."""
    response.status = status
    response.content_type = falcon.MEDIA_JSON
    response.data = envelope(data, pagination=pagination, message=message)
