"""An edge on the Valkey server of the test process."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
import redis

from common.wire.snapshot import Snapshot
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.integration.edge_api.snapshots.copied_projects import CopiedProjects
from tests.support.data.snapshots import a_snapshot, mark_complete, publish
from tests.support.servers.running_server import RunningServer


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on the fast HTTP path; on the ASGI way, too, when it is marked `both_http_ways`."""
    both = metafunc.definition.get_closest_marker("both_http_ways")
    metafunc.parametrize("edge_http", ["fast", "asgi"] if both else ["fast"], indirect=True)


@pytest.fixture(autouse=True)
def edge_http(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Choose the HTTP implementation; started processes read the setting from the environment, too."""
    monkeypatch.setenv("ONBOARDING_EDGE_HTTP", request.param)
    return str(request.param)


@pytest.fixture
def long_absences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache the absence of a project for longer than a test."""
    monkeypatch.setattr("edge_api.snapshots.worker_snapshots.UNKNOWN_SECONDS", 600.0)


@pytest.fixture
def redis_url(redis_url: str) -> str:
    """Return the URL of a Valkey server that has every project, as after the publisher's first rebuild."""
    with redis.Redis.from_url(redis_url) as client:
        mark_complete(client)
    return redis_url


@pytest.fixture
def edge(redis_url: str) -> Iterator[httpx.Client]:
    with running_edge(edge_settings(redis_url)) as client:
        yield client


@pytest.fixture(scope="session")
def lasting_edges(redis_server: RunningServer) -> Iterator[Callable[[str], httpx.Client]]:
    """Return a function that starts an edge with an HTTP implementation once for the session."""
    with ExitStack() as running:
        clients: dict[str, httpx.Client] = {}

        def shared_client(edge_http: str) -> httpx.Client:
            if edge_http not in clients:
                # Exposures are written after the response: they could get into the streams of the next test.
                settings = edge_settings(redis_server.url, edge_http=edge_http, record_exposures=False)
                clients[edge_http] = running.enter_context(running_edge(settings))
            return clients[edge_http]

        yield shared_client


@pytest.fixture
def lasting_edge(redis_url: str, edge_http: str, lasting_edges: Callable[[str], httpx.Client]) -> httpx.Client:  # noqa: ARG001 - the Valkey is emptied
    """Return a client of an edge that tests share one after the other, with a project for each test."""
    return lasting_edges(edge_http)


@pytest.fixture
def snapshot(redis_client: redis.Redis) -> Snapshot:
    published = a_snapshot()
    publish(redis_client, published)
    return published


@pytest.fixture
def copied(private_redis_server: RunningServer, tmp_path: Path) -> Iterator[CopiedProjects]:
    with redis.Redis.from_url(private_redis_server.url) as client:
        projects = CopiedProjects(private_redis_server, client, tmp_path)
        projects.copy_all()
        yield projects
