"""Which paths are counted."""

import pytest

from common.rate_limit.exempt_paths import is_counted


@pytest.mark.parametrize(
    "path",
    [
        "/health/live",
        "/health/ready",
        "/metrics",
        "/api/docs",
        "/api/docs/style.css",
        "/api/v1/docs",
        "/api/v1/docs/style.css",
        "/api/openapi.json",
        "/api/v1/openapi.json",
    ],
)
def test_health_metrics_and_documentation_are_not_counted(path: str) -> None:
    assert not is_counted(path)


@pytest.mark.parametrize("path", ["/", "/api/projects", "/health", "/health/live/", "/api/docsx", "/api/v2/docs", ""])
def test_everything_else_is_counted(path: str) -> None:
    assert is_counted(path)
