"""The gate in front of every resource: closed unless the routes table opens it to this caller (contract, section 2)."""

from collections.abc import Mapping
from typing import Any

import falcon

from common.errors import NotFoundError
from management_api.auth.authentication import Authentication
from management_api.database.projects import Role
from management_api.operations.callers import Caller
from management_api.routes.route import Access, Route


class AccessGate:
    """Falcon middleware: finds the row of the request, authenticates, and hands the caller on.

    Unknown paths never come here (Falcon answers 404), and unknown methods are refused before any credential is
    looked at. Whether the caller has the role in the project at hand is asked by `project_access.py`, which alone
    knows the project.
    """

    def __init__(self, routes: Mapping[str, Route], authentication: Authentication) -> None:
        self._routes = routes
        self._authentication = authentication

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        """Let the request through, with `context.caller` set where someone is known, or raise RequestError.

        `context.path_in_interface` is the path as the routes table has it, whatever prefix it was reached by.
        """
        route = self._routes.get(req.uri_template or "")
        # Falcon takes nothing behind a slash for a value; `/projects/` is no path of ours.
        if route is None or "" in params.values():
            raise NotFoundError("Not found")
        permission = route.permission(req.method)
        if permission is Access.OPEN:
            return
        # Where no role in a project decides, reaching for a project all the same would need the highest one.
        needs = permission if isinstance(permission, Role) else Role.OWNER
        req.context.path_in_interface = route.path.format_map(params)
        user = self._authentication.user_of(req)
        req.context.caller = Caller(user_id=user.user_id, needs=needs)
        req.context.credential = user.credential
