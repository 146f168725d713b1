"""The stack of the run for all journeys, reached through the gateway, and a new user's dashboard for each."""

import uuid
from collections.abc import Iterator

import httpx
import pytest
import redis

from deploy.local.service_processes import REDIS_PROCESSES
from deploy.local.state_folder import StateFolder
from deploy.local.valkey_server import ValkeyServer
from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard
from tests.support.openapi.validated_clients import openapi_validated_client
from tests.support.servers.gateway import RunningGateway
from tests.support.servers.local_stack import RunningStack

_LOOPBACK = "127.0.0.1"


@pytest.fixture(scope="session", autouse=True)
def _redis_refuses_nothing(stack: RunningStack) -> Iterator[None]:
    """Check that the rules of deploy/redis/users.acl, by which the processes use Redis, have refused them nothing."""
    yield
    assert _refused_by_redis(stack) == []


def _refused_by_redis(stack: RunningStack) -> list[tuple[str, str]]:
    valkey = ValkeyServer(StateFolder(stack.state_folder))
    assert valkey.load_port()
    with redis.Redis.from_url(valkey.url) as client:
        users = {connection["user"] for connection in client.client_list()}
        assert users >= set(REDIS_PROCESSES)
        return [(entry["username"], entry["object"]) for entry in client.acl_log()]


@pytest.fixture(scope="session")
def gateway(stack: RunningStack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGateway]:
    edge, management = (f"{_LOOPBACK}:{stack.ports[name]}" for name in ("EDGE_PORT", "MANAGEMENT_PORT"))
    with RunningGateway(tmp_path_factory.mktemp("gateway"), edge, management) as running:
        yield running


@pytest.fixture
def addresses(gateway: RunningGateway) -> Addresses:
    """Return the addresses of both services behind the gateway; the documented tours call each service by itself."""
    return Addresses(gateway.url, gateway.url)


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """Return a client that holds every answer to the OpenAPI document."""
    with openapi_validated_client(sdk=None, timeout=10) as client:
        yield client


@pytest.fixture
def dashboard(http: httpx.Client, stack: RunningStack, addresses: Addresses) -> Dashboard:
    return Dashboard(http, addresses.management_url, stack.token(f"{uuid.uuid4().hex}@example.com"))
