"""What is counted together, and what apart."""

import pytest
from pydantic import ValidationError

from common.rate_limit.rate_limit_keys import RateLimitKeys
from common.settings.shared import RateLimitSettings


def test_the_limits_are_the_interfaces_unless_told() -> None:
    keys = RateLimitKeys(RateLimitSettings())
    assert keys.of_secret_key("proj_1", "a").limit == 1000
    assert (keys.of_api_key("user_1").limit, keys.of_jwt("user_1").limit) == (5000, 5000)
    assert keys.of_address("a").limit == 60


def test_a_secret_key_is_counted_by_project_and_client() -> None:
    keys = RateLimitKeys(RateLimitSettings())
    names = [keys.of_secret_key(project, client).name for project in ("proj_1", "proj_2") for client in ("a", "b")]
    assert len(set(names)) == 4


def test_a_secret_key_is_counted_by_project_alone_where_that_is_set() -> None:
    keys = RateLimitKeys(RateLimitSettings(secret_key_rate_limit_scope="project"))
    assert keys.of_secret_key("proj_1", "a") == keys.of_secret_key("proj_1", "b")
    assert keys.of_secret_key("proj_1", "a") != keys.of_secret_key("proj_2", "a")


def test_no_two_kinds_share_a_count() -> None:
    keys = RateLimitKeys(RateLimitSettings(secret_key_rate_limit_scope="project"))
    kinds = (keys.of_address, keys.of_api_key, keys.of_jwt, lambda owner: keys.of_secret_key(owner, "a"))
    assert len({of("same").name for of in kinds}) == 4


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_nothing_is_refused(limit: int) -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        RateLimitSettings(rate_limit_per_jwt=limit)
