"""Pages that an app stores for starts without the service: one document without links to assets."""

import base64
import gzip
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable

from common.errors import UnavailableError
from common.wire.page_assets import AssetManifest, PageAsset, bare_name

#: The bare name of the script, which has all parts.
_SCRIPT = "stored"
_MAX_PAGES = 32
_GZIP_LEVEL = 6
_RETRY_SECONDS = 2
#: Texts of a page have no markup: `<` is escaped in them.
_LINKS = re.compile(rb'<link rel="[^"]*"[^>]*>|<script (?:type="module" |async )src="[^"]*"></script>')
_STYLES = re.compile(rb'<link rel="stylesheet" href="[^"]*/([\w.-]+)">')
_WORDS = re.compile(rb'<script type="module" src="[^"]*/(words-[\w.-]+)">')
_ILLUSTRATIONS = re.compile(rb'"[./]*/onboarding/assets/([\w.-]+\.svg)"')
#: What ends a script element, or changes how the rest of it is read.
_MARKUP = re.compile(rb"<(?=/script|!--|script)", re.IGNORECASE)


class StoredPages:
    """Makes stored pages, the latest of which are kept. `asset` returns one of the assets in use, if it is loaded."""

    def __init__(self, manifest: Callable[[], AssetManifest | None], asset: Callable[[str], PageAsset | None]) -> None:
        self._manifest = manifest
        self._asset = asset
        self._made: OrderedDict[tuple[bytes, str], bytes] = OrderedDict()

    def page(self, page: bytes) -> bytes:
        """Return the stored form of a page; both are compressed by gzip. Raises UnavailableError."""
        manifest = self._manifest()
        script = next((name for name in manifest.files if bare_name(name) == _SCRIPT), "") if manifest else ""
        key = (page, script)
        made = self._made.get(key)
        if made is None:
            made = gzip.compress(self._make(gzip.decompress(page), script), _GZIP_LEVEL, mtime=0)
            self._made[key] = made
            if len(self._made) > _MAX_PAGES:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return made

    def _make(self, html: bytes, script: str) -> bytes:
        style = b"".join(self._body(name.decode()) for name in _STYLES.findall(html))
        names = [name.decode() for name in _WORDS.findall(html)]
        scripts = [_MARKUP.sub(rb"\\x3c", self._body(name)) for name in (*names, script)]
        policy = (
            f"default-src 'none'; script-src {' '.join(map(_source, scripts))}; style-src {_source(style)}; "
            "img-src 'self' https: data:; media-src 'self' https:; font-src 'self' https:; connect-src data:; "
            "base-uri 'none'; form-action 'none'"
        )
        head = b'<meta http-equiv="content-security-policy" content="%s"><style>%s</style>' % (policy.encode(), style)
        foot = b"".join(b"<script>%s</script>" % content for content in scripts)
        html = _ILLUSTRATIONS.sub(self._illustration, _LINKS.sub(b"", html))
        html = html.replace(b"<title>", head + b"<title>", 1).replace(b"<body", b"<body data-stored", 1)
        return html.removesuffix(b"</body></html>") + foot + b"</body></html>"

    def _illustration(self, found: re.Match[bytes]) -> bytes:
        asset = self._asset(found[1].decode())
        return found[0] if asset is None else b'"data:image/svg+xml;base64,%s"' % base64.b64encode(asset.body)

    def _body(self, name: str) -> bytes:
        asset = self._asset(name)
        if asset is None:
            raise UnavailableError("The assets of pages are not loaded yet", retry_after_seconds=_RETRY_SECONDS)
        return asset.body


def _source(content: bytes) -> str:
    """Return the source of an inline script or style sheet for a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}'"
