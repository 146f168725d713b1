"""Fixtures of the history that flows and themes share."""

import pytest

from tests.contract.history.parts import HELLO, Part
from tests.support.clients.management import Management, User, data_of


@pytest.fixture
def alice(shared_management: Management) -> User:
    """Return a user of the service of this module."""
    return shared_management.user("alice")


@pytest.fixture(params=["flow", "theme"])
def part(request: pytest.FixtureRequest, shared_management: Management, alice: User, project_id: str) -> Part:
    """Return a flow with a screen, and a theme, each of its own project."""
    if request.param == "flow":
        part_id = alice.create_flow(project_id, status="active", screens=[HELLO])["id"]
    else:
        part_id = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Welcome"}), 201)["id"]
    return Part(shared_management, alice, request.param, project_id, str(part_id))
