"""What is answered to requests that cannot be read at all, in the contract's form."""

from typing import cast

import httptools
import structlog
from starlette.types import Receive, Scope, Send
from uvicorn._types import ASGI3Application

from common.errors import ErrorCode, InternalError, RequestError, UnavailableError
from edge_api.answers.answer import Answer
from edge_api.answers.exchange import RequestContext, request_id_from
from edge_api.answers.public_answers import RequestHandler
from edge_api.answers.request_head import RequestHeaders
from edge_api.doors.answer_sending import send_answer
from edge_api.figures.request_figures import RequestFigures

_LOG = structlog.stdlib.get_logger(__name__)

_REQUEST_TIMEOUT = 408


class MalformedRequestError(RequestError):
    """400: this is no HTTP request that we read."""

    code = ErrorCode.INVALID_PARAMETER

    def __init__(self, message: str = "The request is not valid HTTP") -> None:
        super().__init__(message)


class HeadTooLargeError(MalformedRequestError):
    """400: the request line and the headers together are too long."""

    def __init__(self) -> None:
        super().__init__("The headers of the request are too large")


class LateRequestError(RequestError):
    """408: the request did not arrive in time. The contract has no code of its own for it."""

    code = ErrorCode.INVALID_PARAMETER

    def __init__(self) -> None:
        super().__init__("The request took too long to arrive")

    @property
    def status(self) -> int:
        """The one status that does not follow from its code."""
        return _REQUEST_TIMEOUT


class TooManyConnectionsError(UnavailableError):
    """503: the worker has as many connections as it takes."""

    def __init__(self) -> None:
        super().__init__("Too many connections")


def refusal_for(error: httptools.HttpParserCallbackError) -> RequestError:
    """Give what one of our callbacks raised while parsing, or what the request deserves for it."""
    cause = error.__context__
    if isinstance(cause, RequestError):
        return cause
    if not isinstance(cause, httptools.HttpParserInvalidURLError | UnicodeDecodeError):
        _LOG.error("connection_failed", exc_info=cause)
        return InternalError()
    return MalformedRequestError()


def unread_request(
    answers: RequestHandler, figures: RequestFigures, error: RequestError, client: tuple[str, int] | None
) -> tuple[RequestContext, Answer]:
    """Give the answer to a request of which nothing is known but who sent it."""
    figures.count_unreadable(error.status)
    exchange = RequestContext("", RequestHeaders(), client[0] if client else None, request_id_from(None))
    return exchange, answers.unread(exchange, error)


def refusing(answers: RequestHandler, figures: RequestFigures, error: RequestError) -> ASGI3Application:
    """Make an application that gives this answer to whatever it is asked."""

    async def refuse(scope: Scope, _receive: Receive, send: Send) -> None:
        exchange, answer = unread_request(answers, figures, error, scope["client"])
        await send_answer(scope, send, answer, exchange)

    return cast("ASGI3Application", refuse)
