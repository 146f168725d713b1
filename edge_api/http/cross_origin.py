"""CORS for browsers: the public endpoints answer scripts of other origins that the operator allows.

A preflight is answered before credentials are looked at, and is not counted. Pages, assets and media files have their
own headers.
"""

from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edge_api.api.routes import Credential, route_of

_METHODS = ("GET", "HEAD", "POST")
_REQUEST_HEADERS = ("Authorization", "If-None-Match", "X-API-Key", "X-Project-Id", "X-Request-Id", "X-Secret-Key")
_RESPONSE_HEADERS = ("ETag", "Retry-After", "X-Config-Version", "X-Request-Id")
_PREFLIGHT_SECONDS = 7200


class CrossOriginMiddleware:
    """Adds Starlette's CORS to the routes with a credential that are no pages. The outermost layer."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        """Allow these origins; `*` allows all."""
        self._app = app
        self._cors = CORSMiddleware(
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


def _is_public(path: str) -> bool:
    route = route_of(path)
    return bool(route.methods) and route.credential is not Credential.NONE and not route.is_page
