"""The ASGI door to the public endpoints: credentials, then the count, then the body, then the answer."""

import time

from starlette.types import Receive, Scope, Send

from edge_api.answers.answer import AnswerOnceDurable
from edge_api.answers.body_limits import check_declared_body
from edge_api.answers.credentials import authenticate, presented_credentials
from edge_api.answers.endpoint import Endpoint
from edge_api.answers.request_context import RequestContext
from edge_api.answers.request_head import RequestHead
from edge_api.doors.answer_sending import send_answer
from edge_api.doors.body_reading import read_body
from edge_api.doors.request_boundary import CONTEXT, HEAD
from edge_api.doors.request_counting import RequestCounting
from edge_api.events.group_commit import GroupCommit
from edge_api.snapshots.snapshot_store import SnapshotStore


class PublicDoor:
    """An ASGI application around one endpoint of the answering core."""

    def __init__(
        self, endpoint: Endpoint, store: SnapshotStore, commits: GroupCommit, counting: RequestCounting
    ) -> None:
        self._endpoint = endpoint
        self._store = store
        self._commits = commits
        self._counting = counting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raises RequestError for the boundary to answer."""
        head: RequestHead = scope[HEAD]
        context: RequestContext = scope[CONTEXT]
        credentials = presented_credentials(head)
        resident = await self._store.load(credentials.project_id)
        access = authenticate(credentials, resident, time.time())
        context.project_id = access.resident.snapshot.project_id
        context.config_version = access.resident.revision
        await self._counting.count_project(scope, head, context, context.project_id)
        body = b""
        if self._endpoint.body_limit is not None:
            check_declared_body(head, self._endpoint.body_limit)
            body = await read_body(receive, self._endpoint.body_limit)
        outcome = self._endpoint.answer(access, head, body)
        if isinstance(outcome, AnswerOnceDurable):
            await self._commits.commit(outcome.records)
            outcome = outcome.answer
        await send_answer(scope, send, outcome)
