"""An answer as ASGI messages."""

from starlette.types import Scope, Send

from edge_api.answers.answer import Answer
from edge_api.answers.exchange import Exchange


async def send_answer(scope: Scope, send: Send, answer: Answer, exchange: Exchange) -> None:
    """Send the answer; HEAD is told the length of the body it does not get."""
    headers = [*answer.headers, *exchange.headers()]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})
