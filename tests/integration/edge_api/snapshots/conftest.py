"""Fixtures of tests that use the snapshots of a worker without HTTP."""

import pytest


@pytest.fixture(autouse=True)
def edge_http() -> str:
    """Run each test once: no request passes through HTTP here."""
    return "protocol"
