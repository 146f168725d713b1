"""A user with a project, and what an experiment between two of its flows is made of."""

from typing import Any

import pytest

from tests.contract.experiments.experiment_steps import act, variants, with_flows
from tests.support.clients.management import User


@pytest.fixture
def flows(alice: User, project_id: str) -> list[str]:
    """Return the ids of two active flows of the project."""
    return [alice.create_flow(project_id, status="active")["id"] for _ in range(2)]


@pytest.fixture
def body(project_id: str, flows: list[str]) -> dict[str, Any]:
    """Return what an experiment between the two flows is made of."""
    return {"projectId": project_id, "name": "Shorter", "variants": variants(flows)}


@pytest.fixture
def draft(alice: User) -> dict[str, Any]:
    """Return a draft of variants a (the control) and b, half and half."""
    return with_flows(alice, {"a": 50, "b": 50})


@pytest.fixture
def running(alice: User, draft: dict[str, Any]) -> dict[str, Any]:
    """Return the draft after its start."""
    return act(alice, draft, "start")
