"""The management service for the tests of the contract, a module's own or a test's; a user, and a project of theirs."""

import base64
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clients.management import Management, User, management_service
from tests.support.databases.recycled_databases import RecycledDatabases


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Give the service; ask it for users."""
    with management_service(database_url, master_key, tmp_path) as service:
        yield service


@pytest.fixture(scope="module")
def shared_management(
    recycled_databases: RecycledDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Management]:
    """Give a service for the many tests of a module that keep to projects of their own."""
    master_key = base64.b64encode(secrets.token_bytes(32)).decode()
    with (
        recycled_databases.lent() as url,
        management_service(url, master_key, tmp_path_factory.mktemp("identity")) as service,
    ):
        yield service


@pytest.fixture
def alice(management: Management) -> User:
    """Give a user."""
    return management.user("alice")


@pytest.fixture
def project_id(alice: User) -> str:
    """Give the id of a project of alice's."""
    return str(alice.create_project()["id"])
