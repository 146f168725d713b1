"""The outermost layer of what Starlette serves: the headers of every answer, errors, one log line."""

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.errors import RequestError
from edge_api.answers.exchange import RequestContext
from edge_api.answers.public_answers import own_failure
from edge_api.doors.answer_sending import FINISHED_ANSWER, send_answer
from edge_api.doors.exchange_of_scope import exchange_of
from edge_api.doors.request_log import log_request, requests_are_logged
from edge_api.doors.waiting_answers import AsyncRequestHandler
from edge_api.figures.request_figures import RequestFigures

#: Where the layers inside find the exchange.
EXCHANGE = "onboarding.exchange"


class RequestBoundary:
    """Pure ASGI middleware; what is inside raises RequestError, before it has sent anything, to be answered here."""

    def __init__(self, app: ASGIApp, answers: AsyncRequestHandler, figures: RequestFigures) -> None:
        self._app = app
        self._figures = figures
        self._answers = answers
        self._logs = requests_are_logged()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the inner layers answer, or answer for them."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange: RequestContext = exchange_of(scope)
        # What the client's former request had opened is checked by nobody here.
        exchange.access = None
        scope[EXCHANGE] = exchange
        started_at = time.perf_counter()
        status: int | None = None

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == FINISHED_ANSWER:
                status = message["answer"].status
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        except RequestError as error:
            await send_answer(scope, send_noting, await self._answers.refuse_unknown(exchange, error), exchange)
        except Exception:
            failure = own_failure(exchange)
            if status is not None:
                raise
            await send_answer(scope, send_noting, await self._answers.refuse(exchange, failure), exchange)
        finally:
            if status is not None:
                self._figures.of(exchange.path).count(status, time.perf_counter() - started_at)
            if self._logs:
                log_request(exchange, scope["method"], status, started_at)
