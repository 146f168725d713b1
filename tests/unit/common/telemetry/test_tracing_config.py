"""Whether traces are wanted, as the standard variables say."""

import subprocess
import sys
from pathlib import Path

import pytest

from common.errors import SettingsError
from common.telemetry.tracing_config import create_spans, traces_are_wanted

#: redis-py imports the SDK's metrics by itself where they are installed.
_OURS = ("common.telemetry.open_telemetry", "opentelemetry.exporter", "opentelemetry.sdk.trace", "google")
_ENDPOINT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}


@pytest.mark.parametrize(
    ("environment", "wanted"),
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
def test_traces_are_wanted_when_somebody_says_where_they_go(
    environment: dict[str, str],
    wanted: bool,  # noqa: FBT001 - a case
) -> None:
    assert traces_are_wanted(environment) is wanted


@pytest.mark.parametrize(
    ("variable", "value"),
    [("OTEL_TRACES_EXPORTER", "jaeger"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
)
def test_what_we_do_not_have_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        create_spans("edge", {**_ENDPOINT, variable: value})
    assert create_spans("edge", {**_ENDPOINT, variable: value, "OTEL_SDK_DISABLED": "true"}) is None


def test_nothing_of_open_telemetry_is_imported_unless_it_is_wanted() -> None:
    script = (
        "import sys; import edge_api.main, management_api.wsgi, publisher.main;"
        "import management_api.event_consumer.main; from common.telemetry.tracing_config import create_spans;"
        "assert create_spans('edge', {}) is None; print(*sys.modules)"
    )
    result = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", script], cwd=Path(__file__).parents[4], capture_output=True, text=True, check=True
    )
    assert [name for name in result.stdout.split() if name.startswith(_OURS)] == []
