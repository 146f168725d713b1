"""The context of traces, and the variables that turn tracing on."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.errors import SettingsError
from common.telemetry.tracing import create_spans, is_sampled, tracing_enabled, valid_traceparent

_TRACE, _SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
_VALID = f"00-{_TRACE}-{_SPAN}-01"
#: redis-py imports the SDK's metrics by itself where they are installed.
_PACKAGES = ("common.telemetry.open_telemetry", "opentelemetry.exporter", "opentelemetry.sdk.trace", "google")
_ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


def test_valid_traceparent_is_returned_with_its_sampling() -> None:
    assert valid_traceparent([_VALID]) == _VALID
    assert is_sampled(_VALID)
    assert not is_sampled(f"00-{_TRACE}-{_SPAN}-00")


@pytest.mark.parametrize(
    "values",
    [
        [],
        [_VALID, _VALID],
        [""],
        [f"{_VALID}\n"],
        [f"{_VALID}-more"],
        [_VALID.upper()],
        [f"01-{_TRACE}-{_SPAN}-01"],
        [f"ff-{_TRACE}-{_SPAN}-01"],
        [f"00-{'0' * 32}-{_SPAN}-01"],
        [f"00-{_TRACE}-{'0' * 16}-01"],
        ["0" * 100_000],
    ],
)
def test_malformed_or_repeated_traceparent_is_none(values: list[str]) -> None:
    assert valid_traceparent(values) is None


@given(st.text(max_size=80))
def test_any_text_is_a_traceparent_or_none(text: str) -> None:
    assert valid_traceparent([text]) in (None, text)


@pytest.mark.parametrize(
    ("environment", "is_enabled"),
    [
        ({}, False),
        (_ENDPOINT, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": " OTLP "}, True),
        ({**_ENDPOINT, "OTEL_TRACES_EXPORTER": "none"}, False),
        ({**_ENDPOINT, "OTEL_SDK_DISABLED": "true"}, False),
        ({**_ENDPOINT, "OTEL_SDK_DISABLED": "false"}, True),
        ({"OTEL_SERVICE_NAME": "onboarding"}, False),
    ],
)
def test_tracing_is_enabled_by_an_exporter_or_an_endpoint(
    environment: dict[str, str],
    is_enabled: bool,  # noqa: FBT001 - a case
) -> None:
    assert tracing_enabled(environment) is is_enabled


@pytest.mark.parametrize(
    ("variable", "value"),
    [("OTEL_TRACES_EXPORTER", "jaeger"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
)
def test_unsupported_exporter_or_protocol_is_rejected_by_name(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        create_spans("edge", {**_ENDPOINT, variable: value})
    assert create_spans("edge", {**_ENDPOINT, variable: value, "OTEL_SDK_DISABLED": "true"}) is None


@pytest.mark.slow
def test_opentelemetry_is_not_imported_without_traces() -> None:
    script = (
        "import sys; import edge_api.main, management_api.main, publisher.main;"
        "import management_api.event_consumer.main; from common.telemetry.tracing import create_spans;"
        "assert create_spans('edge', {}) is None; print(*sys.modules)"
    )
    result = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", script], cwd=Path(__file__).parents[4], capture_output=True, text=True, check=True
    )
    assert [name for name in result.stdout.split() if name.startswith(_PACKAGES)] == []
