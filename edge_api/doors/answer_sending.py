"""An answer as ASGI messages."""

from starlette.types import Scope, Send

from edge_api.answers.answer import Answer
from edge_api.answers.exchange import RequestContext

#: An extension of ASGI that our own protocols offer: a message of this type has a whole `answer` with its `exchange`.
FINISHED_ANSWER = "onboarding.finished_answer"


async def send_answer(scope: Scope, send: Send, answer: Answer, exchange: RequestContext) -> None:
    """Send the answer; HEAD is told the length of the body it does not get."""
    if FINISHED_ANSWER in scope.get("extensions", {}):
        await send({"type": FINISHED_ANSWER, "answer": answer, "exchange": exchange})
        return
    headers = [*answer.headers, *exchange.headers()]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})
