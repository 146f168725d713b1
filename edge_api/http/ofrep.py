"""The ASGI way of OFREP: the credentials of its clients, and the members that its errors have."""

from starlette.types import Receive, Scope

from edge_api.api.headers import header_text
from edge_api.api.ofrep import with_ofrep_error
from edge_api.api.request import API_KEY, AUTHORIZATION, PROJECT_ID, SECRET_KEY, Headers, RequestContext
from edge_api.api.response import Response
from edge_api.http.asgi import PublicEndpoint

_BEARER = "bearer "
_FIRST_ERROR = 400


class OfrepApp(PublicEndpoint):
    """An endpoint of OFREP as an ASGI application."""

    async def respond(self, scope: Scope, context: RequestContext, receive: Receive) -> Response:
        """Return the response to one request."""
        _translate_credentials(context.headers)
        response = await super().respond(scope, context, receive)
        is_error = response.status >= _FIRST_ERROR
        return with_ofrep_error(response, scope["path_params"].get("key")) if is_error else response


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
