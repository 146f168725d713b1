"""One line for each request at log level `debug`. Apart because both ways of answering write it."""

import logging
import time

import structlog

from edge_api.api.request import RequestContext

_LOG = structlog.stdlib.get_logger(__name__)

_LOGGED_PATH_LENGTH = 200


def requests_are_logged() -> bool:
    """Return whether the lines would be written at all."""
    return logging.getLogger(__name__).isEnabledFor(logging.DEBUG)


def log_request(context: RequestContext, method: str, status: int | None, started_at: float) -> None:
    """Write the line; `started_at` is of `time.perf_counter`, the status is None when no response was sent."""
    _LOG.debug(
        "request",
        request=context.request_id.decode(),
        project=context.project_id,
        method=method,
        path=context.route.path[:_LOGGED_PATH_LENGTH],
        status=status,
        ms=round((time.perf_counter() - started_at) * 1000, 3),
    )
