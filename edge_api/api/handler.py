"""The request handler: authentication and rate limits when the headers are complete, the endpoint when the body is.

Nothing here waits. A request that has to wait raises MustWaitError with what it waits for: the fast path
(`http/fast_path.py`) hands such a request to the ASGI way (`http/asgi.py`), which waits and tries again.
"""

import hmac
import time
from collections.abc import Callable, Coroutine
from typing import Protocol

import structlog
from msgspec import UNSET

from common.client_address import UNIX_SOCKET
from common.credentials import secret_key_digest
from common.errors import (
    AuthenticationError,
    InternalError,
    ProjectCredentialsError,
    RateLimitedError,
    RequestError,
)
from common.rate_limit.quotas import RateLimitKey
from common.wire.tickets import PreviewLink, Tickets
from edge_api.api.headers import check_declared_body, header_text
from edge_api.api.request import (
    CONTENT_LENGTH,
    CONTENT_TYPE,
    FORWARDED_FOR,
    PROJECT_ID,
    SECRET_KEY,
    AuthenticatedProject,
    Headers,
    RequestContext,
)
from edge_api.api.response import HandlerResult, Response, error_response
from edge_api.rate_limiter import RateLimiter
from edge_api.snapshots.cache import ProjectMissingError, SnapshotCache
from edge_api.snapshots.loaded import LoadedSnapshot, VerifiedKey

_LOG = structlog.stdlib.get_logger(__name__)

#: The use of a key is reported again after so many seconds.
_KEY_USE_SECONDS = 20.0
_FIRST_SERVER_ERROR = 500
_JSON = b"application/json"
_SHORT_LENGTH = 4

#: Reports that a secret key opened its project: project id, key id.
RecordKeyUse = Callable[[str, str], None]


