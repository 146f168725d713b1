"""The answering core for a door that may wait: for a snapshot, a lease, the body, and until events are durable."""

import time

from starlette.types import Receive

from common.errors import RateLimitedError, RequestError
from common.rate_limit.keys import is_counted
from edge_api.answers.answer import Answer, DurableResponse
from edge_api.answers.body_limits import check_declared_body
from edge_api.answers.credentials import AuthenticatedProject, authenticate, presented_credentials
from edge_api.answers.endpoint import Endpoint
from edge_api.answers.error_answers import error_answer
from edge_api.answers.exchange import RequestContext
from edge_api.answers.public_answers import RequestHandler, own_failure
from edge_api.answers.request_counting import anonymous_key, project_key, rate_limit_or
from edge_api.doors.body_reading import ClientGoneError, read_body
from edge_api.events.group_commit import GroupCommit
from edge_api.rate_limiter import RateLimiter
from edge_api.snapshots.cache import SnapshotCache


class AsyncRequestHandler:
    """Takes the steps of `PublicAnswers.now`; credentials and the count come before the body is read."""

    def __init__(self, store: SnapshotCache, limits: RateLimiter | None, commits: GroupCommit) -> None:
        self._now = RequestHandler(store, limits)
        self._store = store
        self._limits = limits
        self._commits = commits

    async def answer(self, endpoint: Endpoint, exchange: RequestContext, receive: Receive) -> Answer:
        """Answer a request. Raises ClientGoneError when there is nobody left to answer."""
        try:
            access = self._now.let_in(exchange) or await self._let_in(exchange)
            body = b""
            if endpoint.body_limit is not None:
                check_declared_body(exchange.head, endpoint.body_limit)
                body = await read_body(receive, endpoint.body_limit)
            outcome = endpoint.answer(access, exchange.head, body)
            if isinstance(outcome, DurableResponse):
                await self._commits.commit(outcome.records)
                outcome = outcome.answer
        except RequestError as error:
            return await self.refuse(exchange, error)
        except ClientGoneError:
            raise
        except Exception:  # noqa: BLE001 - whatever the defect is, it is logged and answered
            return await self.refuse(exchange, own_failure(exchange))
        return outcome

    async def refuse_unknown(self, exchange: RequestContext, error: RequestError) -> Answer:
        """Answer a request for what is not there; whoever has a right key is counted by it here, too."""
        exchange.access = None
        if is_counted(exchange.path):
            try:
                await self._let_in(exchange)
            except RateLimitedError as refusal:
                error = refusal
            except RequestError:
                # No key, a wrong one, or none that can be checked now: nobody whom we know.
                pass
        return await self.refuse(exchange, error)

    async def refuse(self, exchange: RequestContext, error: RequestError) -> Answer:
        """Count a request that comes to nothing, and answer it."""
        bucket = None if self._limits is None else anonymous_key(self._limits, exchange, error)
        if self._limits is None or bucket is None:
            return error_answer(error)
        exchange.ruling = await self._limits.acquire(bucket)
        return error_answer(rate_limit_or(exchange.ruling, error))

    async def _let_in(self, exchange: RequestContext) -> AuthenticatedProject:
        credentials = presented_credentials(exchange.head)
        resident = self._store.get_cached(credentials.project_id) or await self._store.load(credentials.project_id)
        access = exchange.access = authenticate(credentials, resident, time.time())
        if self._limits is None:
            return access
        bucket = project_key(self._limits, exchange, credentials.project_id)
        exchange.ruling = self._limits.try_acquire(bucket) or await self._limits.acquire(bucket)
        refusal = exchange.ruling.rejection()
        if refusal is not None:
            raise refusal
        return access
