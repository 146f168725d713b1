"""CORS for browsers: the public endpoints answer scripts of other origins that the operator allows.

A preflight is answered before credentials are looked at, and is not counted. Pages, assets and media files have their
own headers.
"""

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.errors import ErrorCode
from edge_api.api.request import read_headers
from edge_api.api.routes import Credential, route_of
from edge_api.http.responses import request_id_from

_METHODS = ("GET", "HEAD", "POST")
_REQUEST_HEADERS = ("Authorization", "If-None-Match", "X-API-Key", "X-Project-Id", "X-Request-Id", "X-Secret-Key")
_RESPONSE_HEADERS = ("ETag", "Retry-After", "X-Config-Version", "X-Request-Id")
_PREFLIGHT_SECONDS = 7200
_FIRST_ERROR = 400


class CrossOriginMiddleware:
    """Adds Starlette's CORS to the routes with a credential that are no pages. The outermost layer."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        """Allow these origins; `*` allows all."""
        self._app = app
        self._cors = _Preflights(
            app,
            allow_origins=origins,
            allow_methods=_METHODS,
            allow_headers=_REQUEST_HEADERS,
            expose_headers=_RESPONSE_HEADERS,
            max_age=_PREFLIGHT_SECONDS,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a preflight, or pass the request on."""
        if scope["type"] != "http" or not _is_public(scope["path"]):
            await self._app(scope, receive, send)
            return

        async def send_varied(message: Message) -> None:
            # Caches must not give an answer without CORS headers to a script that may have one.
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "origin" not in headers.get("vary", "").lower():
                    headers.add_vary_header("Origin")
            await send(message)

        await self._cors(scope, receive, send_varied)


class _Preflights(CORSMiddleware):
    """Starlette's CORS with the headers and the errors of all other responses."""

    def preflight_response(self, request_headers: Headers) -> Response:
        """Return the response to a preflight: 200, or 400 for what is not allowed."""
        response = super().preflight_response(request_headers)
        if response.status_code >= _FIRST_ERROR:
            message = "The origin, the method or a header of the request is not allowed"
            response = JSONResponse(
                {"success": False, "error": message, "code": ErrorCode.INVALID_PARAMETER, "status": 400},
                response.status_code,
                {name: value for name, value in response.headers.items() if not name.startswith("content-")},
            )
        response.headers["X-Request-Id"] = request_id_from(read_headers(request_headers.raw)).decode()
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def _is_public(path: str) -> bool:
    route = route_of(path)
    return bool(route.methods) and route.credential is not Credential.NONE and not route.is_page
