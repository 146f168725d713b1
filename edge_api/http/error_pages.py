"""Errors of hosted pages as HTML: web views show them as they are, so each one has a text and a way out.

The texts are in the languages of the words of pages (`error_words.json`). The gateway has the pages of its own errors
in its configuration; a test compares them with `error_html`.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from common.rules.locales import ProjectLocales
from common.wire.page_assets import AssetManifest
from common.wire.page_shell import page_html
from edge_api.api.page_context import page_locale
from edge_api.api.pages import page_headers
from edge_api.api.request import RequestContext
from edge_api.api.response import Response, make_response
from edge_api.page_assets import ERROR_SCRIPT_NAME

_ENGLISH = "en"
_RIGHT_TO_LEFT = frozenset({"ar", "he"})
#: Tags of regions with another script, and codes that mean the same language (publisher/locales.py).
_ALIASES = {
    **dict.fromkeys(("zh", "zh-CN"), "zh-Hans"),
    **dict.fromkeys(("zh-TW", "zh-HK", "zh-MO"), "zh-Hant"),
    "no": "nb",
    "iw": "he",
    "in": "id",
}
#: The names of the title and of the text of each status.
_TEXTS = {
    400: ("notOpened", "notValid"),
    401: ("notOpened", "expired"),
    404: ("notFound", "removed"),
    405: ("notOpened", "notSupported"),
    429: ("tooMany", "failedText"),
    503: ("notReady", "soon"),
}
_OTHER = ("failed", "failedText")
#: Statuses after which the same request may succeed.
_REPEATABLE = frozenset({408, 429, 500, 503})
_REPLACED = frozenset({b"content-type", b"content-length"})
#: A page of a deeper path does not find its assets, so that its size is bounded.
_MAX_DEPTH = 20
_VARY = (b"vary", b"Accept-Language")


def error_page(
    response: Response, raw_path: bytes, manifest: AssetManifest | None, context: RequestContext | None = None
) -> Response:
    """Return the HTML of an error at this path. The other headers of the response stay, for example Retry-After.

    Its language is that of the request `context`, else English. The script of the pages lets the button close the web
    view; without a manifest a small one does.
    """
    root = "../" * min(raw_path.count(b"/") - 1, _MAX_DEPTH)
    language = _ENGLISH if context is None else page_locale(_languages(), context.query, context.headers)
    scripts = [] if manifest is not None else [ERROR_SCRIPT_NAME]
    html = error_html(response.status, root, manifest, scripts, language)
    kept = tuple(pair for pair in response.headers if pair[0] not in _REPLACED)
    own = (*page_headers(), (b"cache-control", b"no-store"), (b"content-language", language.encode()), _VARY)
    return make_response(response.status, (*kept, *own), html.encode())


def error_html(
    status: int, root: str, manifest: AssetManifest | None, scripts: Sequence[str], language: str = _ENGLISH
) -> str:
    """Return the page of an error; `root` leads to the public URL, and `scripts` are used without a manifest."""
    words = error_words()[language]
    title, text = (words[name] for name in _TEXTS.get(status, _OTHER))
    again = f'<a href="">{words["again"]}</a> ' if status in _REPEATABLE else ""
    body = (
        f'<main id="error"><h1>{title}</h1><p role="alert">{text}</p>'
        f'<p>{again}<button type="button" data-action="close">{words["close"]}</button></p></main>'
    )
    return page_html(
        title,
        body,
        manifest,
        root,
        body_attributes=f' data-error="{status}"',
        parts=scripts,
        locale=language,
        direction="rtl" if language in _RIGHT_TO_LEFT else "ltr",
    )


@cache
def error_words() -> dict[str, dict[str, str]]:
    """Return the words of errors by their names, for each language. English is the first."""
    source = Path(__file__).with_name("error_words.json").read_bytes()
    return msgspec.json.decode(source, type=dict[str, dict[str, str]])


@cache
def _languages() -> ProjectLocales:
    return ProjectLocales(error_words(), _ALIASES)
