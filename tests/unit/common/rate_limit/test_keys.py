"""The keys of rate limits: which requests are counted, and which share a count."""

import pytest
from pydantic import ValidationError

from common.rate_limit.counted_paths import is_counted
from common.rate_limit.keys import RateLimitKeys
from common.settings.shared import RateLimitSettings


def test_default_limits_equal_the_interface() -> None:
    keys = RateLimitKeys(RateLimitSettings())
    assert keys.of_secret_key("proj_1", "a")[0] == 1000
    assert (keys.of_api_key("user_1")[0], keys.of_jwt("user_1")[0]) == (5000, 5000)
    assert keys.of_address("a")[0] == 60


def test_secret_key_is_counted_by_project_and_client() -> None:
    keys = RateLimitKeys(RateLimitSettings())
    names = [keys.of_secret_key(project, client) for project in ("proj_1", "proj_2") for client in ("a", "b")]
    assert len(set(names)) == 4


def test_secret_key_is_counted_by_project_with_the_project_scope() -> None:
    keys = RateLimitKeys(RateLimitSettings(secret_key_rate_limit_scope="project"))
    assert keys.of_secret_key("proj_1", "a") == keys.of_secret_key("proj_1", "b")
    assert keys.of_secret_key("proj_1", "a") != keys.of_secret_key("proj_2", "a")


def test_kinds_of_keys_share_no_count() -> None:
    keys = RateLimitKeys(RateLimitSettings(secret_key_rate_limit_scope="project"))
    kinds = (keys.of_address, keys.of_api_key, keys.of_jwt, lambda owner: keys.of_secret_key(owner, "a"))
    assert len({key_of("same")[1:] for key_of in kinds}) == 4


@pytest.mark.parametrize("limit", [0, -1])
def test_limit_below_one_is_rejected(limit: int) -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        RateLimitSettings(rate_limit_per_jwt=limit)


@pytest.mark.parametrize(
    "path",
    [
        "/health/live",
        "/health/ready",
        "/metrics",
        "/api/docs",
        "/api/docs/style.css",
        "/api/v1/docs",
        "/api/v1/docs/style.css",
        "/api/openapi.json",
        "/api/v1/openapi.json",
    ],
)
def test_health_metrics_and_documentation_are_not_counted(path: str) -> None:
    assert not is_counted(path)


@pytest.mark.parametrize("path", ["/", "/api/projects", "/health", "/health/live/", "/api/docsx", "/api/v2/docs", ""])
def test_other_paths_are_counted(path: str) -> None:
    assert is_counted(path)
