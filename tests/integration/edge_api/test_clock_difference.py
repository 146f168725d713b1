"""The readiness of an edge names the difference between its clock and that of Redis."""

import time

import httpx
import pytest

from common.rate_limit.server_clock import ServerClock
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.polling import eventually

_UNKNOWN_KEY = {"X-Project-Id": "proj_unknown", "X-Secret-Key": "unknown"}


def _clock_difference(client: httpx.Client) -> float | None:
    difference: float | None = client.get("/health/ready").json()["clock_difference_seconds"]
    return difference


def test_readiness_has_the_difference_of_a_wrong_clock(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url), ServerClock(lambda: time.time() - 100)) as client:

        def is_measured() -> bool:
            # The clock is measured with the first lease of the worker.
            client.get("/api/v1/config", headers=_UNKNOWN_KEY)
            return _clock_difference(client) == pytest.approx(100, abs=5)

        eventually(is_measured)


def test_readiness_without_rate_limits_has_no_clock_difference(redis_url: str) -> None:
    with running_edge(edge_settings(redis_url, rate_limits_enabled=False)) as client:
        eventually(lambda: client.get("/health/ready").status_code == 200)
        assert _clock_difference(client) is None
