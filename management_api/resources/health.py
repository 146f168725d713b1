"""Whether this process runs, and whether it can serve (contract, section 3, Operations endpoints)."""

import falcon

from common.errors import ErrorCode, UnavailableError
from management_api.database.migrate import is_current
from management_api.database.transactions import Database
from management_api.resources.declaration import answers
from management_api.resources.exchange import respond


class Liveness:
    """GET /health/live."""

    @answers("get_liveness")
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Tell that the process runs."""
        respond(response)


class Readiness:
    """GET /health/ready: PostgreSQL answers and has the schema of this release."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("get_readiness", errors=[ErrorCode.UNAVAILABLE])
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Tell whether requests can be served."""
        with self._database.transaction() as session:
            ready = is_current(session.connection())
        if not ready:
            raise UnavailableError("The database does not have the current schema")
        respond(response)
