"""The OpenAPI document, and the page that shows it with assets of this installation alone (contract, section 3)."""

from importlib.resources import files
from importlib.resources.abc import Traversable

import falcon
from swagger_ui_bundle import swagger_ui_path

from common.errors import ErrorCode, NotFoundError
from management_api.http.responses import PAGE_HEADERS, RawResponse
from management_api.http.routing import endpoint

#: Scripts, styles and the document come from this origin; inline scripts do not run. The page has style attributes.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_FOLDER = files("management_api.docs")
_SCRIPT = "text/javascript; charset=utf-8"
#: The files that the page requests; other files of the package are not served.
_ASSETS: dict[str, tuple[Traversable, str]] = {
    "start.js": (_FOLDER / "start.js", _SCRIPT),
    "swagger-ui-bundle.js": (swagger_ui_path / "swagger-ui-bundle.js", _SCRIPT),
    "swagger-ui.css": (swagger_ui_path / "swagger-ui.css", "text/css; charset=utf-8"),
    "favicon-32x32.png": (swagger_ui_path / "favicon-32x32.png", "image/png"),
}


class OpenApiDocument:
    """GET /openapi.json."""

    @endpoint(
        "get_openapi_document",
        RawResponse(
            ("application/json",),
            {
                "type": "object",
                "properties": {"openapi": {"type": "string"}},
                "required": ["openapi"],
                "additionalProperties": True,
            },
        ),
    )
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Read this document.

        OpenAPI 3.1 of the edge and of the management service, of the installed version.
        """
        _send(response, _FOLDER / "openapi.json", falcon.MEDIA_JSON, "no-cache")


class DocumentationPage:
    """GET /docs."""

    @endpoint("get_documentation_page", RawResponse(("text/html",), {"type": "string"}))
    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Read this document as a page.

        The page loads nothing from other hosts.
        """
        response.set_headers({**PAGE_HEADERS, "Content-Security-Policy": CONTENT_SECURITY_POLICY})
        _send(response, _FOLDER / "page.html", "text/html; charset=utf-8", "no-cache")


class DocumentationAsset:
    """GET /docs/{asset}."""

    @endpoint(
        "get_documentation_asset",
        RawResponse(("text/javascript", "text/css", "image/png")),
        errors=[ErrorCode.NOT_FOUND],
    )
    def on_get(self, _request: falcon.Request, response: falcon.Response, asset: str) -> None:
        """Read a script, a style sheet or an image of the page.

        Another name is a 404 `NOT_FOUND`.
        """
        if asset not in _ASSETS:
            raise NotFoundError("Not found")
        file, media_type = _ASSETS[asset]
        _send(response, file, media_type, "public, max-age=3600")


def _send(response: falcon.Response, file: Traversable, media_type: str, caching: str) -> None:
    response.content_type = media_type
    response.cache_control = [caching]
    response.data = file.read_bytes()
