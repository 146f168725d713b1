"""Knows who asks for what is not there, so that a right credential is counted by its user there, too (contract, 1)."""

from http import HTTPStatus

import falcon

from common.errors import RequestError
from common.rate_limit.limiter import is_counted
from management_api.auth.authentication import Authentication
from management_api.database.projects import Role
from management_api.operations.callers import Caller

_NOT_THERE = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)


class UnroutedCallers:
    """Falcon middleware: the gate never sees unknown paths, and refuses unknown methods before it asks who calls.

    It stands behind the counting, and so comes before it on the way out.
    """

    def __init__(self, authentication: Authentication) -> None:
        self._authentication = authentication

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        """Find out who the caller is, where that has not been asked; a wrong credential is that of a stranger."""
        if resp.status_code not in _NOT_THERE or "caller" in req.context or not req.auth or not is_counted(req.path):
            return
        try:
            user = self._authentication.user_of(req)
        except RequestError:
            return
        req.context.caller = Caller(user_id=user.user_id, needs=Role.OWNER)
        req.context.credential = user.credential
