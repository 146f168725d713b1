"""One line in the log for each request: who, what, how it ended, how long it took; never a path's or query's values."""

import time
from typing import Any

import falcon
import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars

from common.ids import IdPrefix, is_id
from management_api.metrics import RequestMetrics
from management_api.routes.response_headers import new_request_id

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
