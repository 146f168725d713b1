"""The ASGI way of OFREP: the credentials of its clients, and the members that its errors have."""

from starlette.types import Receive, Scope, Send

from edge_api.api.handler import Endpoint, RequestHandler
from edge_api.api.headers import header_text
from edge_api.api.ofrep import with_ofrep_error
from edge_api.api.request import API_KEY, AUTHORIZATION, PROJECT_ID, SECRET_KEY, Headers, RequestContext
from edge_api.api.routes import EdgeRoute
from edge_api.events.group_commit import EventCommits
from edge_api.http.asgi import CONTEXT, PublicEndpoint, send_response, when_ready

_BEARER = "bearer "
_FIRST_ERROR = 400


class OfrepApp(PublicEndpoint):
    """An endpoint of OFREP as an ASGI application."""

    def __init__(self, route: EdgeRoute, endpoint: Endpoint, handler: RequestHandler, commits: EventCommits) -> None:
        super().__init__(route, endpoint, handler, commits)
        self._admits = handler

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        context: RequestContext = scope[CONTEXT]
        _translate_credentials(context.headers)
        response = await when_ready(self._admits, context, lambda: self._admits.admit(context))
        response = response or await self._handle(scope, context, receive)
        if response.status >= _FIRST_ERROR:
            response = with_ofrep_error(response, scope["path_params"].get("key"))
        await send_response(scope, send, response, context)


def _translate_credentials(headers: Headers) -> None:
    """Take the project id and the secret key from `Bearer {project id}.{secret key}`, or from X-API-Key.

    A credential of another form, such as a personal key, is no credential of a project.
    """
    authorization, key = header_text(headers, AUTHORIZATION), header_text(headers, API_KEY)
    if authorization is None and key is None:
        return
    if authorization is not None:
        key = authorization[len(_BEARER) :] if authorization.lower().startswith(_BEARER) else ""
    project_id, _, secret_key = (key or "").strip().partition(".")
    headers[PROJECT_ID], headers[SECRET_KEY] = project_id.encode("latin-1"), secret_key.encode("latin-1")
