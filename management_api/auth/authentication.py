"""Authenticates a request by a personal API key or by a JWT of the identity provider (contract, section 2)."""

from enum import Enum
from typing import NamedTuple

import falcon

from common.credentials import KeyPrefix
from common.errors import AuthenticationError, ForbiddenError, ProjectCredentialsError
from management_api.auth.api_keys import find_api_key, touch_last_used
from management_api.auth.jwt import TokenVerifier
from management_api.auth.users import find_or_create_user, find_user
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.projects.secret_keys import is_valid_secret_key

#: The form of a JWT; no key of this service has it.
TOKEN_DOTS = 2


class CredentialKind(Enum):
    """The kind of credential that authenticated a user."""

    API_KEY = "personal API key"
    JWT = "token of the identity provider"


class AuthenticatedUser(NamedTuple):
    """The user who sent a request, and the credential."""

    user_id: str
    credential: CredentialKind


class Authentication:
    """Turns the credential of a request into a user."""

    def __init__(self, database: Database, vault: KeyVault, tokens: TokenVerifier) -> None:
        self._database = database
        self._vault = vault
        self._tokens = tokens

    def user_of(self, request: falcon.Request) -> AuthenticatedUser:
        """Return the user who sent the request. Raises AuthenticationError or ForbiddenError."""
        scheme, _, credential = (request.auth or "").strip().partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential:
            raise self._without_bearer(request)
        # The form decides the kind, so a credential that fails as one kind is never tried as the other.
        if not credential.startswith(KeyPrefix.API.value) and credential.count(".") == TOKEN_DOTS:
            return AuthenticatedUser(self._user_of_token(credential), CredentialKind.JWT)
        return AuthenticatedUser(self._user_of_api_key(credential), CredentialKind.API_KEY)

    def _user_of_token(self, token: str) -> str:
        identity = self._tokens.verify(token)
        with self._database.reading() as reading:
            user_id = find_user(reading, identity)
        if user_id is not None:
            return user_id
        with self._database.transaction() as session:
            return find_or_create_user(session, self._vault, identity)

    def _user_of_api_key(self, key: str) -> str:
        with self._database.reading() as reading:
            known = find_api_key(reading, self._vault, key)
        if known.is_stale:
            with self._database.transaction() as session:
                touch_last_used(session, known.user_id)
        return known.user_id

    def _without_bearer(self, request: falcon.Request) -> AuthenticationError | ForbiddenError:
        """Return 403 for a valid credential of an SDK, which permits nothing here, and 401 for all others."""
        project_id, secret_key = request.get_header("X-Project-Id"), request.get_header("X-Secret-Key")
        if not project_id or not secret_key:
            return AuthenticationError.absent()
        with self._database.reading() as session:
            known = is_valid_secret_key(session, self._vault, project_id, secret_key)
        return ForbiddenError() if known else ProjectCredentialsError()
