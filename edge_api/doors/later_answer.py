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


class LaterAnswer(RequestResponseCycle):
    """Has of a cycle what uvicorn looks at while its response is not complete: it makes what comes behind it wait."""

    def __init__(self, exchange: Exchange, answer: Answer, finish: "Finish", *, keep_alive: bool) -> None:
        self.response_started = False
        self.response_complete = False
        self.disconnected = False
        self.keep_alive = keep_alive
        self.message_event = asyncio.Event()
        self.exchange = exchange
        self.started_at = time.perf_counter()
        self._answer = answer
        self._finish = finish

    def settle(self, failure: Exception | None) -> None:
        """Answer, now that the fate of the events is known."""
        if self.disconnected:
            return
        answer = self._answer if failure is None else error_answer(UnavailableError(NOT_STORED))
        self.response_complete = True
        self._finish(self, answer)


#: Sends the answer.
Finish = Callable[[LaterAnswer, Answer], None]
