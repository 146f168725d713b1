"""The ASGI door to the health endpoints."""

from starlette.types import Receive, Scope, Send

from common.rules.assignment_tokens import AssignmentTokens
from edge_api.answers.health import live_answer, ready_answer
from edge_api.doors.answer_sending import send_answer
from edge_api.doors.request_boundary import EXCHANGE
from edge_api.events.worker_events import WorkerEvents
from edge_api.snapshots.worker_snapshots import WorkerSnapshots


class LiveDoor:
    """GET /health/live."""

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer 200: whoever reads it knows that the process runs."""
        await send_answer(scope, send, live_answer(), scope[EXCHANGE])


class ReadyDoor:
    """GET /health/ready."""

    def __init__(self, snapshots: WorkerSnapshots, events: WorkerEvents, tokens: AssignmentTokens) -> None:
        self._snapshots = snapshots
        self._events = events
        self._assignment_keys = tokens.fingerprints

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer by what there is to serve from. Raises UnavailableError for the boundary to answer."""
        snapshots = self._snapshots
        answer = ready_answer(
            can_serve=snapshots.can_serve(),
            snapshots=snapshots.cache.metrics(),
            events=self._events.status(),
            assignment_keys=self._assignment_keys,
        )
        await send_answer(scope, send, answer, scope[EXCHANGE])
