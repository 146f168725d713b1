"""The assets of hosted pages: read from the folder of the build, written to Redis before pages link to them.

Publishers of two releases do not replace each other's manifest for ever: the newer release wins, and among builds of
one release each publisher writes its own once. Former assets stay until they expire.
"""

import hashlib
import time
from pathlib import Path
from typing import Any

import msgspec
import semver
import structlog
from redis import Redis

from common.version import VERSION
from common.wire.page_assets import (
    ASSET_SECONDS,
    MAX_ASSET_BYTES,
    AssetManifest,
    PageAsset,
    PageAssetError,
    decode_manifest,
    encode_asset,
)
from common.wire.redis_keys import PAGE_ASSET_NAMES, PAGE_ASSETS, page_asset_key

log = structlog.stdlib.get_logger(__name__)

#: The build of `web/pages` writes it, the manifest last.
BUILT_ASSETS = Path(__file__).parent / "page_assets"
_MANIFEST = "manifest.json"
_RENEWAL_SECONDS = 24 * 60 * 60


class PageAssetPublisher:
    """Follows the build's folder. `manifest` names the assets that pages link to; None: there are none yet."""

    def __init__(self, redis: Redis, folder: Path = BUILT_ASSETS, release: str = VERSION) -> None:
        self._redis = redis
        self._folder = folder
        self._release = release
        self.manifest: AssetManifest | None = None
        #: Whether the manifest in Redis was read once.
        self.was_found = False
        self._version_on_disk: tuple[int, int, int] | None = None
        self._built: AssetManifest | None = None
        self._assets: dict[str, bytes] = {}
        self._written_at: float | None = None
        #: The digest for which this process has requested a revision of every project.
        self._published: str | None = None

    def publish(self) -> bool:
        """Write the assets if they are new here or in Redis; return whether all pages have to be compiled again.

        Raises RedisError.
        """
        self._read_folder()
        stored: Any = self._redis.get(PAGE_ASSETS)
        published = _decode(stored)
        built = self._built
        self.was_found = True
        if built is None:
            # Pages that are there already keep their assets.
            self.manifest = published
            return False
        is_current = published is not None and (published == built or _is_newer(published.release, self._release))
        is_new = not is_current and self._published != built.digest
        if is_new or published is None or self._must_renew():
            self._write_assets(published)
        # Only now: a page must not link to an asset that is not there.
        self.manifest = built
        if is_new:
            log.info("publisher.page_assets", files=len(built.files), digest=built.digest[:12])
        elif published is None:
            # Redis has lost it. All projects have the pages of these assets.
            self.note()
        return is_new

    def note(self) -> None:
        """Store in Redis which assets are in use. Call it after the rebuild was stored, so that a crash repeats it."""
        if self._built is not None:
            self._redis.set(PAGE_ASSETS, msgspec.json.encode(self._built))
            self._published = self._built.digest

    def mark_unwritten(self) -> None:
        """Mark the assets as not written, as after a failover that may have lost them."""
        self._written_at = None

    def _must_renew(self) -> bool:
        return self._written_at is None or time.monotonic() - self._written_at > _RENEWAL_SECONDS

    def _write_assets(self, published: AssetManifest | None) -> None:
        """Write the assets, then their names, because edges look for no asset of another name."""
        for name, encoded in self._assets.items():
            self._redis.set(page_asset_key(name), encoded, ex=ASSET_SECONDS)
        now = int(time.time())
        if published is not None:
            # A publisher of release 0.2.0 has written these assets without their names.
            self._redis.zadd(PAGE_ASSET_NAMES, dict.fromkeys(published.files, now + ASSET_SECONDS), nx=True)
        self._redis.zadd(PAGE_ASSET_NAMES, dict.fromkeys(self._assets, now + ASSET_SECONDS))
        self._redis.zremrangebyscore(PAGE_ASSET_NAMES, 0, now)
        self._redis.expire(PAGE_ASSET_NAMES, ASSET_SECONDS)
        self._written_at = time.monotonic()

    def _read_folder(self) -> None:
        """Read the folder if its manifest has changed since. A folder that is incomplete is read again later."""
        manifest = self._folder / _MANIFEST
        try:
            status = manifest.stat()
            version = (status.st_mtime_ns, status.st_size, status.st_ino)
            if version == self._version_on_disk:
                return
            built = decode_manifest(manifest.read_bytes())
            assets = {name: encode_asset(_read_asset(self._folder / name)) for name in built.files}
        except FileNotFoundError:
            # Not built yet, or being built again.
            return
        except (OSError, PageAssetError) as error:
            log.warning("publisher.page_assets_not_read", reason=str(error))
            return
        names = "\n".join((built.js, built.css, *sorted(built.files)))
        digest = hashlib.sha256(names.encode()).hexdigest()
        self._built = msgspec.structs.replace(built, release=self._release, digest=digest)
        self._assets = assets
        self._version_on_disk = version
        self.mark_unwritten()


def _read_asset(file: Path) -> PageAsset:
    """Read a file and its compressed forms. Raises OSError, PageAssetError."""
    body = file.read_bytes()
    if len(body) > MAX_ASSET_BYTES:
        raise PageAssetError(f"{file.name} is larger than {MAX_ASSET_BYTES} bytes")
    compressed = (file.with_name(file.name + suffix).read_bytes() for suffix in (".gz", ".br"))
    return PageAsset(body, *compressed)


def _decode(stored: bytes | None) -> AssetManifest | None:
    if stored is None:
        return None
    try:
        return decode_manifest(stored)
    except PageAssetError:
        # Of a newer form, or damaged: the own manifest replaces it.
        return None


def _is_newer(release: str, own: str) -> bool:
    try:
        return semver.Version.parse(release) > semver.Version.parse(own)
    except ValueError:
        return False
