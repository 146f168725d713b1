"""uvicorn's request cycle, with head and body of an answer in one write.

Each write is a system call, and the second one costs a fifth of what a short answer costs altogether.
"""

from typing import cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent, HTTPResponseBodyEvent, HTTPResponseStartEvent
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from edge_api.doors.outbox import Outbox

_CLOSE = b"connection: close\r\n"


class OneWriteCycle(RequestResponseCycle):
    """Takes the short way for an answer of one piece that states its length, as all of ours do."""

    outbox: Outbox
    _head: HTTPResponseStartEvent | None = None

    async def receive(self) -> ASGIReceiveEvent:
        """Let answers to earlier requests go before the word to continue."""
        if self.waiting_for_100_continue:
            self.outbox.flush()
        return await super().receive()

    async def send(self, message: ASGISendEvent) -> None:
        """Hold the head back until the body comes."""
        if message["type"] == "http.response.start" and not self.response_started:
            self.response_started = True
            self.waiting_for_100_continue = False
            self._head = message
            return
        head, self._head = self._head, None
        if head is None:
            await super().send(message)
            return
        body = cast("HTTPResponseBodyEvent", message)
        if body.get("more_body") or self.access_log:
            self.response_started = False
            self.outbox.flush()
            await super().send(head)
            await super().send(body)
            return
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if not self.disconnected:
            self._write(head, body["body"])

    def _write(self, head: HTTPResponseStartEvent, body: bytes) -> None:
        lines = [STATUS_LINE[head["status"]]]
        lines += [b"%b: %b\r\n" % (name, value) for name, value in head.get("headers", ())]
        lines += [b"%b: %b\r\n" % (name, value) for name, value in self.default_headers]
        if not self.keep_alive:
            lines.append(_CLOSE)
        lines += (b"\r\n", body)
        self.outbox.put(self.transport, b"".join(lines))
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.outbox.flush()
            self.transport.close()
        self.on_response()
