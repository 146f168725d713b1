"""What may be kept by browsers, proxies and CDNs between a client and the management service."""

import pytest

from tests.support.clients.management import Management


@pytest.mark.parametrize("path", ["/api/user/api-key", "/api/user", "/api/projects", "/api/projects/proj_none"])
def test_private_responses_and_responses_with_keys_are_not_cached(management: Management, path: str) -> None:
    assert management.user("alice").get(path).headers["cache-control"] == "no-store"


def test_error_responses_are_not_cached(management: Management) -> None:
    response = management.anonymous().get("/api/projects")
    assert (response.status_code, response.headers["cache-control"]) == (401, "no-store")


def test_the_documentation_may_be_kept(management: Management) -> None:
    assert management.anonymous().get("/api/docs/swagger-ui.css").headers["cache-control"] == "public, max-age=3600"
