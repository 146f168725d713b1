"""The middleware of every request: request id, log, metrics, spans, authorization and rate limits."""

import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import falcon
import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars

from common.client_address import ClientAddresses, TrustedProxies
from common.errors import MalformedBodyError, NotFoundError, RequestError
from common.ids import IdPrefix, is_id, is_safe_request_id
from common.rate_limit.counted_paths import is_counted
from common.rate_limit.keys import RateLimitKeys
from common.rate_limit.limiter import RateLimitDecision
from common.rate_limit.quotas import RateLimitKey
from common.settings.shared import RateLimitSettings
from common.telemetry.catalogue import management as catalogue
from common.telemetry.samples import Histogram, SampleSet
from common.telemetry.tracing import valid_traceparent
from management_api.auth.access import Caller
from management_api.auth.authentication import Authentication, CredentialKind
from management_api.db.models.projects import Role
from management_api.http.errors import write_error
from management_api.http.routing import Access, Route
from management_api.rate_limiter import RateLimiter

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

NOT_HTTP = "The request is not well-formed HTTP"
_PROBES = "/health/"
#: Headers of the response that a rate limit error replaces.
_HEADERS_OF_REPLACED_RESPONSE = ("WWW-Authenticate", "Allow")
#: Responses that Falcon may send without authorization: unknown paths and methods.
_UNROUTED = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
_VERSION, _UNVERSIONED = "/api/v1/", "/api/"
_OTHER = "other"
#: The largest body that the gateway forwards (1100k).
_MAX_DISCARDED_BYTES = 1100 * 1024
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})

log = structlog.get_logger(__name__)


class RequestMetrics:
    """The metrics of all routes; all threads of a worker update them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._responses: Counter[tuple[str, str, int]] = Counter()
        self._durations: defaultdict[tuple[str, str], Histogram] = defaultdict(Histogram)

    def count(self, template: str | None, method: str, status: int, seconds: float) -> None:
        """Count a response; `template` is the template of the route, None for unknown paths."""
        route = _OTHER if template is None else template.replace(_VERSION, _UNVERSIONED)
        # Clients can invent any number of methods.
        method = method if method in _METHODS else _OTHER
        with self._lock:
            self._responses[route, method, status] += 1
            self._durations[route, method].observe(seconds)

    def collect(self, samples: SampleSet) -> None:
        """Add the counts and the durations."""
        with self._lock:
            for (route, method, status), count in self._responses.items():
                samples.add(catalogue.REQUESTS, count, route, method, str(status))
            for (route, method), durations in self._durations.items():
                samples.add_histograms(catalogue.REQUEST_SECONDS, [durations], route, method)


class RequestMiddleware:
    """Sets the request id and the headers of every response; counts and logs the request.

    The request id and the project are bound to the thread, so all other log lines of the request have them.
    """

    def __init__(self, metrics: RequestMetrics) -> None:
        self._metrics = metrics

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Set the request id, of the client or a new one, and start the clock."""
        _start(req)

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Bind the project of the path. Text that is not an id stays out of the log."""
        project_id = params.get("project_id", "")
        if is_id(IdPrefix.PROJECT, project_id):
            bind_contextvars(project=project_id)

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Set the headers and write the line."""
        if "request_id" not in req.context:
            # Falcon rejects some requests before any process_request.
            _start(req)
        resp.set_headers({"X-Request-Id": req.context.request_id, "X-Content-Type-Options": "nosniff"})
        # Some responses have keys, and all are for one caller. A resource whose response may be stored sets its own.
        if resp.cache_control is None:
            resp.set_header("Cache-Control", "no-store")
        caller = req.context.get("caller")
        seconds = time.perf_counter() - req.context.started
        self._metrics.count(req.uri_template, req.method, resp.status_code, seconds)
        log.info(
            "request",
            user=caller.user_id if caller else None,
            method=req.method,
            route=req.uri_template,
            status=resp.status_code,
            duration_ms=round(seconds * 1000, 2),
        )
        clear_contextvars()
        _discard_body(req)


def _start(request: falcon.Request) -> None:
    sent = request.get_header("X-Request-Id")
    # An id identifies a request and protects nothing, so it may be guessed.
    generated = f"{random.getrandbits(128):032x}"
    request.context.request_id = sent if sent and is_safe_request_id(sent) else generated
    request.context.started = time.perf_counter()
    bind_contextvars(request_id=request.context.request_id, project=None)


def _discard_body(request: falcon.Request) -> None:
    """Read what the responder has left of the body.

    The end of a connection with unread bytes is a reset. The gateway may lose the response then, and sends 503.
    """
    length = request.env.get("CONTENT_LENGTH", "")
    if length.isdecimal() and 0 < int(length) <= _MAX_DISCARDED_BYTES:
        request.bounded_stream.exhaust()


