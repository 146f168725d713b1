"""The dashboard at /dashboard/: its files, its configuration, and the content security policy of its page."""

import hashlib
from urllib.parse import urlsplit

import falcon

from common.errors import ErrorCode, NotFoundError
from common.version import VERSION
from management_api.dashboard.files import ASSETS, INDEX, DashboardFile, DashboardFiles
from management_api.http.responses import PAGE_HEADERS, RawResponse
from management_api.http.routing import endpoint
from management_api.settings import ManagementSettings

SCOPES = "openid email profile"
_IMMUTABLE = "public, max-age=31536000, immutable"
_BUILD_SECONDS = 5
#: A browser that waits for the build opens the page as soon as it is there.
_NOT_BUILT = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="{_BUILD_SECONDS}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Dashboard</title></head>
<body><p>The dashboard is not built yet; this page opens it as soon as it is.</p></body></html>
""".encode()


def content_security_policy(settings: ManagementSettings) -> str:
    """Return the policy: requests go here and to the identity provider, frames show the edge, pictures are media."""
    providers = [settings.identity_issuer, *settings.dashboard_identity_origins]
    connect = " ".join(dict.fromkeys(["'self'", *filter(None, map(_origin, providers))]))
    frame = _origin(settings.edge_public_url or "") or "'self'"
    pictures = " ".join(["'self'", *filter(None, [_origin(settings.media_base_url or "")])])
    return (
        f"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src {pictures} data:; connect-src {connect}; "
        f"frame-src {frame}; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


def dashboard_config(settings: ManagementSettings) -> dict[str, str | bool | None]:
    """Return the configuration of the page. It is public, so no secret may be in it."""
    is_provider = _origin(settings.identity_issuer) is not None
    return {
        "issuer": settings.identity_issuer if is_provider else None,
        "client_id": settings.dashboard_client_id,
        "scopes": SCOPES,
        "edge_url": settings.edge_public_url,
        "release": VERSION,
        "development_identity": settings.dashboard_development_sign_in,
        "translates": settings.translate_url is not None,
    }


class DashboardRedirect:
    """GET /dashboard."""

    @endpoint("redirect_to_dashboard", RawResponse(("text/html",)), status=308)
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Go to the dashboard, whose addresses begin with /dashboard/."""
        response.set_header("Location", "dashboard/")


class DashboardConfig:
    """GET /dashboard/config.json."""

    def __init__(self, settings: ManagementSettings) -> None:
        self._config = dashboard_config(settings)

    @endpoint("get_dashboard_config", RawResponse(("application/json",)))
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Read what the page of the dashboard needs before a sign-in."""
        response.cache_control = ["no-cache"]
        response.media = self._config


class DashboardPage:
    """GET /dashboard/ and /dashboard/{path}."""

    def __init__(self, settings: ManagementSettings, files: DashboardFiles) -> None:
        self._policy = content_security_policy(settings)
        self._files = files

    @endpoint("get_dashboard_file", RawResponse(("text/html",)), errors=[ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, path: str = "") -> None:
        """Read a file of the dashboard; any path without a file is a view of the page, which the index shows."""
        response.set_headers({**PAGE_HEADERS, "Content-Security-Policy": self._policy})
        response.append_header("Vary", "Accept-Encoding")
        accepted = request.get_header("Accept-Encoding", default="")
        file = self._files.read(path, accepted)
        if file is None and path.startswith(ASSETS):
            raise NotFoundError("Not found")
        file = file or self._files.read(INDEX, accepted)
        if file is None:
            _send_not_built(response)
        else:
            _send(request, response, file)


def _send(request: falcon.Request, response: falcon.Response, file: DashboardFile) -> None:
    response.etag = hashlib.sha256(file.content).hexdigest()[:32]
    response.cache_control = [_IMMUTABLE if file.is_immutable else "no-cache"]
    known = request.if_none_match or []
    if "*" in known or response.etag.strip('"') in known:
        response.status = falcon.HTTP_NOT_MODIFIED
        return
    if file.encoding is not None:
        response.set_header("Content-Encoding", file.encoding)
    response.content_type = file.media_type
    response.data = file.content


def _send_not_built(response: falcon.Response) -> None:
    response.status = falcon.HTTP_SERVICE_UNAVAILABLE
    response.set_header("Retry-After", str(_BUILD_SECONDS))
    response.content_type = "text/html; charset=utf-8"
    response.data = _NOT_BUILT


def _origin(url: str) -> str | None:
    """Return the origin of a URL; None for a text that is no URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"https", "http"} and parts.netloc else None
