"""Who sends a request: a personal API key, or a JWT of the identity provider (contract, section 2)."""

from enum import Enum
from typing import NamedTuple

import falcon

from common.credentials import KeyPrefix
from common.errors import AuthenticationError, ForbiddenError, ProjectCredentialsError
from management_api.auth.api_keys import known_api_key, note_use
from management_api.auth.jwt import TokenVerifier
from management_api.auth.users import known_user, user_of_identity
from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.operations.secret_keys import secret_key_opens

#: What a JWT has in common with no key of ours.
TOKEN_DOTS = 2


class CredentialKind(Enum):
    """What a user has proven to be that user by."""

    API_KEY = "personal API key"
    JWT = "token of the identity provider"


class AuthenticatedUser(NamedTuple):
    """Who calls, and by what."""

    user_id: str
    credential: CredentialKind


class Authentication:
    """Turns the credential of a request into a user."""

    def __init__(self, database: Database, vault: KeyVault, tokens: TokenVerifier) -> None:
        self._database = database
        self._vault = vault
        self._tokens = tokens

    def user_of(self, request: falcon.Request) -> AuthenticatedUser:
        """Give the user who calls. Raises AuthenticationError or ForbiddenError."""
        scheme, _, credential = (request.auth or "").strip().partition(" ")
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential:
            raise self._without_bearer(request)
        # The form decides what a credential is judged as, so that no failure of one kind is tried as the other.
        if not credential.startswith(KeyPrefix.API.value) and credential.count(".") == TOKEN_DOTS:
            return AuthenticatedUser(self._user_of_token(credential), CredentialKind.JWT)
        return AuthenticatedUser(self._user_of_api_key(credential), CredentialKind.API_KEY)

    def _user_of_token(self, token: str) -> str:
        identity = self._tokens.verify(token)
        with self._database.reading() as reading:
            user_id = known_user(reading, identity)
        if user_id is not None:
            return user_id
        with self._database.transaction() as session:
            return user_of_identity(session, self._vault, identity)

    def _user_of_api_key(self, key: str) -> str:
        with self._database.reading() as reading:
            known = known_api_key(reading, self._vault, key)
        if known.is_use_to_note:
            with self._database.transaction() as session:
                note_use(session, known.user_id)
        return known.user_id

    def _without_bearer(self, request: falcon.Request) -> AuthenticationError | ForbiddenError:
        """Tell an SDK that its credential, though good, opens nothing here, from someone without any."""
        project_id, secret_key = request.get_header("X-Project-Id"), request.get_header("X-Secret-Key")
        if not project_id or not secret_key:
            return AuthenticationError.absent()
        with self._database.reading() as session:
            known = secret_key_opens(session, self._vault, project_id, secret_key)
        return ForbiddenError() if known else ProjectCredentialsError()
