"""The ASGI door to the health endpoints."""

from starlette.types import Receive, Scope, Send

from edge_api.answers.health import live_answer, ready_answer
from edge_api.doors.answer_sending import send_answer
from edge_api.doors.request_boundary import EXCHANGE
from edge_api.redis_contact import RedisContact


class LiveDoor:
    """GET /health/live."""

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer 200: whoever reads it knows that the process runs."""
        await send_answer(scope, send, live_answer(), scope[EXCHANGE])


class ReadyDoor:
    """GET /health/ready."""

    def __init__(self, contact: RedisContact) -> None:
        self._contact = contact

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer by what is known of Redis. Raises UnavailableError for the boundary to answer."""
        contact = self._contact
        answer = ready_answer(was_reached=contact.was_reached, is_reachable=contact.is_reachable)
        await send_answer(scope, send, answer, scope[EXCHANGE])
