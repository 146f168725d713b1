"""One line in the log for each request: who, what, how it ended, how long it took; never a path's or query's values."""

import time
from typing import Any

import falcon
import structlog

from common.identifiers import IdPrefix, is_id

log = structlog.get_logger(__name__)


class RequestLog:
    """Falcon middleware: measures a request and logs it once it is answered."""

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Start the clock."""
        req.context.started = time.perf_counter()

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Note the project of the path; what is no id is a stranger's text and stays out of the log."""
        project_id = params.get("project_id", "")
        if is_id(IdPrefix.PROJECT, project_id):
            req.context.project_id = project_id

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Write the line."""
        caller = req.context.get("caller")
        started = req.context.get("started") or time.perf_counter()
        log.info(
            "request",
            request_id=req.context.get("request_id"),
            user=caller.user_id if caller else None,
            project=req.context.get("project_id"),
            method=req.method,
            route=req.uri_template,
            status=resp.status_code,
            duration_ms=round((time.perf_counter() - started) * 1000, 2),
        )
