"""A stack whose processes tests may kill, one after the other, on servers that they can look into."""

import base64
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
import redis

from tests.described_clients import described_client
from tests.journey.visitors import Dashboard
from tests.own_valkey import own_valkey
from tests.recycled_databases import RecycledDatabases
from tests.stack import RunningStack


@dataclass(frozen=True)
class HurtStack:
    """A running stack and where its servers are."""

    stack: RunningStack
    database_url: str
    redis_url: str
    master_key: str


@pytest.fixture(scope="session")
def hurt(tmp_path_factory: pytest.TempPathFactory, recycled_databases: RecycledDatabases) -> Iterator[HurtStack]:
    """Give the stack, on an external PostgreSQL and Redis as far as it knows.

    Each test has a project of its own, and ends when what it has killed is well again.
    """
    folder = tmp_path_factory.mktemp("hurt")
    master_key = base64.b64encode(secrets.token_bytes(32)).decode()
    with recycled_databases.lent() as database_url, own_valkey(folder / "valkey") as valkey:
        servers = {
            "ONBOARDING_DATABASE_URL": database_url,
            "ONBOARDING_REDIS_URL": valkey.url,
            "ONBOARDING_MASTER_KEY": master_key,
        }
        with RunningStack(folder, servers) as stack:
            yield HurtStack(stack, database_url, valkey.url, master_key)


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """Give the connections of everyone who calls."""
    with described_client(sdk=None, timeout=10) as client:
        yield client


@pytest.fixture
def dashboard(http: httpx.Client, hurt: HurtStack) -> Dashboard:
    """Give the dashboard of a user."""
    return Dashboard(http, hurt.stack.management_url, hurt.stack.token("owner@example.com"))


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """Give a client of the emptied Valkey."""
    with redis.Redis.from_url(redis_url) as client:
        yield client
