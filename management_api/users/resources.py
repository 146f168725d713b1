"""The calling user, their personal API key and its rotation."""

import falcon

from management_api.auth.authentication import get_user, rotate_api_key, show_api_key
from management_api.db.engine import Database
from management_api.db.key_vault import KeyVault
from management_api.http.idempotency import IdempotentWrites, user_access
from management_api.http.requests import EmptyBody, caller_of
from management_api.http.responses import respond
from management_api.http.routing import endpoint
from management_api.users.schemas import ApiKeyView, UserView


class CurrentUser:
    """GET /user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_user", UserView)
    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """Show the calling user.

        The last token of the identity provider had this `email` and `name`.
        """
        with self._database.reading() as session:
            respond(response, UserView.model_validate(get_user(session, caller_of(request).user_id)))


class UserApiKey:
    """GET /user/api-key."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @endpoint("get_user_api_key", ApiKeyView)
    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """Show the calling user's personal API key.

        The service creates it with the user. It gives access to all projects of the user.
        """
        with self._database.transaction() as session:
            key = show_api_key(session, caller_of(request).user_id)
            respond(response, ApiKeyView.from_key(key, self._vault))


class UserApiKeyRotation:
    """POST /user/api-key/rotate."""

    def __init__(self, vault: KeyVault, writes: IdempotentWrites) -> None:
        self._vault = vault
        self._writes = writes

    @endpoint("rotate_user_api_key", ApiKeyView, status=201, body_is_optional=True)
    def on_post(self, request: falcon.Request, response: falcon.Response, body: EmptyBody) -> None:
        """Replace the calling user's personal API key.

        The old key is invalid at once. The body may be left out.
        """
        del body  # It has no members.
        with self._writes.idempotent_transaction(request, response, user_access) as session:
            key = rotate_api_key(session, self._vault, caller_of(request).user_id)
            respond(response, ApiKeyView.from_key(key, self._vault))
