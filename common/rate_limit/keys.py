"""The keys by which requests are counted."""

from common.rate_limit.quotas import RateLimitKey
from common.settings.shared import RateLimitSettings


class RateLimitKeys:
    """Builds the keys of both services, which must agree on the names of what they count together."""

    def __init__(self, settings: RateLimitSettings) -> None:
        self._per_secret_key = settings.rate_limit_per_secret_key
        self._per_api_key = settings.rate_limit_per_api_key
        self._per_jwt = settings.rate_limit_per_jwt
        self._unauthenticated = settings.rate_limit_unauthenticated
        self._per_client = settings.secret_key_rate_limit_scope == "client"  # noqa: S105 - a scope, not a secret

    def of_address(self, address: str) -> RateLimitKey:
        """Return the key of a request without a valid credential."""
        return (self._unauthenticated, "address", address)

    def of_secret_key(self, project_id: str, address: str) -> RateLimitKey:
        """Return the key of a request of an SDK; every installation of an app has the same secret key."""
        if self._per_client:
            return (self._per_secret_key, "secret-key", project_id, address)
        return (self._per_secret_key, "secret-key", project_id)

    def of_preview_link(self, project_id: str, address: str) -> RateLimitKey:
        """Return the key of a request with a preview link, which strangers may have: not that of the project."""
        return (self._per_secret_key, "preview-link", project_id, address)

    def of_api_key(self, user_id: str) -> RateLimitKey:
        """Return the key of a request with a personal API key."""
        return (self._per_api_key, "api-key", user_id)

    def of_jwt(self, user_id: str) -> RateLimitKey:
        """Return the key of a request with a token of the identity provider."""
        return (self._per_jwt, "jwt", user_id)
