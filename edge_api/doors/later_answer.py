"""An answer of the protocol door that waits until events are durable."""

import asyncio
import time
from collections.abc import Callable

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from common.errors import UnavailableError
from edge_api.answers.answer import Answer
from edge_api.answers.error_answers import error_answer
from edge_api.answers.exchange import Exchange
from edge_api.events.group_commit import NOT_STORED
from edge_api.figures.request_figures import RouteFigures


class LaterAnswer(RequestResponseCycle):
    """Has of a cycle what uvicorn looks at while its response is not complete: it makes what comes behind it wait.

    A connection has one, for all of its requests, because it never answers two at a time.
    """

    #: uvicorn wakes a cycle that waits for its body; this one never does.
    message_event = asyncio.Event()

    def __init__(self, finish: "Finish") -> None:
        self.response_started = False
        self.response_complete = True
        self.disconnected = False
        self.keep_alive = True
        self.started_at = 0.0
        self._finish = finish

    def begin(self, figures: RouteFigures, exchange: Exchange, answer: Answer, keep_alive: bool) -> None:  # noqa: FBT001 - names cost
        """Wait for the fate of a request's events."""
        self.figures = figures
        self.exchange = exchange
        self.keep_alive = keep_alive
        self.response_complete = False
        self.started_at = time.perf_counter()
        self._answer = answer

    def settle(self, failure: Exception | None) -> None:
        """Answer, now that the fate of the events is known."""
        if self.disconnected:
            return
        self.response_complete = True
        self._finish(self, self._answer if failure is None else error_answer(UnavailableError(NOT_STORED)))


#: Sends the answer.
Finish = Callable[[LaterAnswer, Answer], None]
