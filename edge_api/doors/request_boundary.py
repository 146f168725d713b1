"""The outermost layer of every request: its id, its count, the headers of every answer, errors, one log line."""

import logging
import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.errors import InternalError, RequestError
from edge_api.answers.error_answers import error_answer
from edge_api.answers.request_context import RequestContext, request_id_from
from edge_api.answers.request_head import RequestHead
from edge_api.doors.answer_sending import send_answer
from edge_api.doors.body_reading import ClientGoneError
from edge_api.doors.request_counting import RequestCounting

_LOG = structlog.stdlib.get_logger(__name__)
#: Asked whether a line would be written at all, before the work of making one.
_LEVEL = logging.getLogger(__name__)

#: Where the layers inside find what this one has read.
HEAD = "onboarding.head"
CONTEXT = "onboarding.context"

_LOGGED_PATH_LENGTH = 200


class RequestBoundary:
    """Pure ASGI middleware. With the log level `debug` every request leaves a line, else only those that fail."""

    def __init__(self, app: ASGIApp, counting: RequestCounting) -> None:
        self._app = app
        self._counting = counting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the inner layers answer, or answer for them."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        head = RequestHead.of(scope["headers"])
        context = RequestContext(request_id_from(head.request_id))
        scope[HEAD], scope[CONTEXT] = head, context
        started_at = time.perf_counter()
        status: int | None = None

        async def send_completed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *context.headers()]
            await send(message)

        try:
            await self._app(scope, receive, send_completed)
        except RequestError as error:
            refusal = await self._counting.count_refusal(scope, head, context, error)
            await send_answer(scope, send_completed, error_answer(refusal))
        except ClientGoneError:
            pass
        except Exception:
            _LOG.exception("request_failed", request=context.request_id, project=context.project_id)
            if status is not None:
                raise
            refusal = await self._counting.count_refusal(scope, head, context, InternalError())
            await send_answer(scope, send_completed, error_answer(refusal))
        finally:
            if _LEVEL.isEnabledFor(logging.DEBUG):
                _log_request(scope, context, status, time.perf_counter() - started_at)


def _log_request(scope: Scope, context: RequestContext, status: int | None, seconds: float) -> None:
    _LOG.debug(
        "request",
        request=context.request_id,
        project=context.project_id,
        method=scope["method"],
        path=scope["path"][:_LOGGED_PATH_LENGTH],
        status=status,
        ms=round(seconds * 1000, 3),
    )
