"""The management service for the tests of the contract, a user, and one of the user's projects.

The tests of a worker share one service on one database. Each has users of its own, so it sees no project of another.
"""

import base64
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clients.management import Management, User, management_service
from tests.support.databases.recycled_databases import RecycledDatabases
from tests.support.servers.echo_machine import EchoMachine


@pytest.fixture(scope="session")
def lasting_management(
    recycled_databases: RecycledDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Management]:
    master_key = base64.b64encode(secrets.token_bytes(32)).decode()
    folder = tmp_path_factory.mktemp("identity")
    with (
        EchoMachine() as machine,
        recycled_databases.database() as url,
        management_service(url, master_key, folder, translate_url=f"http://{machine.address}") as service,
    ):
        yield service


@pytest.fixture(scope="module")
def shared_management(lasting_management: Management) -> Management:
    """Return the service with users that the tests of a module share."""
    return lasting_management.with_own_users()


@pytest.fixture
def management(lasting_management: Management) -> Management:
    return lasting_management.with_own_users()


@pytest.fixture
def own_management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Run a service for this test alone, which looks at all rows of a table or stops a server."""
    with management_service(database_url, master_key, tmp_path) as service:
        yield service


@pytest.fixture
def alice(management: Management) -> User:
    return management.user("alice")


@pytest.fixture
def project_id(alice: User) -> str:
    return str(alice.create_project()["id"])
