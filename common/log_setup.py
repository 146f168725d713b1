"""How every process logs: one line an event, JSON by default, to standard error, without secrets."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from common.settings import ProcessSettings

#: An event may carry a member of such a name only by mistake; its value never reaches the log.
SECRET_MEMBERS = frozenset(
    {
        "api_key", "authorization", "cookie", "database_url", "jwt", "master_key", "password", "redis_url",
        "secret_key", "shared_secret", "token",
    }
)  # fmt: skip


def configure_logging(settings: ProcessSettings, process: str) -> None:
    """Set up structlog, and the standard library's logging of our dependencies, for one process."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        _named(process),
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _hide_secrets,
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(handlers=[handler], level=settings.log_level.upper(), force=True)


def _named(process: str) -> structlog.typing.Processor:
    """Give what puts the process's name into each event; context variables would be lost on the way into a thread."""

    def name(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["process"] = process
        return event

    return name


def _hide_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for member in SECRET_MEMBERS & event.keys():
        event[member] = "[hidden]"
    return event
