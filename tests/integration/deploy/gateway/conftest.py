"""A gateway that the tests of a worker share, with nothing received yet, and a client of it."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from tests.integration.deploy.gateway.scene import Scene
from tests.support.servers.gateway import RunningGateway
from tests.support.servers.recording_service import RecordingService


@pytest.fixture(scope="session")
def shared_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with ExitStack() as stack:
        edge, management = (stack.enter_context(RecordingService()) for _ in range(2))
        folder = tmp_path_factory.mktemp("gateway")
        gateway = stack.enter_context(RunningGateway(folder, edge.address, management.address))
        yield Scene(gateway, edge, management)


@pytest.fixture
def scene(shared_scene: Scene) -> Scene:
    """Return the gateway without received requests."""
    shared_scene.forget()
    return shared_scene


@pytest.fixture(scope="session")
def client(shared_scene: Scene) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_scene.gateway.url) as opened:
        yield opened
