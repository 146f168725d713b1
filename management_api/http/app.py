"""The Falcon application: routes, middleware and error handlers."""

import falcon

from common.settings.types import assignment_keys_of
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.tickets import Tickets
from management_api.auth.authentication import Authentication
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.flows.lifecycle.preview_links import PreviewLinks
from management_api.http.errors import ErrorResponses
from management_api.http.middleware import (
    AuthorizationMiddleware,
    RateLimitMiddleware,
    RequestMetrics,
    RequestMiddleware,
    TracingMiddleware,
)
from management_api.http.routes import api_routes, dashboard_routes, documentation_routes, operations_routes
from management_api.http.routing import HeadOptionsRouter, Route
from management_api.media.resources import MediaLibrary
from management_api.projects.quotas import Quotas
from management_api.settings import ManagementSettings
from management_api.translations.machine import translator_of

#: The same handlers stand behind both: without a version the path means v1 (contract, section 1).
PREFIXES = ("/api", "/api/v1")


def create_app(  # noqa: PLR0913 - the parts of the application, once each
    settings: ManagementSettings,
    database: Database,
    vault: KeyVault,
    authentication: Authentication,
    *,
    rate_limits: RateLimitMiddleware | None = None,
    metrics: RequestMetrics | None = None,
    tracing: TracingMiddleware | None = None,
    unreadable_body: tuple[type[Exception], ...] = (),
) -> falcon.App[falcon.Request, falcon.Response]:
    """Return the application.

    Middleware runs in this order on the way in, and in the reverse order on the way out. Rate limits follow
    authorization, which sets the caller. Idempotency is no middleware: it needs the transaction of the change
    (`http/idempotency.py`). `unreadable_body` are the errors of the server while it reads a body.
    """
    routes = _routes_by_template(settings, database, vault)
    app = falcon.App(router=HeadOptionsRouter())
    app.add_middleware(RequestMiddleware(metrics or RequestMetrics()))
    if tracing is not None:
        app.add_middleware(tracing)
    app.add_middleware(AuthorizationMiddleware(routes, authentication))
    if rate_limits is not None:
        app.add_middleware(rate_limits)
    ErrorResponses(unreadable_body).attach(app)
    for template, route in routes.items():
        app.add_route(template, route.resource)
    return app


def _routes_by_template(settings: ManagementSettings, database: Database, vault: KeyVault) -> dict[str, Route]:
    """Return all routes by the template of their path."""
    signing_keys = assignment_keys_of(settings.assignment_keys)
    interface = api_routes(
        database,
        vault,
        Quotas.from_settings(settings),
        AssignmentTokens(signing_keys),
        PreviewLinks(Tickets(signing_keys), settings.edge_public_url),
        MediaLibrary.from_settings(settings),
        translator_of(settings),
    )
    routes = {route.template: route for route in (*operations_routes(database), *dashboard_routes(settings))}
    for route in (*interface, *documentation_routes()):
        for prefix in PREFIXES:
            routes[prefix + route.template] = route
    return routes
