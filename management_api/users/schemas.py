"""The calling user and the personal API key in responses (contract, section 3, Shapes)."""

from pydantic import Field

from management_api.db.key_vault import KeyVault
from management_api.db.models.users import ApiKey
from management_api.http.responses import ResponseModel, Timestamp


class UserView(ResponseModel):
    """The calling user. Address and name come from the identity provider, and are null if it has none."""

    id: str
    email: str | None
    name: str | None


class ApiKeyView(ResponseModel):
    """The personal API key of a user."""

    api_key: str
    created_at: Timestamp
    last_used_at: Timestamp | None = Field(
        description="The time of the last use of the key, at most a minute behind; null before the first."
    )

    @classmethod
    def from_key(cls, key: ApiKey, vault: KeyVault) -> "ApiKeyView":
        """Return the key, decrypted."""
        api_key = vault.decrypt(key.sealed, owner_id=key.user_id)
        return cls(api_key=api_key, created_at=key.created_at, last_used_at=key.last_used_at)
