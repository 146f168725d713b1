"""The routes of the dashboard in the application: open to everyone, and not counted."""

import pytest
from falcon.testing import TestClient

from management_api.http.app import PREFIXES
from tests.support.clients.management import EDGE_URL, Management


@pytest.fixture
def client(shared_management: Management) -> TestClient:
    """Return a client without a credential; these paths are not part of the OpenAPI document."""
    return TestClient(shared_management.app)


@pytest.mark.parametrize("path", ["/dashboard", "/dashboard/", "/dashboard/config.json", "/dashboard/assets/no.js"])
def test_dashboard_is_open_and_not_counted(client: TestClient, path: str) -> None:
    response = client.simulate_get(path)
    assert response.status_code in {200, 308, 404, 503}
    assert not [name for name in response.headers if name.lower().startswith("x-ratelimit")]


def test_dashboard_has_one_address(client: TestClient) -> None:
    redirected = client.simulate_get("/dashboard")
    assert (redirected.status_code, redirected.headers["location"]) == (308, "dashboard/")
    for prefix in PREFIXES:
        assert client.simulate_get(f"{prefix}/dashboard/").status_code == 404


def test_configuration_is_public(client: TestClient) -> None:
    response = client.simulate_get("/dashboard/config.json")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")
    assert response.json["edge_url"] == EDGE_URL
    assert response.json["client_id"] is None
