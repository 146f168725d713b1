"""A stack of this test's own, whose processes it may kill, on servers that the test can look into."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import redis

from tests.described_clients import described_client
from tests.journey.visitors import Dashboard
from tests.running_server import RunningServer
from tests.stack import RunningStack


@dataclass(frozen=True)
class HurtStack:
    """A running stack and where its servers are."""

    stack: RunningStack
    database_url: str
    redis_url: str
    master_key: str


@pytest.fixture
def hurt(
    tmp_path: Path, database_url: str, private_redis_server: RunningServer, master_key: str
) -> Iterator[HurtStack]:
    """Give the stack, on an external PostgreSQL and Redis as far as it knows."""
    servers = {
        "ONBOARDING_DATABASE_URL": database_url,
        "ONBOARDING_REDIS_URL": private_redis_server.url,
        "ONBOARDING_MASTER_KEY": master_key,
    }
    with RunningStack(tmp_path, servers) as stack:
        yield HurtStack(stack, database_url, private_redis_server.url, master_key)


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
