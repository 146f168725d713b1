"""An edge on the worker's Valkey."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.copied_projects import CopiedProjects
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.running_server import RunningServer
from tests.snapshots import a_snapshot, publish


@pytest.fixture(params=["fast", "asgi"], autouse=True)
def door(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run every test at both doors: settings are read from the environment, those of started processes too."""
    monkeypatch.setenv("ONBOARDING_EDGE_HTTP", request.param)
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


@pytest.fixture(scope="session")
def lasting_edges(redis_server: RunningServer) -> Iterator[Callable[[str], httpx.Client]]:
    """Give what starts an edge at a door, at the first call, and lets it run as long as the worker's Valkey."""
    with ExitStack() as running:
        clients: dict[str, httpx.Client] = {}

        def at(door: str) -> httpx.Client:
            if door not in clients:
                # Exposures are written a moment later, when the streams may be another test's.
                settings = edge_settings(redis_server.url, edge_http=door, record_exposures=False)
                clients[door] = running.enter_context(running_edge(settings))
            return clients[door]

        yield at


@pytest.fixture
def lasting_edge(redis_url: str, door: str, lasting_edges: Callable[[str], httpx.Client]) -> httpx.Client:  # noqa: ARG001 - the Valkey is emptied
    """Give a client of an edge that many tests share, one after the other, each with a project of its own."""
    return lasting_edges(door)


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
