"""Puts the Falcon application together: every part is made here and handed what it needs."""

import falcon

from common.rules.assignment_tokens import AssignmentTokens
from management_api.auth.authentication import Authentication
from management_api.auth.jwt import TokenVerifier
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.http.errors import ErrorResponses
from management_api.http.middleware import (
    AuthorizationMiddleware,
    RateLimitMiddleware,
    RequestLog,
    RequestTracing,
    ResponseHeaders,
    UnroutedCallers,
)
from management_api.http.routes import api_routes, documentation_routes, operations_routes
from management_api.http.routing import HeadOptionsRouter, Route
from management_api.metrics import RequestMetrics
from management_api.projects.quotas import Quotas

#: The same handlers stand behind both: without a version the path means v1 (contract, section 1).
PREFIXES = ("/api", "/api/v1")


def create_app(  # noqa: PLR0913 - the parts of the application, once each
    database: Database,
    vault: KeyVault,
    tokens: TokenVerifier,
    quotas: Quotas,
    assignments: AssignmentTokens,
    *,
    counting: RateLimitMiddleware | None = None,
    metrics: RequestMetrics | None = None,
    tracing: RequestTracing | None = None,
    unreadable_body: tuple[type[Exception], ...] = (),
) -> falcon.App[falcon.Request, falcon.Response]:
    """Make the application; `unreadable_body` are the errors of the server while it reads a body, `metrics` count.

    Without `tracing` there are no spans. Middleware runs in this order on the way in. Rate limits (None: no limits)
    stand right after the access gate, which knows the caller. Idempotency is no middleware: it needs the transaction of
    the change (`http/idempotency.py`).
    """
    routes = _by_template(database, vault, quotas, assignments)
    app = falcon.App(router=HeadOptionsRouter())
    app.add_middleware(ResponseHeaders())
    if tracing is not None:
        app.add_middleware(tracing)
    app.add_middleware(RequestLog(metrics or RequestMetrics()))
    authentication = Authentication(database, vault, tokens)
    app.add_middleware(AuthorizationMiddleware(routes, authentication))
    if counting is not None:
        app.add_middleware(counting)
        app.add_middleware(UnroutedCallers(authentication))
    ErrorResponses(unreadable_body).attach(app)
    for template, route in routes.items():
        app.add_route(template, route.resource)
    return app


def _by_template(
    database: Database, vault: KeyVault, quotas: Quotas, assignments: AssignmentTokens
) -> dict[str, Route]:
    """Give every row by the whole path that it is found under."""
    routes = {route.template: route for route in operations_routes(database)}
    for route in (*api_routes(database, vault, quotas, assignments), *documentation_routes()):
        for prefix in PREFIXES:
            routes[prefix + route.template] = route
    return routes
