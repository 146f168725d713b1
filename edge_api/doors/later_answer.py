"""An answer of the protocol door that waits until events are durable."""

import asyncio

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from edge_api.answers.exchange import RequestContext
from edge_api.figures.request_figures import RouteFigures


class LaterAnswer(RequestResponseCycle):
    """Has of a cycle what uvicorn looks at while its response is not complete: it makes what comes behind it wait.

    A connection has one, for all of its requests, because it never answers two at a time.
    """

    #: uvicorn wakes a cycle that waits for its body; this one never does.
    message_event = asyncio.Event()

    def __init__(self) -> None:
        self.response_started = False
        self.response_complete = True
        self.disconnected = False
        self.keep_alive = True

    def begin(
        self,
        figures: RouteFigures,
        exchange: RequestContext,
        status: int,
        written: bytes,
        started_at: float,
        *,
        keep_alive: bool,
    ) -> None:
        """Wait for the fate of a request's events.

        `written` is what goes out if they are stored. To write it now, from what was just used, takes half of what it
        takes from objects that other requests have pushed out of the processor's cache, and less is kept meanwhile.
        """
        self.figures = figures
        self.exchange = exchange
        self.status = status
        self.written = written
        self.started_at = started_at
        self.keep_alive = keep_alive
        self.response_complete = False
