"""The ASGI way of hosted pages: endpoints with their parameters in the address, assets, and the preview's shell."""

from html import escape
from urllib.parse import urlsplit

import orjson
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from common.client_address import TrustedProxies
from common.errors import NotFoundError, UnavailableError
from common.wire.page_assets import PageAsset, media_type
from common.wire.page_shell import ASSETS_PATH, PREVIEW_SCRIPT, illustrations, page_html, styled_parts, word_scripts
from edge_api.api.config import accepted_codings
from edge_api.api.config_representations import BROTLI, GZIP
from edge_api.api.handler import Endpoint, RequestHandler
from edge_api.api.headers import header_text
from edge_api.api.pages import page_headers, request_origin
from edge_api.api.request import (
    ACCEPT_ENCODING,
    FORWARDED_HOST,
    FORWARDED_PROTO,
    PROJECT_ID,
    SECRET_KEY,
    Headers,
    RequestContext,
)
from edge_api.api.response import HeaderPairs, make_response
from edge_api.api.routes import GLOBAL_CONFIG
from edge_api.events.group_commit import EventCommits
from edge_api.http.asgi import CONTEXT, PublicEndpoint, send_response
from edge_api.page_assets import PageAssets

_VARY = (b"vary", b"Accept-Encoding")
_IMMUTABLE = (b"cache-control", b"public, max-age=31536000, immutable")
_ROOT_OF_PREVIEW = "../"
_PREVIEW_TITLE = "Preview"


class CredentialsInQuery(PublicEndpoint):
    """GET /api/global-config, whose query has the credentials that other requests have in their headers."""

    def __init__(
        self, endpoint: Endpoint, handler: RequestHandler, commits: EventCommits, proxies: TrustedProxies
    ) -> None:
        super().__init__(GLOBAL_CONFIG, endpoint, handler, commits)
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        context: RequestContext = scope[CONTEXT]
        query = Request(scope).query_params
        context.headers[PROJECT_ID] = query.get("projectId", "").encode("latin-1", "replace")
        context.headers[SECRET_KEY] = query.get("apiKey", "").encode("latin-1", "replace")
        _drop_untrusted(context.headers, scope, self._proxies)
        await super().__call__(scope, receive, send)


class AssetEndpoint:
    """GET /onboarding/assets/{asset}."""

    def __init__(self, assets: PageAssets) -> None:
        self._assets = assets

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the asset in the smallest accepted form. Raises NotFoundError and UnavailableError."""
        context: RequestContext = scope[CONTEXT]
        name: str = scope["path_params"]["asset"]
        asset = await self._assets.get(name)
        if asset is None:
            raise NotFoundError("Not found")
        coding, body = _preferred(asset, context.headers)
        headers: HeaderPairs = ((b"content-type", media_type(name)), _IMMUTABLE, _VARY)
        if coding is not None:
            headers = (*headers, (b"content-encoding", coding.encode()))
        await send_response(scope, send, make_response(200, headers, body), context)


class PreviewShell:
    """GET /onboarding/preview: a page that takes its document from the dashboard, in a frame of it."""

    def __init__(
        self, assets: PageAssets, dashboard_url: str | None, media_url: str | None, proxies: TrustedProxies
    ) -> None:
        self._assets = assets
        self._media_url = media_url
        self._origin = None if dashboard_url is None else "{0.scheme}://{0.netloc}".format(urlsplit(dashboard_url))
        self._proxies = proxies

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the shell. Raises InvalidRequestError, and UnavailableError while there are no assets."""
        context: RequestContext = scope[CONTEXT]
        if self._assets.manifest is None:
            raise UnavailableError("The assets of pages are not published yet", retry_after_seconds=2)
        _drop_untrusted(context.headers, scope, self._proxies)
        origin = self._origin or request_origin(context.headers)
        pictures = escape(orjson.dumps(illustrations(self._assets.manifest, _ROOT_OF_PREVIEW)).decode())
        scripts = word_scripts(self._assets.manifest).items()
        addresses = {language: f"{_ROOT_OF_PREVIEW}{ASSETS_PATH}{name}" for language, name in scripts}
        words = escape(orjson.dumps(addresses).decode())
        html = page_html(
            _PREVIEW_TITLE,
            '<div id="app"></div>',
            self._assets.manifest,
            _ROOT_OF_PREVIEW,
            body_attributes=f' data-dashboard-origin="{origin}" data-illustrations="{pictures}" data-words="{words}"',
            parts=[PREVIEW_SCRIPT, *styled_parts(self._assets.manifest)],
        )
        headers = (*page_headers(origin, self._media_url), (b"cache-control", b"no-cache"))
        await send_response(scope, send, make_response(200, headers, html.encode()), context)


def _drop_untrusted(headers: Headers, scope: Scope, proxies: TrustedProxies) -> None:
    """Remove the headers of proxies, unless the connected client is a trusted one."""
    client = scope.get("client")
    if not proxies.trust(client[0] if client else None):
        headers.pop(FORWARDED_HOST, None)
        headers.pop(FORWARDED_PROTO, None)


def _preferred(asset: PageAsset, headers: Headers) -> tuple[str | None, bytes]:
    bodies = {BROTLI: asset.brotli, GZIP: asset.gzip}
    for coding in accepted_codings(header_text(headers, ACCEPT_ENCODING)):
        if bodies.get(coding):
            return coding, bodies[coding]
    return None, asset.body
