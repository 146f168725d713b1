"""The one place that turns errors into responses (contract, section 1, Errors)."""

import traceback
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import falcon
import structlog

from common.errors import (
    InternalError,
    MalformedBodyError,
    MethodNotAllowedError,
    NotFoundError,
    PayloadTooLargeError,
    RequestError,
    UnsupportedMediaTypeError,
    error_body,
)
from management_api.http.requests import MAX_BODY_BYTES

log = structlog.get_logger(__name__)

#: The errors of this service by the status of Falcon's. Every other rejection means a malformed request.
_BY_STATUS: dict[int, Callable[[], RequestError]] = {
    HTTPStatus.NOT_FOUND: lambda: NotFoundError("Not found"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: lambda: PayloadTooLargeError(MAX_BODY_BYTES),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
}


class ErrorResponses:
    """The error handlers of the application: for RequestError, Falcon's errors, errors of the server, and defects."""

    def __init__(self, unreadable_body: tuple[type[Exception], ...] = ()) -> None:
        self._unreadable_body = unreadable_body

    def attach(self, app: falcon.App[falcon.Request, falcon.Response]) -> None:
        """Add the handlers to an application."""
        app.add_error_handler(RequestError, self._handle_request_error)
        app.add_error_handler(falcon.HTTPError, self._handle_falcon_error)
        app.add_error_handler(Exception, self._handle_defect)
        for kind in self._unreadable_body:
            app.add_error_handler(kind, self._handle_unreadable_body)

    def _handle_request_error(
        self, _request: falcon.Request, response: falcon.Response, error: RequestError, _params: dict[str, Any]
    ) -> None:
        write_error(response, error)

    def _handle_falcon_error(
        self, _request: falcon.Request, response: falcon.Response, error: falcon.HTTPError, _params: dict[str, Any]
    ) -> None:
        write_error(response, from_falcon(error))

    def _handle_unreadable_body(
        self, _request: falcon.Request, response: falcon.Response, _error: Exception, _params: dict[str, Any]
    ) -> None:
        write_error(response, MalformedBodyError("The request body cannot be read"))

    def _handle_defect(
        self, request: falcon.Request, response: falcon.Response, error: Exception, _params: dict[str, Any]
    ) -> None:
        log.error(
            "unexpected error",
            method=request.method,
            route=request.uri_template,
            traceback=list(traceback_frames(error)),
        )
        write_error(response, InternalError())


def write_error(response: falcon.Response, error: RequestError) -> None:
    """Replace the response by an error's status, headers and body."""
    response.status = error.status
    response.set_headers(error.headers)
    response.content_type = falcon.MEDIA_JSON
    response.data = error_body(error)
    response.text = response.stream = None


def from_falcon(error: falcon.HTTPError) -> RequestError:
    """Return the error of this service for an error of Falcon."""
    if isinstance(error, falcon.HTTPMethodNotAllowed):
        allowed = dict(error.headers or {}).get("Allow", "")
        return MethodNotAllowedError([method.strip() for method in allowed.split(",")])
    ours = _BY_STATUS.get(error.status_code)
    if ours is not None:
        return ours()
    return (
        MalformedBodyError("The request is malformed")
        if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
        else InternalError()
    )


def traceback_frames(error: BaseException) -> Iterator[str]:
    """Yield the types and frames of an error and its causes, without their texts, which may quote the request."""
    chain: BaseException | None = error
    while chain is not None:
        yield type(chain).__qualname__
        for frame in traceback.extract_tb(chain.__traceback__):
            yield f"{frame.filename}:{frame.lineno} {frame.name}"
        chain = chain.__cause__ or chain.__context__