class TracingMiddleware:
    """Opens a span for each request; installed while tracing is on, after RequestMiddleware."""

    def __init__(self, spans: "Spans") -> None:
        self._spans = spans

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Start the span. Probes have none; unknown methods share one name, since clients can invent any number."""
        if req.path.startswith(_PROBES):
            return
        traceparent = req.get_header("traceparent")
        valid = None if traceparent is None else valid_traceparent([traceparent])
        method = req.method if req.method in falcon.HTTP_METHODS else "_OTHER"
        attributes = {"http.request.method": method, "onboarding.request_id": req.context.request_id}
        req.context.spans = ExitStack()
        req.context.span = req.context.spans.enter_context(self._spans.request(method, valid, attributes))

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """End the span. Requests that Falcon rejects before the middleware have none."""
        span = req.context.get("span")
        if span is not None:
            span.set_status(resp.status_code, route=req.uri_template)
            req.context.spans.close()


class AuthorizationMiddleware:
    """Authenticates the caller of a route and sets the role that the route requires.

    Falcon answers unknown paths with 404 before, and unknown methods are rejected before the credential is read.
    `auth/access.py` compares the required role with that of the caller, because it loads the project.
    """

    def __init__(self, routes: Mapping[str, Route], authentication: Authentication) -> None:
        self._routes = routes
        self._authentication = authentication

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Set `context.caller`, unless the route is open, or raise RequestError.

        `context.path_in_interface` is the path as in the routes table, without the prefix. `context.reader` has the
        connection that has read the credential; a responder that reads columns reads them on it.
        """
        route = self._routes.get(req.uri_template or "")
        # Falcon takes an empty text behind a slash for a value; `/projects/` is not a path of the interface.
        if route is None or "" in params.values():
            raise NotFoundError("Not found")
        permission = route.permission(req.method)
        if req.method == "OPTIONS":
            resp.set_header("Allow", ", ".join(route.allowed_methods))
        if permission is Access.OPEN:
            return
        # A route without a role must not load a project; if it does, the caller needs the highest role.
        required_role = permission if isinstance(permission, Role) else Role.OWNER
        req.context.cost = route.cost
        req.context.path_in_interface = route.path.format_map(params)
        _authenticate(req, self._authentication, required_role)

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Return the connection of the request."""
        if "reader" in req.context:
            req.context.reader.close()


class RateLimitMiddleware:
    """Counts each request by its user or its address, and rejects those above the limit.

    An authenticated request is counted before its responder runs. All others (an invalid credential, an open route, an
    unknown path or method) are counted when the response is ready, and above the limit 429 replaces it. A response of
    500 or more is not counted.
    """

    def __init__(self, limiter: RateLimiter, settings: RateLimitSettings, authentication: Authentication) -> None:
        self._limiter = limiter
        self._keys = RateLimitKeys(settings)
        self._addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))
        self._authentication = authentication

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Count an authenticated request. Raises RateLimitedError."""
        if "caller" not in req.context:
            return
        decision = req.context.rate_limit = self._limiter.acquire(self._key_of(req), req.context.cost)
        rejection = decision.rejection()
        if rejection is not None:
            raise rejection

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Set the rate limit headers of every counted response."""
        decision: RateLimitDecision | None = req.context.get("rate_limit")
        if decision is None:
            if not is_counted(req.path):
                return
            decision = self._count_late(req, resp)
        resp.set_headers(decision.headers())

    def reject_malformed(self, address: str) -> tuple[RequestError, Mapping[str, str]]:
        """Count a request that is not HTTP by the address of its connection. Return its error and headers."""
        decision = self._limiter.acquire(self._keys.of_address(self._addresses.find(address, None)))
        return decision.rejection() or MalformedBodyError(NOT_HTTP), decision.headers()

    def _count_late(self, request: falcon.Request, response: falcon.Response) -> RateLimitDecision:
        is_unrouted = response.status_code in _UNROUTED or request.method == "OPTIONS"
        if is_unrouted and "caller" not in request.context and request.auth:
            self._authenticate_unrouted(request)
        key = self._key_of(request)
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return self._limiter.peek(key)
        decision = self._limiter.acquire(key)
        rejection = decision.rejection()
        if rejection is not None:
            for name in _HEADERS_OF_REPLACED_RESPONSE:
                response.delete_header(name)
            write_error(response, rejection)
        return decision

    def _authenticate_unrouted(self, request: falcon.Request) -> None:
        """Find the user of a 404, a 405 or OPTIONS; a request with an invalid credential counts against its address."""
        try:
            _authenticate(request, self._authentication, Role.OWNER)
        except RequestError:
            return

    def _key_of(self, request: falcon.Request) -> RateLimitKey:
        caller: Caller | None = request.context.get("caller")
        if caller is None:
            forwarded_for = request.get_header("X-Forwarded-For")
            return self._keys.of_address(self._addresses.find(request.env.get("REMOTE_ADDR"), forwarded_for))
        if request.context.credential is CredentialKind.JWT:
            return self._keys.of_jwt(caller.user_id)
        return self._keys.of_api_key(caller.user_id)


def _authenticate(request: falcon.Request, authentication: Authentication, required_role: Role) -> None:
    request.context.reader = authentication.column_reader()
    user = authentication.user_of(request, request.context.reader)
    request.context.caller = Caller(user.user_id, required_role)
    request.context.credential = user.credential
    client = request.env.get("gunicorn.socket")
    if client is not None:
        # The worker divides its threads by users.
        client.user_id = user.user_id
