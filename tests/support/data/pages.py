"""Assets, pages and tickets of hosted pages, for tests of the edge."""

import base64
import gzip
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import brotli
import msgspec
import redis

from common.wire.page_assets import ASSET_SECONDS, AssetManifest, PageAsset, encode_asset
from common.wire.page_shell import ROOT_OF_PAGE, page_html
from common.wire.redis_keys import PAGE_ASSET_NAMES, PAGE_ASSETS, page_asset_key
from common.wire.snapshot import Page, Snapshot
from common.wire.tickets import PREVIEW_SECONDS, TICKET_SECONDS, PreviewLink, Ticket, Tickets
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS
from tests.support.data.snapshots import KEY_ID

ASSETS = {
    "pages.0a1b2c3d.js": b"document.title = 'Pages';" * 40,
    "pages.4e5f6071.css": b"body { margin: 0 }" * 40,
    "welcome.8293a4b5.svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>' * 10,
}
MANIFEST = AssetManifest(
    js="pages.0a1b2c3d.js", css="pages.4e5f6071.css", files=tuple(ASSETS), release="0.2.0", digest="d" * 64
)
PAGE_TICKETS = Tickets([base64.b64decode(ASSIGNMENT_KEYS)])


def publish_assets(client: redis.Redis, manifest: AssetManifest = MANIFEST) -> None:
    """Write the assets and their manifest as the publisher does."""
    for name, body in ASSETS.items():
        asset = PageAsset(body, gzip.compress(body), brotli.compress(body))
        client.set(page_asset_key(name), encode_asset(asset))
        client.zadd(PAGE_ASSET_NAMES, {name: time.time() + ASSET_SECONDS})
    client.set(PAGE_ASSETS, msgspec.json.encode(manifest))


def write_built_assets(folder: Path, assets: Mapping[str, bytes] = MappingProxyType(ASSETS)) -> None:
    """Write the folder that the build of the pages makes, the manifest last."""
    folder.mkdir(exist_ok=True)
    for name, body in assets.items():
        (folder / name).write_bytes(body)
        (folder / f"{name}.gz").write_bytes(gzip.compress(body))
        (folder / f"{name}.br").write_bytes(brotli.compress(body))
    js, css = (next(name for name in assets if name.endswith(suffix)) for suffix in (".js", ".css"))
    manifest = msgspec.json.encode({"js": js, "css": css, "files": list(assets)})
    unfinished = folder / "manifest.json.unfinished"
    unfinished.write_bytes(manifest)
    unfinished.replace(folder / "manifest.json")


def a_page(
    flow_id: str = "flow_default",
    title: str = "Live",
    *,
    draft: bool = False,
    preview: bool = False,
    valid_from: int = 0,
) -> Page:
    """Return the page of a flow, with that title."""
    html = page_html(title, '<div id="app"></div>', MANIFEST, ROOT_OF_PAGE, document={"flowId": flow_id})
    return Page(flow_id, draft, preview, gzip.compress(html.encode()), valid_from)


def ticket_of(snapshot: Snapshot, key_id: str = KEY_ID, seconds: int = TICKET_SECONDS) -> str:
    """Return a ticket of a key of the project."""
    return PAGE_TICKETS.issue(Ticket(snapshot.project_id, key_id, int(time.time()) + seconds))


def preview_of(
    snapshot: Snapshot, flow_id: str = "flow_default", *, draft: bool = True, seconds: int = PREVIEW_SECONDS
) -> str:
    """Return the ticket of a link to a preview."""
    return PAGE_TICKETS.issue(PreviewLink(snapshot.project_id, flow_id, int(time.time()) + seconds, draft))
