"""The middleware of every request: request id, log, metrics, spans, authorization and rate limit."""

import random
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import falcon
import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars

from common.ids import IdPrefix, is_id, is_safe_request_id
from common.telemetry.tracing import valid_traceparent
from management_api.metrics import RequestMetrics

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans
from collections.abc import Mapping
from http import HTTPStatus

from common.errors import MalformedBodyError, NotFoundError, RequestError
from common.rate_limit.client_address import ClientAddresses, TrustedProxies
from common.rate_limit.limiter import RateLimitDecision, RateLimitKey, RateLimitKeys, is_counted
from common.settings.shared import RateLimitSettings
from management_api.auth.access import Caller
from management_api.auth.authentication import Authentication, CredentialKind
from management_api.db.models.projects import Role
from management_api.http.errors import write_error
from management_api.http.routing import Access, Route
from management_api.rate_limiter import RateLimiter


class ResponseHeaders:
    """Falcon middleware: names the request on the way in, and shows the name on every answer."""

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Keep the caller's request id or make one."""
        offered = req.get_header("X-Request-Id")
        req.context.request_id = offered if offered and is_safe_request_id(offered) else new_request_id()

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Set the headers. Falcon refuses some requests before any middleware has seen them; those get an id here."""
        request_id = req.context.get("request_id") or new_request_id()
        resp.set_headers({"X-Request-Id": request_id, "X-Content-Type-Options": "nosniff"})
        # Some answers show keys, and all are for one caller; what may be kept, like the documentation, says so itself.
        if resp.cache_control is None:
            resp.set_header("Cache-Control", "no-store")


def new_request_id() -> str:
    """Make an id for a request that has brought none: 128 random bits, which nobody need find hard to guess."""
    return f"{random.getrandbits(128):032x}"  # nosec B311 # see above


log = structlog.get_logger(__name__)


class RequestLog:
    """Falcon middleware: measures a request, and counts and logs it once it is answered.

    The request's id and project are bound to the thread meanwhile, so that every other line says whose it is too.
    """

    def __init__(self, metrics: RequestMetrics) -> None:
        self._metrics = metrics

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Start the clock."""
        req.context.started = time.perf_counter()
        bind_contextvars(request_id=req.context.request_id, project=None)

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Note the project of the path; what is no id is a stranger's text and stays out of the log."""
        project_id = params.get("project_id", "")
        if is_id(IdPrefix.PROJECT, project_id):
            bind_contextvars(project=project_id)

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Write the line."""
        caller = req.context.get("caller")
        started = req.context.get("started") or time.perf_counter()
        if "request_id" not in req.context:
            # Falcon refuses some requests before any middleware has seen them.
            req.context.request_id = new_request_id()
            bind_contextvars(request_id=req.context.request_id, project=None)
        seconds = time.perf_counter() - started
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


_PROBES = "/health/"


class RequestTracing:
    """Falcon middleware, installed only while tracing is on. The middleware before it sets the request id."""

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


NOT_HTTP = "The request is not well-formed HTTP"
#: What speaks of the answer that a refusal has taken the place of.
_HEADERS_OF_OTHER_ANSWERS = ("WWW-Authenticate", "Allow")


class RateLimitMiddleware:
    """Falcon middleware, right behind the access gate: whoever it lets through is counted before anything is done.

    Whoever it does not let through, and whoever asks for what is not there, is counted once the answer is made, and
    past the limit that answer is not given. What failed by our own fault is not counted.
    """

    def __init__(self, limits: RateLimiter, settings: RateLimitSettings) -> None:
        self._limits = limits
        self._buckets = RateLimitKeys(settings)
        self._addresses = ClientAddresses(TrustedProxies(settings.trusted_proxies))

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Count a request whose caller is known. Raises RateLimitedError."""
        caller: Caller | None = req.context.get("caller")
        if caller is None:
            return
        ruling = self._limits.acquire(self._of_user(caller.user_id, req.context.credential))
        req.context.ruling = ruling
        refusal = ruling.rejection()
        if refusal is not None:
            raise refusal

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Tell the client how it stands, on every counted answer."""
        ruling: RateLimitDecision | None = req.context.get("ruling")
        if ruling is None:
            if not is_counted(req.path):
                return
            ruling = self._count_late(req, resp)
        resp.set_headers(ruling.headers())

    def reject_malformed(self, address: str) -> tuple[RequestError, Mapping[str, str]]:
        """Count a request that is not HTTP by the address of its connection. Return its error and headers."""
        decision = self._limits.acquire(self._buckets.of_address(self._addresses.find(address, None)))
        return decision.rejection() or MalformedBodyError(NOT_HTTP), decision.headers()

    def _count_late(self, request: falcon.Request, response: falcon.Response) -> RateLimitDecision:
        forwarded_for = request.get_header("X-Forwarded-For")
        address = self._addresses.find(request.env.get("REMOTE_ADDR"), forwarded_for)
        # One who asks for what is not there is known only now.
        caller: Caller | None = request.context.get("caller")
        key = (
            self._buckets.of_address(address)
            if caller is None
            else self._of_user(caller.user_id, request.context.credential)
        )
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return self._limits.peek(key)
        ruling = self._limits.acquire(key)
        refusal = ruling.rejection()
        if refusal is not None:
            for name in _HEADERS_OF_OTHER_ANSWERS:
                response.delete_header(name)
            write_error(response, refusal)
        return ruling

    def _of_user(self, user_id: str, credential: CredentialKind) -> RateLimitKey:
        if credential is CredentialKind.JWT:
            return self._buckets.of_jwt(user_id)
        return self._buckets.of_api_key(user_id)


_NOT_THERE = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)


class UnroutedCallers:
    """Falcon middleware: the gate never sees unknown paths, and refuses unknown methods before it asks who calls.

    It stands behind the counting, and so comes before it on the way out.
    """

    def __init__(self, authentication: Authentication) -> None:
        self._authentication = authentication

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Find out who the caller is, where that has not been asked; a wrong credential is that of a stranger."""
        if resp.status_code not in _NOT_THERE or "caller" in req.context or not req.auth or not is_counted(req.path):
            return
        try:
            user = self._authentication.user_of(req)
        except RequestError:
            return
        req.context.caller = Caller(user_id=user.user_id, needs=Role.OWNER)
        req.context.credential = user.credential


class AuthorizationMiddleware:
    """Falcon middleware: finds the row of the request, authenticates, and hands the caller on.

    Unknown paths never come here (Falcon answers 404), and unknown methods are refused before any credential is
    looked at. Whether the caller has the role in the project at hand is asked by `project_access.py`, which alone
    knows the project.
    """

    def __init__(self, routes: Mapping[str, Route], authentication: Authentication) -> None:
        self._routes = routes
        self._authentication = authentication

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Let the request through, with `context.caller` set where someone is known, or raise RequestError.

        `context.path_in_interface` is the path as the routes table has it, whatever prefix it was reached by.
        """
        route = self._routes.get(req.uri_template or "")
        # Falcon takes nothing behind a slash for a value; `/projects/` is no path of ours.
        if route is None or "" in params.values():
            raise NotFoundError("Not found")
        permission = route.permission(req.method)
        if permission is Access.OPEN:
            return
        # Where no role in a project decides, reaching for a project all the same would need the highest one.
        needs = permission if isinstance(permission, Role) else Role.OWNER
        req.context.path_in_interface = route.path.format_map(params)
        user = self._authentication.user_of(req)
        req.context.caller = Caller(user_id=user.user_id, needs=needs)
        req.context.credential = user.credential
