"""The end-to-end test, with the stack on a Cluster."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.addresses import Addresses
from tests.e2e.api_clients import Dashboard
from tests.e2e.test_publish_resolve_report import test_a_project_goes_from_creation_through_statistics_to_deletion
from tests.support.openapi.validated_clients import openapi_validated_client
from tests.support.servers.local_stack import RunningStack

pytestmark = pytest.mark.slow

__all__ = ["test_a_project_goes_from_creation_through_statistics_to_deletion"]


@pytest.fixture
def stack(tmp_path: Path, database_url: str, redis_url: str, master_key: str) -> Iterator[RunningStack]:
    servers = {
        "ONBOARDING_DATABASE_URL": database_url,
        "ONBOARDING_REDIS_URL": redis_url,
        "ONBOARDING_MASTER_KEY": master_key,
        # Two of the masters have no replica to wait for.
        "ONBOARDING_EDGE_EVENT_REPLICAS": "0",
    }
    with RunningStack(tmp_path, servers) as stack:
        yield stack


@pytest.fixture
def addresses(stack: RunningStack) -> Addresses:
    return Addresses(stack.edge_url, stack.management_url)


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with openapi_validated_client(sdk=None, timeout=10) as client:
        yield client


@pytest.fixture
def dashboard(http: httpx.Client, stack: RunningStack, addresses: Addresses) -> Dashboard:
    return Dashboard(http, addresses.management_url, stack.token(f"{uuid.uuid4().hex}@example.com"))
