"""The bare ASGI application that the edge is compared with: it reads the body and returns constant bytes.

The environment variables STATUS and LENGTH set the response. It has no framework and no routes.
"""

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]


class BareApplication:
    """An ASGI application with one response."""

    def __init__(self, status: int, length: int) -> None:
        headers = [(b"content-type", b"application/json")]
        if status != 304:  # noqa: PLR2004 - it has no body
            headers.append((b"content-length", b"%d" % length))
        self._start = {"type": "http.response.start", "status": status, "headers": headers}
        self._body = {"type": "http.response.body", "body": b"x" * length}

    async def __call__(
        self, _scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        """Respond to one request."""
        while (await receive()).get("more_body"):
            pass
        await send(self._start)
        await send(self._body)


def bare() -> BareApplication:
    """Return the application; uvicorn calls this."""
    return BareApplication(int(os.environ["STATUS"]), int(os.environ["LENGTH"]))
