"""An edge on the worker's Valkey."""

from collections.abc import Iterator

import httpx
import pytest
import redis

from tests.integration.edge_api.running_edge import edge_settings, running_edge


@pytest.fixture(params=["protocol", "asgi"], autouse=True)
def door(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run every test at both doors: settings are read from the environment, those of started processes too."""
    monkeypatch.setenv("ONBOARDING_EDGE_DOOR", request.param)
    return str(request.param)


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """Give a client of the emptied Valkey."""
    with redis.Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture
def edge(redis_url: str) -> Iterator[httpx.Client]:
    """Give a client of a running edge."""
    with running_edge(edge_settings(redis_url)) as client:
        yield client
