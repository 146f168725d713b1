"""Logging of every process: one line for each event, JSON by default, to standard error, without secrets."""

import json
import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import orjson
import structlog

from common.settings.shared import ProcessSettings

#: Members whose values are replaced, in case an event has one by mistake.
SECRET_MEMBERS = frozenset(
    {
        "analytics_database_url", "api_key", "authorization", "cookie", "database_url", "device_digest_keys", "jwt",
        "master_key", "password", "redis_url", "secret_key", "shared_secret", "token",
    }
)  # fmt: skip


def configure_logging(settings: ProcessSettings, process: str) -> None:
    """Configure structlog, and the standard library's logging of dependencies, for one process.

    structlog writes to standard error directly. Through the standard library a line takes four times as long, and there
    is one for each request.
    """
    in_json = settings.log_format == "json"
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(serializer=_as_json)
        if in_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        _process_name(process),
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _hide_secrets,
        structlog.processors.format_exc_info,
    ]
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[*shared, renderer],
        logger_factory=(
            structlog.BytesLoggerFactory(sys.stderr.buffer) if in_json else structlog.WriteLoggerFactory(sys.stderr)
        ),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _text_renderer(renderer)],
        )
    )
    logging.basicConfig(handlers=[handler], level=level, force=True)


def _process_name(process: str) -> structlog.typing.Processor:
    """Return the processor that adds the process's name; new threads do not inherit context variables."""

    def add_name(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["process"] = process
        return event

    return add_name


def _hide_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for member in SECRET_MEMBERS & event.keys():
        event[member] = "[hidden]"
    return event


def _as_json(event: MutableMapping[str, Any], **options: Any) -> bytes:  # noqa: ANN401 - options of structlog
    try:
        return orjson.dumps(event, **options)
    except TypeError:
        # A lone surrogate, or a number beyond 64 bits, which orjson rejects.
        return json.dumps(event, **options).encode()


def _text_renderer(renderer: structlog.typing.Processor) -> structlog.typing.Processor:
    """Return the renderer for the standard library's handlers, which write text."""

    def render(logger: object, method: str, event: MutableMapping[str, Any]) -> str:
        rendered = renderer(logger, method, event)
        return rendered.decode() if isinstance(rendered, bytes) else str(rendered)

    return render
