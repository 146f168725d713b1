"""Stored pages: one document with its assets, and a policy that allows nothing else."""

import base64
import gzip
import hashlib
import re

import pytest

from common.errors import UnavailableError
from common.wire.page_assets import AssetManifest, PageAsset
from common.wire.page_shell import ROOT_OF_PAGE, illustrations, page_html
from edge_api.api.stored_page import StoredPages

_FILES = {
    "pages.0a1b2c3d.js": b"import './x';",
    "pages.0a1b2c3d.css": b"h1{color:red}",
    "fallback.0a1b2c3d.js": b"check()",
    "stored.0a1b2c3d.js": b'start("</script><!--")',
    "paywall.0a1b2c3d.css": b"p{margin:0}",
    "paywall.0a1b2c3d.js": b"export {}",
    "words-de.0a1b2c3d.js": b'words = "Weiter"',
    "goal.0a1b2c3d.svg": b"<svg></svg>",
}
_MANIFEST = AssetManifest("pages.0a1b2c3d.js", "pages.0a1b2c3d.css", tuple(_FILES))
_TITLE = 'Shop </title><script src="https://evil.example.com/x.js"></script>'


def _pages(files: dict[str, bytes] = _FILES) -> StoredPages:
    return StoredPages(lambda: _MANIFEST, lambda name: PageAsset(files[name], b"", b"") if name in files else None)


def _page() -> bytes:
    document = {"assets": {"illustrations": illustrations(_MANIFEST, ROOT_OF_PAGE)}, "title": _TITLE}
    words = f"{ROOT_OF_PAGE}onboarding/assets/words-de.0a1b2c3d.js"
    fonts = ["https://fonts.example.com/a.woff2"]
    html = page_html(
        *(_TITLE, '<div id="app"></div>', _MANIFEST, ROOT_OF_PAGE),
        document=document,
        words=words,
        parts=["paywall"],
        fonts=fonts,
        locale="de",
    )
    return gzip.compress(html.encode())


def test_stored_page_has_its_assets_and_no_links() -> None:
    html = gzip.decompress(_pages().page(_page())).decode()
    assert html.startswith('<!doctype html><html lang="de"')
    assert "<body data-stored>" in html
    assert "<link" not in html
    assert "<script src" not in html
    assert "<style>h1{color:red}p{margin:0}</style>" in html
    picture = base64.b64encode(_FILES["goal.0a1b2c3d.svg"]).decode()
    assert f'"data:image/svg+xml;base64,{picture}"' in html
    assert html.endswith(
        r'<script>words = "Weiter"</script><script>start("\x3c/script>\x3c!--")</script></body></html>'
    )


def test_policy_of_a_stored_page_allows_its_own_scripts_and_styles_alone() -> None:
    html = gzip.decompress(_pages().page(_page())).decode()
    inline = [content for content in re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", html) if content]
    digests = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in inline]
    found = re.search(r'<meta http-equiv="content-security-policy" content="([^"]*)"', html)
    assert found is not None
    policy = found[1]
    assert re.findall(r"sha256-([^']*)'", policy) == [*digests[1:], digests[0]]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")


def test_stored_page_waits_for_its_assets() -> None:
    pages = _pages({name: body for name, body in _FILES.items() if not name.startswith("stored")})
    with pytest.raises(UnavailableError):
        pages.page(_page())
