"""What a server costs that does nothing: a bare ASGI application and a bare Starlette route, on the same uvicorn.

Both read the request's body and answer with constant bytes. ANSWERS names, by path, the status and the length of them.
"""

import json
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

Message = MutableMapping[str, Any]


class BareApplication:
    """An ASGI application without anything."""

    def __init__(self, answers: dict[str, tuple[int, int]]) -> None:
        self._answers = {path: _messages(status, length) for path, (status, length) in answers.items()}

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        """Answer one request."""
        start, body = self._answers[scope["path"]]
        while (await receive()).get("more_body"):
            pass
        await send(start)
        await send(body)


def bare() -> BareApplication:
    """Make the bare application; uvicorn calls this."""
    return BareApplication(_answers())


def starlette() -> Starlette:
    """Make a Starlette application of one route for each answer; uvicorn calls this."""
    return Starlette(
        routes=[Route(path, _endpoint(*answer), methods=["GET", "POST"]) for path, answer in _answers().items()]
    )


def _answers() -> dict[str, tuple[int, int]]:
    return {path: tuple(answer) for path, answer in json.loads(os.environ["ANSWERS"]).items()}


def _messages(status: int, length: int) -> tuple[Message, Message]:
    headers = [(b"content-type", b"application/json")]
    if status != 304:  # noqa: PLR2004 - it has no body
        headers.append((b"content-length", b"%d" % length))
    start = {"type": "http.response.start", "status": status, "headers": headers}
    return start, {"type": "http.response.body", "body": b"x" * length}


def _endpoint(status: int, length: int) -> Callable[[Request], Awaitable[Response]]:
    body = b"x" * length

    async def answer(request: Request) -> Response:
        await request.body()
        return Response(body, status, media_type="application/json")

    return answer
