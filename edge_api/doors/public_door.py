"""The ASGI door: public requests straight to the answering core, everything else through Starlette."""

import time
from collections.abc import Mapping

from starlette.types import ASGIApp, Receive, Scope, Send

from common.errors import MethodNotAllowedError
from edge_api.answers.endpoint import Endpoint
from edge_api.doors.answer_sending import send_answer
from edge_api.doors.body_reading import ClientGoneError
from edge_api.doors.exchange_of_scope import exchange_of
from edge_api.doors.request_log import log_request, requests_are_logged
from edge_api.doors.waiting_answers import AsyncRequestHandler
from edge_api.figures.request_figures import RequestFigures


class PublicDoor:
    """Stands in front of Starlette, whose middleware and routing would cost more than the whole answer."""

    def __init__(
        self, endpoints: Mapping[str, Endpoint], answers: AsyncRequestHandler, figures: RequestFigures, rest: ASGIApp
    ) -> None:
        self._endpoints = endpoints
        self._figures = figures
        self._answers = answers
        self._rest = rest
        self._logs = requests_are_logged()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        endpoint = self._endpoints.get(scope["path"]) if scope["type"] == "http" else None
        if endpoint is None:
            await self._rest(scope, receive, send)
            return
        started_at = time.perf_counter()
        exchange = exchange_of(scope)
        status: int | None = None
        try:
            if scope["method"] in endpoint.methods:
                answer = await self._answers.answer(endpoint, exchange, receive)
            else:
                answer = await self._answers.refuse_unknown(exchange, MethodNotAllowedError(endpoint.methods))
            status = answer.status
            await send_answer(scope, send, answer, exchange)
            self._figures.of(scope["path"]).count(status, time.perf_counter() - started_at)
        except ClientGoneError:
            pass
        finally:
            if self._logs:
                log_request(exchange, scope["method"], status, started_at)
