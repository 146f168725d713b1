"""Traces: the context of a request, and whether tracing is enabled, without an import of OpenTelemetry."""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from common.errors import SettingsError

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans

Attributes = Mapping[str, str | int]

#: Version, trace, span, flags, as in W3C Trace Context. Later versions may add fields that are not parsed here.
_TRACEPARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_SAMPLED = 1
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
_PROTOCOL = "http/protobuf"


class TraceOrigin(NamedTuple):
    """The span and the request with which work began."""

    traceparent: str
    request_id: str | None


class NoSpans:
    """The spans of batches in a process without tracing: none."""

    def batch(self, name: str, attributes: Attributes, origins: Sequence[TraceOrigin]) -> AbstractContextManager[None]:  # noqa: ARG002 - as Spans.batch
        """Create no span."""
        return nullcontext()


def valid_traceparent(values: Sequence[str]) -> str | None:
    """Return the `traceparent` of a request, None for several values and for one that is malformed."""
    if len(values) != 1 or not _TRACEPARENT.fullmatch(values[0]):
        return None
    return values[0]


def is_sampled(traceparent: str) -> bool:
    """Return whether the caller records this trace."""
    return bool(int(traceparent[-2:], 16) & _SAMPLED)


def tracing_enabled(environment: Mapping[str, str]) -> bool:
    """Return whether `OTEL_TRACES_EXPORTER` or an endpoint is set; the default of the standard would be on."""
    if _read(environment, "OTEL_SDK_DISABLED") == "true":
        return False
    exporter = _read(environment, "OTEL_TRACES_EXPORTER")
    if exporter:
        return exporter != "none"
    return any(_read(environment, name) for name in _ENDPOINTS)


def create_spans(process: str, environment: Mapping[str, str]) -> "Spans | None":
    """Return the spans of a process, None where tracing is off. Raises SettingsError, see validate_tracing_config."""
    if not tracing_enabled(environment):
        return None
    validate_tracing_config(environment)
    from common.telemetry.open_telemetry import Spans  # noqa: PLC0415 - only traced processes need the packages

    return Spans.for_process(process)


def validate_tracing_config(environment: Mapping[str, str]) -> None:
    """Raise SettingsError for an unsupported exporter or protocol, and when the packages are not installed."""
    if not tracing_enabled(environment):
        return
    if _read(environment, "OTEL_TRACES_EXPORTER") not in ("", "otlp"):
        raise SettingsError("OTEL_TRACES_EXPORTER: must be otlp or none")
    for name in _PROTOCOLS:
        if _read(environment, name) not in ("", _PROTOCOL):
            raise SettingsError(f"{name}: must be {_PROTOCOL}")
    if not _is_installed():
        raise SettingsError(
            "OTEL_TRACES_EXPORTER: traces need the packages of the extra onboarding-configuration-service[tracing]"
        )


def _is_installed() -> bool:
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def _read(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "").strip().lower()
