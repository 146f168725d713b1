"""The management service on a database of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clients.management import Management, management_service


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    """Return the service, which has a client for each user."""
    with management_service(database_url, master_key, tmp_path) as service:
        yield service
