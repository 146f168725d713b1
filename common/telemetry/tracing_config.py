"""Whether traces are wanted, by OpenTelemetry's standard variables; nothing of it is imported to find that out."""

from collections.abc import Mapping
from importlib.util import find_spec

from common.errors import SettingsError
from common.telemetry.tracing import Spans

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
_PROTOCOL = "http/protobuf"


def traces_are_wanted(environment: Mapping[str, str]) -> bool:
    """Tell whether `OTEL_TRACES_EXPORTER` or an endpoint asks for them. Unlike the standard's, our default is none."""
    if _said(environment, "OTEL_SDK_DISABLED") == "true":
        return False
    exporter = _said(environment, "OTEL_TRACES_EXPORTER")
    if exporter:
        return exporter != "none"
    return any(_said(environment, name) for name in _ENDPOINTS)


def create_spans(process: str, environment: Mapping[str, str]) -> Spans | None:
    """Give what takes the spans of a process, None where nobody wants them.

    Raises SettingsError where they are wanted in a way that we do not have, or cannot be had.
    """
    if not traces_are_wanted(environment):
        return None
    validate_tracing_config(environment)
    from common.telemetry.open_telemetry import OpenTelemetrySpans  # noqa: PLC0415 - only who wants traces needs the packages

    return OpenTelemetrySpans.of(process)


def validate_tracing_config(environment: Mapping[str, str]) -> None:
    """Raise SettingsError where traces are wanted by another exporter or protocol than there is, or without any."""
    if not traces_are_wanted(environment):
        return
    if _said(environment, "OTEL_TRACES_EXPORTER") not in ("", "otlp"):
        raise SettingsError("OTEL_TRACES_EXPORTER: must be otlp or none")
    for name in _PROTOCOLS:
        if _said(environment, name) not in ("", _PROTOCOL):
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


def _said(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "").strip().lower()
