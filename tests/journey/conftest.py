"""One whole stack for all journeys of a worker, and a new user's dashboard for each."""

import uuid
from collections.abc import Iterator

import httpx
import pytest

from tests.described_clients import described_client
from tests.journey.visitors import Dashboard
from tests.stack import RunningStack


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Give a running stack that journeys share: each makes a project of its own, none kills anything."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as running:
        yield running


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """Give a client that holds every answer to the OpenAPI document."""
    with described_client(sdk=None, timeout=10) as client:
        yield client


@pytest.fixture
def dashboard(http: httpx.Client, stack: RunningStack) -> Dashboard:
    """Give the dashboard of a user whom nobody has seen yet."""
    return Dashboard(http, stack.management_url, stack.token(f"{uuid.uuid4().hex}@example.com"))
