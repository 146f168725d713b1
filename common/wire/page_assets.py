"""Assets of hosted pages in Redis: scripts, style sheets and images, found by names that have a hash of the content.

The publisher writes each asset under its name, then the manifest, which names the assets in use. Former assets stay for
some months, because pages of another release link to them.
"""

import re

import msgspec

from common.errors import OnboardingError

#: A former asset is kept for so long after the last start of a publisher that has it.
ASSET_SECONDS = 180 * 24 * 60 * 60
#: No asset is larger, plain.
MAX_ASSET_BYTES = 1024 * 1024
#: `{name}.{hash}.{js,css,svg}`: neither a folder nor a file that begins with a full stop.
_NAME = re.compile(r"([a-z0-9][a-z0-9_-]{0,60})\.([A-Za-z0-9_-]{6,64})\.(js|css|svg)")
_MEDIA_TYPES = {
    "js": b"text/javascript; charset=utf-8",
    "css": b"text/css; charset=utf-8",
    "svg": b"image/svg+xml",
}


class PageAssetError(OnboardingError):
    """A stored asset or manifest is damaged."""


class PageAsset(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file, plain and compressed."""

    body: bytes
    gzip: bytes
    brotli: bytes

    @property
    def size(self) -> int:
        """The bytes of all forms."""
        return len(self.body) + len(self.gzip) + len(self.brotli)


class AssetManifest(msgspec.Struct, frozen=True, rename="camel"):
    """The assets of a release: `js` and `css` are the script and the style sheet of pages, `files` are all files.

    `digest` differs for different files. The publisher of an older release leaves a newer manifest unchanged.
    """

    js: str
    css: str
    files: tuple[str, ...]
    release: str = ""
    digest: str = ""


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(PageAsset)
_MANIFEST_DECODER = msgspec.json.Decoder(AssetManifest)


def is_asset_name(name: str) -> bool:
    """Return whether an asset may have this name."""
    return _NAME.fullmatch(name) is not None


def bare_name(name: str) -> str:
    """Return an asset's name without its hash and its suffix."""
    return name.partition(".")[0]


def media_type(name: str) -> bytes:
    """Return the media type of an asset."""
    return _MEDIA_TYPES[name.rpartition(".")[2]]


def encode_asset(asset: PageAsset) -> bytes:
    """Return the bytes to store."""
    return _ENCODER.encode(asset)


def decode_asset(stored: bytes) -> PageAsset:
    """Decode stored bytes. Raises PageAssetError."""
    try:
        return _DECODER.decode(stored)
    except msgspec.DecodeError as error:
        raise PageAssetError(f"the asset cannot be decoded: {error}") from error


def decode_manifest(stored: bytes) -> AssetManifest:
    """Decode a manifest, as it is in Redis and as the build writes it. Raises PageAssetError."""
    try:
        manifest = _MANIFEST_DECODER.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PageAssetError(f"the manifest cannot be decoded: {error}") from error
    if not {manifest.js, manifest.css} <= set(manifest.files) or not all(map(is_asset_name, manifest.files)):
        raise PageAssetError("the manifest has files with other names")
    return manifest
