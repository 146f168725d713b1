"""Whether this process runs, and whether it can serve (contract, section 3, Operations endpoints)."""

import falcon

from common.errors import ErrorCode, UnavailableError
from management_api.db.engine import Database
from management_api.db.health import DatabaseReadiness
from management_api.http.responses import respond
from management_api.http.routing import endpoint


class Liveness:
    """GET /health/live."""

    @endpoint("get_liveness")
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Report that the process runs."""
        respond(response)


class Readiness:
    """GET /health/ready: PostgreSQL answers and has a schema that serves this release."""

    def __init__(self, database: Database) -> None:
        self._readiness = DatabaseReadiness(database)

    @endpoint("get_readiness", errors=[ErrorCode.UNAVAILABLE])
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Report whether requests can be served."""
        problem = self._readiness.problem()
        if problem is not None:
            raise UnavailableError(problem)
        respond(response)
