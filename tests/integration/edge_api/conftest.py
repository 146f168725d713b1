"""An edge on the worker's Valkey."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import redis

from common.snapshot import Snapshot
from tests.integration.edge_api.copied_projects import CopiedProjects
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.running_server import RunningServer
from tests.snapshots import a_snapshot, publish


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


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    """Give a published project."""
    published = a_snapshot()
    publish(redis_client, published)
    return published


@pytest.fixture
def copied(private_redis_server: RunningServer, tmp_path: Path) -> Iterator[CopiedProjects]:
    """Give projects that an edge has served and copied."""
    with redis.Redis.from_url(private_redis_server.url) as client:
        projects = CopiedProjects(private_redis_server, client, tmp_path)
        projects.copy_all()
        yield projects
