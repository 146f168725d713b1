"""The HTML around the content of a hosted page: links to its assets, its document, and the content security policy.

The publisher makes the pages of flows, the edge the preview's shell and the pages of errors.
"""

from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import urlsplit

import orjson

from common.wire.page_assets import AssetManifest, bare_name

#: From a page of a flow, below `{public url}/s/{ticket}/onboarding/{flow id}/`, to the public URL.
ROOT_OF_PAGE = "../../../../"
ASSETS_PATH = "onboarding/assets/"
#: The bare name of the script that the preview loads in front of that of all pages.
PREVIEW_SCRIPT = "preview"

#: Lets the button of an error close the web view, where the script of the pages cannot be loaded. Also in the gateway.
ERROR_SCRIPT = (
    "(function(){var w=window,k=w.webkit&&w.webkit.messageHandlers,"
    "b=(k&&k.flutter_bridge)||w.flutter_bridge||w.ReactNativeWebView;"
    "function say(t){if(b)b.postMessage(t)}"
    'document.querySelector("[data-action=close]").onclick=function(){say("close_pressed")};'
    'say("initial_load_complete");say("themeStyle:default")})();'
)

_WORDS = "words-"

#: Characters that end a script or a line of JavaScript; inside JSON they occur in strings only.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def content_security_policy(frame_ancestors: str, media_url: str | None = None) -> str:
    """Return the policy of a page; `frame_ancestors` is an origin, or `'none'`.

    Media files come from the edge, or from the origin of `media_url`.
    """
    parts = None if media_url is None else urlsplit(media_url)
    media = "'self'" if parts is None else f"'self' {parts.scheme}://{parts.netloc}"
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src {media} https: data:; media-src {media}; "
        f"font-src {media}; connect-src {media}; base-uri 'none'; form-action 'none'; frame-ancestors {frame_ancestors}"
    )


def embed_json(document: dict[str, Any]) -> str:
    """Return a document as JSON that a script element can hold, with any texts in it."""
    return escape_script(orjson.dumps(document).decode())


def escape_script(json: str) -> str:
    """Return JSON without the characters that end a script or a line of JavaScript."""
    return json.translate(_ESCAPES)


def illustrations(manifest: AssetManifest | None, root: str) -> dict[str, str]:
    """Return the addresses of the illustrations by their names; `root` leads from the page to the public URL."""
    files = () if manifest is None else manifest.files
    return {bare_name(name): f"{root}{ASSETS_PATH}{name}" for name in files if name.endswith(".svg")}


def word_scripts(manifest: AssetManifest) -> dict[str, str]:
    """Return the names of the scripts with the words of a language, by its tag in lower case. English has none."""
    scripts = (name for name in manifest.files if name.startswith(_WORDS) and name.endswith(".js"))
    return {bare_name(name).removeprefix(_WORDS): name for name in scripts}


def styled_parts(manifest: AssetManifest) -> list[str]:
    """Return the bare names of the parts of pages that have a style sheet."""
    return [bare_name(name) for name in manifest.files if name.endswith(".css") and name != manifest.css]


def page_html(  # noqa: PLR0913 - the parts of a page
    title: str,
    body: str,
    manifest: AssetManifest | None,
    root: str,
    *,
    body_attributes: str = "",
    document: dict[str, Any] | None = None,
    words: str = "",
    parts: Sequence[str] = (),
    fonts: Sequence[str] = (),
    scheme: str = "",
    locale: str = "en",
    direction: str = "",
) -> str:
    """Return a page. `root` leads from its address to the public URL. `body` and `body_attributes` are HTML.

    Without a manifest the page has no assets but the scripts `parts`. With one, `parts` are the bare names of scripts
    and style sheets that the page needs beside those of all pages: each part has one of them, or both. The script of
    the pages imports the scripts, and the links make them arrive with it. `words` is the address of the script with the
    words of another language than English. `fonts` are addresses, and `scheme` has the
    colour schemes of the page before its first paint. Without a `direction` the script of the page sets it.
    """
    assets = escape(root + ASSETS_PATH)
    of_direction = f' dir="{direction}"' if direction else ""
    if manifest is None:
        links = "".join(f'<script type="module" src="{assets}{script}"></script>' for script in parts)
    else:
        links = f'<meta name="color-scheme" content="{scheme}">' if scheme else ""
        # Assets of release 0.2.0 have no parts.
        others = {(bare_name(name), name.rpartition(".")[2]): name for name in manifest.files}
        for style in (manifest.css, *(others[part, "css"] for part in parts if (part, "css") in others)):
            links += f'<link rel="stylesheet" href="{assets}{style}">'
        for font in fonts:
            links += f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{escape(font)}">'
        # The fallback waits for nothing, and nothing waits for it.
        if ("fallback", "js") in others:
            links += f'<script async src="{assets}{others["fallback", "js"]}"></script>'
        # The words come first, because each part runs the script of all pages.
        if words:
            links += f'<script type="module" src="{words}"></script>'
        for script in (others[part, "js"] for part in parts if (part, "js") in others):
            links += f'<script type="module" src="{assets}{script}"></script>'
        if document is not None:
            links += f'<script type="application/json" id="flow">{embed_json(document)}</script>'
        links += f'<script type="module" src="{assets}{manifest.js}"></script>'
    return (
        f'<!doctype html><html lang="{locale}"{of_direction}><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">'
        f"<title>{escape(title)}</title>{links}</head><body{body_attributes}>{body}</body></html>"
    )
