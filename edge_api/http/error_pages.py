"""Errors of hosted pages as HTML: web views show them as they are, so each one has a text and a way out.

The gateway has the pages of its own errors in its configuration; a test compares them with `error_html`.
"""

from collections.abc import Sequence

from common.wire.page_assets import AssetManifest
from common.wire.page_shell import page_html
from edge_api.api.pages import page_headers
from edge_api.api.response import Response, make_response
from edge_api.page_assets import ERROR_SCRIPT_NAME

_TEXTS: dict[int, tuple[str, str]] = {
    400: ("This page cannot be opened", "The request is not valid."),
    401: ("This page cannot be opened", "The link is not valid, or it has expired."),
    404: ("This page does not exist", "It may have been removed."),
    405: ("This page cannot be opened", "The request is not supported."),
    429: ("Too many requests", "Please try again later."),
    503: ("This page is not ready", "Please try again in a moment."),
}
_OTHER = ("Something went wrong", "Please try again later.")
#: Statuses after which the same request may succeed.
_REPEATABLE = frozenset({408, 429, 500, 503})
_REPLACED = frozenset({b"content-type", b"content-length"})
#: A page of a deeper path does not find its assets, so that its size is bounded.
_MAX_DEPTH = 20


def error_page(response: Response, raw_path: bytes, manifest: AssetManifest | None) -> Response:
    """Return the HTML of an error at this path. The other headers of the response stay, for example Retry-After.

    The script of the pages lets the button close the web view; without a manifest a small one does.
    """
    root = "../" * min(raw_path.count(b"/") - 1, _MAX_DEPTH)
    html = error_html(response.status, root, manifest, [] if manifest is not None else [ERROR_SCRIPT_NAME])
    kept = tuple(pair for pair in response.headers if pair[0] not in _REPLACED)
    return make_response(response.status, (*kept, *page_headers(), (b"cache-control", b"no-store")), html.encode())


def error_html(status: int, root: str, manifest: AssetManifest | None, scripts: Sequence[str]) -> str:
    """Return the page of an error; `root` leads to the public URL, and `scripts` are used without a manifest."""
    title, text = _TEXTS.get(status, _OTHER)
    again = '<a href="">Try again</a> ' if status in _REPEATABLE else ""
    body = (
        f'<main id="error"><h1>{title}</h1><p role="alert">{text}</p>'
        f'<p>{again}<button type="button" data-action="close">Close</button></p></main>'
    )
    return page_html(title, body, manifest, root, body_attributes=f' data-error="{status}"', parts=scripts)
