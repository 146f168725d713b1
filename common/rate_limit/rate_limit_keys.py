"""What requests are counted by: a client address, a user, or a project and a client address (contract, section 1)."""

from typing import NamedTuple

from common.settings.shared import RateLimitSettings


class RateLimitKey(NamedTuple):
    """One count: its name, in clear, and how many requests an hour it allows. Redis is given a digest of the name."""

    name: str
    limit: int


class RateLimitKeys:
    """Names the key of a request; both services must name alike what they count together."""

    def __init__(self, settings: RateLimitSettings) -> None:
        self._secret_key = settings.rate_limit_per_secret_key
        self._api_key = settings.rate_limit_per_api_key
        self._jwt = settings.rate_limit_per_jwt
        self._unauthenticated = settings.rate_limit_unauthenticated
        self._counts_clients_apart = settings.secret_key_rate_limit_scope == "client"  # noqa: S105 - as in the settings # nosec B105 # as above

    def of_address(self, address: str) -> RateLimitKey:
        """Count a request without a credential, or with a wrong one."""
        return RateLimitKey(f"address {address}", self._unauthenticated)

    def of_secret_key(self, project_id: str, address: str) -> RateLimitKey:
        """Count a request of an SDK: one secret key is in every installation of an app."""
        owner = f"{project_id} {address}" if self._counts_clients_apart else project_id
        return RateLimitKey(f"secret-key {owner}", self._secret_key)

    def of_api_key(self, user_id: str) -> RateLimitKey:
        """Count a request with a user's personal API key."""
        return RateLimitKey(f"api-key {user_id}", self._api_key)

    def of_jwt(self, user_id: str) -> RateLimitKey:
        """Count a request with a token of the identity provider."""
        return RateLimitKey(f"jwt {user_id}", self._jwt)