class Endpoint(Protocol):
    """An endpoint of the public interface: synchronous, without I/O."""

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Return the result of an authenticated request. Raises RequestError."""
        ...


class MustWaitError(Exception):
    """The request cannot be decided on yet, and nothing was counted. Await :meth:`wait`, then try again."""

    def __init__(self, wait: Callable[[], Coroutine[None, None, None]]) -> None:
        super().__init__()
        self.wait = wait


class RequestHandler:
    """Admits requests and hands them to their endpoints. Without a limiter nothing is counted."""

    def __init__(
        self,
        snapshots: SnapshotCache,
        limiter: RateLimiter | None,
        tickets: Tickets,
        record_key_use: RecordKeyUse | None = None,
    ) -> None:
        self._snapshots = snapshots
        self._limiter = limiter
        self._tickets = tickets
        self._record_key_use = record_key_use
        self._trusts_proxies = limiter is not None and limiter.addresses.trusts_proxies
        if limiter is not None:
            # Bound once, as all methods of the hot path that are attributes of an object.
            self._key_of, self._acquire = limiter.keys.of_secret_key, limiter.acquire

    def peer_address(self, host: str | None) -> str:
        """Return the `peer` of the requests of a connection; `host` is None on a Unix socket.

        Without trusted proxies it is the address that the requests are counted by, found once a connection.
        """
        if self._limiter is None or self._trusts_proxies:
            return host or UNIX_SOCKET
        return self._limiter.addresses.find(host, None)

    def admit(self, context: RequestContext) -> Response | None:
        """Authenticate and count a request by its headers; return the response to one that is not admitted.

        Raises MustWaitError.
        """
        try:
            self.authenticate(context)
            body_limit = context.route.body_limit
            # Four digits exceed no limit.
            if body_limit is not None and (
                context.headers.get(CONTENT_TYPE) != _JSON
                or len(context.headers.get(CONTENT_LENGTH, b"")) > _SHORT_LENGTH
            ):
                check_declared_body(context.headers, body_limit)
        except MustWaitError:
            raise
        except RequestError as error:
            return self.reject(context, error)
        except Exception:  # noqa: BLE001 - any defect is logged and answered
            return self.reject(context, log_internal_error(context))
        return None

    def handle(self, endpoint: Endpoint, context: RequestContext) -> HandlerResult:
        """Return the result of an admitted request, which is complete."""
        project = context.project
        if project is None:
            raise TypeError("the request was not admitted")
        try:
            return endpoint.handle(project, context)
        except RequestError as error:
            return error_response(error)
        except Exception:  # noqa: BLE001 - any defect is logged and answered
            return error_response(log_internal_error(context))

    def reject_unrouted(self, context: RequestContext, error: RequestError) -> Response:
        """Return 404 or 405. A request with valid credentials counts against its key instead of its address.

        Raises MustWaitError.
        """
        context.project = None
        if context.route.is_counted:
            try:
                self.authenticate(context)
            except RateLimitedError as rejection:
                error = rejection
            except RequestError:
                # No credentials, wrong ones, or ones that cannot be verified now: the address is counted.
                pass
        return self.reject(context, error)

    def reject(self, context: RequestContext, error: RequestError) -> Response:
        """Count a request that is not admitted, unless it was counted, and return the response to its error.

        An error of the edge itself is not counted, but its response has the headers. A project that Redis does not have
        yet counts like one that does not exist. Raises MustWaitError.
        """
        limiter = self._limiter
        if limiter is not None and context.decision is None and context.route.is_counted:
            key = self._address_key(limiter, context)
            if error.status >= _FIRST_SERVER_ERROR and not isinstance(error, ProjectMissingError):
                context.decision = limiter.peek(key)
            else:
                context.decision = limiter.acquire(key)
                if context.decision is None:
                    raise _wait_for_decision(limiter, context, key)
        rejection = None if context.decision is None else context.decision.rejection()
        return error_response(rejection or error)

    def reject_malformed(self, context: RequestContext, error: RequestError) -> Response:
        """Return the response to bytes that are no HTTP request. It is not counted, but has the rate limit headers."""
        if self._limiter is not None:
            context.decision = self._limiter.peek(self._address_key(self._limiter, context))
        return error_response(error)

    def authenticate(self, context: RequestContext) -> None:
        """Verify the credentials and count the request against its key. Raises RequestError, MustWaitError."""
        limiter = self._limiter
        if context.ticket is None:
            project_id, secret_key = _credentials(context.headers)
            snapshot = self._snapshots.get_cached(project_id)
            if snapshot is None:
                snapshot = self._find(context, project_id)
            self._authenticate(context, snapshot, secret_key)
        else:
            project_id = self._authenticate_ticket(context, context.ticket)
        if limiter is None:
            return
        decision = context.decision
        if decision is None:
            address = context.peer if not self._trusts_proxies else self._client_address(limiter, context)
            if context.project is not None and context.project.link is not None:
                key = limiter.keys.of_preview_link(project_id, address)
            else:
                key = self._key_of(project_id, address)
            context.decision = decision = self._acquire(key)
            if decision is None:
                raise _wait_for_decision(limiter, context, key)
        if not decision.is_admitted:
            raise RateLimitedError(decision.retry_after)

    def _find(self, context: RequestContext, project_id: str) -> LoadedSnapshot | None:
        """Return the snapshot of a project that is not cached, None for one that does not exist.

        Raises MustWaitError to load it, if the client's address is within its limit, and RequestError.
        """
        if context.loaded is not UNSET:
            return context.loaded
        if self._snapshots.is_unknown(project_id):
            return None
        limiter = self._limiter
        if limiter is not None:
            decision = limiter.peek(self._address_key(limiter, context))
            if decision.remaining == 0:
                context.decision = decision
                raise RateLimitedError(decision.retry_after)
        self._snapshots.check_load(project_id)

        async def wait() -> None:
            context.loaded = await self._snapshots.load(project_id)

        raise MustWaitError(wait)

    def _authenticate(self, context: RequestContext, snapshot: LoadedSnapshot | None, secret_key: bytes) -> None:
        """Verify the secret key. `snapshot` is None for a project that does not exist. Raises RequestError."""
        if snapshot is None:
            raise ProjectCredentialsError
        now = time.time()
        key = snapshot.verified_keys.get(secret_key)
        if key is None or (key.expires_at is not None and now >= key.expires_at):
            key = verify_key(snapshot, secret_key, now)
        context.project = AuthenticatedProject(snapshot, key.key_id)
        if now - key.use_noted_at > _KEY_USE_SECONDS:
            self._record_use(key, snapshot.snapshot.project_id, now)

    def _authenticate_ticket(self, context: RequestContext, text: str) -> str:
        """Verify a ticket, and return the id of its project. Raises RequestError, MustWaitError."""
        now = time.time()
        ticket = self._tickets.read(text, now)
        if ticket is None:
            raise ProjectCredentialsError
        loaded = self._snapshots.get_cached(ticket.project_id) or self._find(context, ticket.project_id)
        if loaded is None or loaded.snapshot.deleted:
            raise ProjectCredentialsError
        if isinstance(ticket, PreviewLink):
            context.project = AuthenticatedProject(loaded, "", ticket)
            return ticket.project_id
        key = loaded.ticket_keys.get(ticket.key_id)
        if key is None:
            found = next((key for key in loaded.snapshot.secret_keys if key.key_id == ticket.key_id), None)
            if found is None:
                raise ProjectCredentialsError
            key = loaded.ticket_keys[found.key_id] = VerifiedKey(found.key_id, found.expires_at)
        if key.expires_at is not None and now >= key.expires_at:
            raise ProjectCredentialsError
        context.project = AuthenticatedProject(loaded, key.key_id)
        if now - key.use_noted_at > _KEY_USE_SECONDS:
            self._record_use(key, ticket.project_id, now)
        return ticket.project_id

    def _record_use(self, key: VerifiedKey, project_id: str, now: float) -> None:
        key.use_noted_at = now
        if self._record_key_use is not None:
            self._record_key_use(project_id, key.key_id)

    def _address_key(self, limiter: RateLimiter, context: RequestContext) -> RateLimitKey:
        return limiter.keys.of_address(self._client_address(limiter, context))

    def _client_address(self, limiter: RateLimiter, context: RequestContext) -> str:
        if not self._trusts_proxies:
            return context.peer
        return limiter.addresses.find(context.peer, header_text(context.headers, FORWARDED_FOR))


def verify_key(snapshot: LoadedSnapshot, secret_key: bytes, now: float) -> VerifiedKey:
    """Verify a secret key of the project at the Unix time `now`, and cache it on the snapshot.

    Every digest is compared in constant time, so the time taken reveals nothing. Raises ProjectCredentialsError, which
    does not reveal whether the project or the key was wrong.
    """
    digest = secret_key_digest(secret_key.decode("latin-1"))
    found = None
    for key in snapshot.snapshot.secret_keys:
        is_valid = key.expires_at is None or now < key.expires_at
        if hmac.compare_digest(digest, key.digest) and is_valid:
            found = key
    if found is None:
        raise ProjectCredentialsError
    verified = snapshot.verified_keys[secret_key] = VerifiedKey(found.key_id, found.expires_at)
    return verified


def _wait_for_decision(limiter: RateLimiter, context: RequestContext, key: RateLimitKey) -> MustWaitError:
    """Return the error of a request whose burst exceeds the credit of its client."""

    async def wait() -> None:
        context.decision = await limiter.acquire_later(key)

    return MustWaitError(wait)


def log_internal_error(context: RequestContext) -> InternalError:
    """Log the exception that is being handled, and return an error without its details."""
    _LOG.exception("request_failed", request=context.request_id.decode(), project=context.project_id)
    return InternalError()


def _credentials(headers: Headers) -> tuple[str, bytes]:
    """Return the project id and the secret key. Raises AuthenticationError when one of the two is absent."""
    try:
        project_id, secret_key = headers[PROJECT_ID].strip(), headers[SECRET_KEY].strip()
    except KeyError:
        raise AuthenticationError.absent(scheme="SecretKey") from None
    if not project_id or not secret_key:
        raise AuthenticationError.absent(scheme="SecretKey")
    return project_id.decode("latin-1"), secret_key
