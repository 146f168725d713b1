"""The calling user."""

import falcon

from management_api.auth.users import user_of
from management_api.database.transactions import Database
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.schemas.users import UserView


class CurrentUser:
    """GET /user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("get_user", UserView)
    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """Show the calling user, with the address and the name that the identity provider last gave."""
        with self._database.reading() as session:
            respond(response, UserView.model_validate(user_of(session, caller_of(request).user_id)))
