"""The answering core: from a request to its finished answer in one step, from what the worker has in memory."""

import time
from typing import Protocol

import structlog

from common.errors import InternalError, RateLimitedError, RequestError
from edge_api.answers.answer import Answer, Outcome
from edge_api.answers.body_limits import JSON_TYPE, check_media_type
from edge_api.answers.credentials import AuthenticatedProject, authenticate, presented_credentials
from edge_api.answers.endpoint import Endpoint
from edge_api.answers.error_answers import error_answer
from edge_api.answers.exchange import RequestContext
from edge_api.answers.request_counting import Limits, anonymous_key, client_key, project_key, rate_limit_or
from edge_api.snapshots.loaded import LoadedSnapshot

_LOG = structlog.stdlib.get_logger(__name__)


class SnapshotLookup(Protocol):
    """The snapshots in memory."""

    def get_cached(self, project_id: str) -> LoadedSnapshot | None:
        """Give the project's snapshot if it is held."""
        ...

    def is_unknown(self, project_id: str) -> bool:
        """Tell whether it is known already that there is no such project."""
        ...


class RequestHandler:
    """What the doors share. :meth:`now` is a whole request; what has to wait goes through the same steps one by one."""

    def __init__(self, residents: SnapshotLookup, limits: Limits | None) -> None:
        self._residents = residents
        self._limits = limits

    def now(self, endpoint: Endpoint, exchange: RequestContext, body: bytes) -> Outcome | None:
        """Answer a request, whose body is not larger than the endpoint takes. Raises nothing.

        Gives None, and has counted and changed nothing, when a snapshot or a lease has to be fetched first.
        """
        try:
            access = self.let_in(exchange)
            if access is None:
                return None
            if endpoint.body_limit is not None and exchange.head.content_type != JSON_TYPE:
                check_media_type(exchange.head)
            return endpoint.answer(access, exchange.head, body)
        except RequestError as error:
            return self._refuse(exchange, error)
        except Exception:  # noqa: BLE001 - whatever the defect is, it is logged and answered
            return self._refuse(exchange, own_failure(exchange))

    def unread(self, exchange: RequestContext, error: RequestError) -> Answer:
        """Answer what could not be read as a request; it is not counted, but tells how the client stands."""
        if self._limits is not None:
            exchange.ruling = self._limits.peek(client_key(self._limits, exchange))
        return error_answer(error)

    def let_in(self, exchange: RequestContext) -> AuthenticatedProject | None:
        """Check the credentials and count the request.

        Gives None, and has counted nothing, when a snapshot or a lease has to be fetched first. Raises RequestError.
        """
        access = exchange.access
        if (
            access is None
            or access.expires_at is not None
            or self._residents.get_cached(access.resident.snapshot.project_id) is not access.resident
        ):
            # Only of the very same snapshot, and of a key without end, it is sure that it would be opened again.
            exchange.access = None
            credentials = presented_credentials(exchange.head)
            resident = self._residents.get_cached(credentials.project_id)
            if resident is None and not self._residents.is_unknown(credentials.project_id):
                return None
            access = exchange.access = authenticate(credentials, resident, time.time())
        limits = self._limits
        if limits is None:
            return access
        key = exchange.key
        if key is None:
            key = exchange.key = project_key(limits, exchange, access.resident.snapshot.project_id)
        ruling = exchange.ruling = limits.try_acquire(key)
        if ruling is None:
            return None
        if not ruling.is_admitted:
            raise RateLimitedError(ruling.retry_after)
        return access

    def _refuse(self, exchange: RequestContext, error: RequestError) -> Answer | None:
        key = None if self._limits is None else anonymous_key(self._limits, exchange, error)
        if self._limits is None or key is None:
            return error_answer(error)
        exchange.ruling = self._limits.try_acquire(key)
        return None if exchange.ruling is None else error_answer(rate_limit_or(exchange.ruling, error))


def own_failure(exchange: RequestContext) -> InternalError:
    """Log the defect that is being handled, and give the error that says nothing about it."""
    _LOG.exception("request_failed", request=exchange.request_id.decode(), project=exchange.project_id)
    return InternalError()
