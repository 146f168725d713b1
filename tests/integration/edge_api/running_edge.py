"""The edge's application on uvicorn, on a free port, in a thread of the test."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import uvicorn
from pydantic import SecretStr

from edge_api.app import Edge, create_app
from edge_api.main import server_options
from edge_api.settings import EdgeSettings
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.openapi.validated_clients import openapi_validated_client
from tests.support.polling import eventually
from tests.support.rate_limits import HIGH_LIMITS


def edge_settings(redis_url: str, **fields: object) -> EdgeSettings:
    """Return settings with limits that no test reaches; a test names only the settings that it tests."""
    chosen: dict[str, object] = {
        "redis_url": SecretStr(redis_url),
        "assignment_keys": ASSIGNMENT_KEYS,
        **HIGH_LIMITS,
        **fields,
    }
    return EdgeSettings.model_validate(chosen)


@contextmanager
def running_edge(settings: EdgeSettings, clock: Callable[[], float] = time.time) -> Iterator[httpx.Client]:
    """Serve until the block ends; yield a client of the server. `clock` decides the rate limit window."""
    with serving(Edge(settings, clock)) as client:
        yield client


@contextmanager
def serving(edge: Edge) -> Iterator[httpx.Client]:
    """Serve with this edge until the block ends; yield a client of the server."""
    server = uvicorn.Server(uvicorn.Config(create_app(edge), port=0, **server_options(edge.settings)))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        eventually(lambda: server.started, within=20)
        port = server.servers[0].sockets[0].getsockname()[1]
        with openapi_validated_client(sdk=True, base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
