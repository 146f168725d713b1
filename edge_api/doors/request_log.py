"""One line for each request, with the log level `debug`: who asked for what, and how it ended."""

import logging
import time

import structlog

from edge_api.answers.exchange import RequestContext

_LOG = structlog.stdlib.get_logger(__name__)

_LOGGED_PATH_LENGTH = 200


def requests_are_logged() -> bool:
    """Tell whether lines would be written at all; asked once, when a door is made."""
    return logging.getLogger(__name__).isEnabledFor(logging.DEBUG)


def log_request(exchange: RequestContext, method: str, status: int | None, started_at: float) -> None:
    """Write the line; `started_at` is of `time.perf_counter`, the status is None when nobody was answered."""
    _LOG.debug(
        "request",
        request=exchange.request_id.decode(),
        project=exchange.project_id,
        method=method,
        path=exchange.path[:_LOGGED_PATH_LENGTH],
        status=status,
        ms=round((time.perf_counter() - started_at) * 1000, 3),
    )
