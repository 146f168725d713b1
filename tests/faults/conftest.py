"""A stack whose processes tests may kill one after the other, on servers that tests can read."""

import base64
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
import redis

from tests.e2e.api_clients import Dashboard
from tests.support.databases.recycled_databases import RecycledDatabases
from tests.support.openapi.validated_clients import openapi_validated_client
from tests.support.servers.local_stack import RunningStack
from tests.support.servers.running_server import own_valkey


@dataclass(frozen=True)
class KillableStack:
    """A running stack and the addresses of its servers."""

    stack: RunningStack
    database_url: str
    redis_url: str
    master_key: str


@pytest.fixture(scope="session")
def killable_stack(
    tmp_path_factory: pytest.TempPathFactory, recycled_databases: RecycledDatabases
) -> Iterator[KillableStack]:
    """Return the stack, with PostgreSQL and Redis as external servers.

    Each test has a project of its own, and ends when the processes that it killed are ready again.
    """
    folder = tmp_path_factory.mktemp("killable_stack")
    master_key = base64.b64encode(secrets.token_bytes(32)).decode()
    with recycled_databases.database() as database_url, own_valkey(folder / "valkey") as valkey:
        servers = {
            "ONBOARDING_DATABASE_URL": database_url,
            "ONBOARDING_REDIS_URL": valkey.url,
            "ONBOARDING_MASTER_KEY": master_key,
            "ONBOARDING_MANAGEMENT_WORKERS": "2",
        }
        with RunningStack(folder, servers) as stack:
            yield KillableStack(stack, database_url, valkey.url, master_key)


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with openapi_validated_client(sdk=None, timeout=10) as client:
        yield client


@pytest.fixture
def dashboard(http: httpx.Client, killable_stack: KillableStack) -> Dashboard:
    return Dashboard(http, killable_stack.stack.management_url, killable_stack.stack.token("owner@example.com"))


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        yield client
