"""The assets of hosted pages in one worker: in memory, loaded once from disk or Redis for all requests that wait.

A name has a hash of the content, so a copy is never outdated. The manifest, which names the assets in use, is read
again every few seconds; its files are fetched at once, so that a restart without Redis serves them.

A request for a name that does not exist reads no file and no asset in Redis: the publisher keeps the names of all
assets, and the edge reads the names at most once a second.
"""

import asyncio
import hashlib
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from common.errors import UnavailableError
from common.telemetry.catalogue import edge as catalogue
from common.telemetry.samples import SampleSet
from common.wire.page_assets import (
    AssetManifest,
    PageAsset,
    PageAssetError,
    decode_asset,
    decode_manifest,
    is_asset_name,
)
from common.wire.page_shell import ERROR_SCRIPT
from common.wire.redis_keys import PAGE_ASSET_NAMES, PAGE_ASSETS, page_asset_key
from edge_api.page_asset_copies import PageAssetCopies
from edge_api.single_flight import SingleFlight

_LOG = structlog.stdlib.get_logger(__name__)

_ERROR_SCRIPT = ERROR_SCRIPT.encode()
#: An asset that every edge has.
ERROR_SCRIPT_NAME = f"error.{hashlib.sha256(_ERROR_SCRIPT).hexdigest()[:8]}.js"

_REFRESH_SECONDS = 1.0
_MAX_BYTES = 16 * 1024 * 1024
_MAX_LOADS = 16
#: More requests do not wait for the names of the assets.
_MAX_WAITING = 1_000
#: Names that expire earlier than so many others are unknown.
_MAX_NAMES = 5_000
_MANIFEST_FILE = "manifest.json"
_ERROR_ASSET = PageAsset(_ERROR_SCRIPT, b"", b"")


class PageAssets:
    """A bounded map from names to assets. `manifest` is None while the pages are not built yet.

    Without a folder no copies are kept on disk.
    """

    def __init__(self, client: Redis, folder: Path | None) -> None:
        self._client = client
        self._copies = PageAssetCopies(folder)
        self.manifest: AssetManifest | None = None
        self._stored_manifest = b""
        self._cached: OrderedDict[str, PageAsset] = OrderedDict()
        self._bytes = 0
        self._loads = SingleFlight(self._load, limit=_MAX_LOADS)
        self._counts = {"redis": 0, "disk": 0, "unknown": 0, "failed": 0}
        #: The names on the disk, in manifests and in Redis. A load that fails removes its name.
        self._names: set[str] = set()
        #: Whether Redis has the names, which a publisher of release 0.2.0 does not write.
        self._are_listed = True
        self._listing = SingleFlight(self._list_names, limit=1)
        self._listed_at = -_REFRESH_SECONDS
        self._waiting = 0

    async def open(self) -> None:
        """Read the manifest of the disk, and the names of its files."""
        self._names.update(await self._copies.names())
        stored = await self._copies.read(_MANIFEST_FILE)
        if stored is not None:
            self._use_manifest(stored)

    async def run(self) -> None:
        """Follow the manifest in Redis, and fetch its files, until it is cancelled."""
        while True:
            try:
                await self._refresh()
            except (RedisError, OSError, UnavailableError) as error:
                # Requests are served from memory and disk meanwhile.
                _LOG.debug("page_assets_not_refreshed", reason=type(error).__name__)
            await asyncio.sleep(_REFRESH_SECONDS)

    async def get(self, name: str) -> PageAsset | None:
        """Return an asset; None when there is none. Raises UnavailableError when that cannot be determined now."""
        if name == ERROR_SCRIPT_NAME:
            return _ERROR_ASSET
        cached = self._cached.get(name)
        if cached is not None:
            self._cached.move_to_end(name)
            return cached
        if not is_asset_name(name) or not (name in self._names or await self._may_exist(name)):
            return None
        return await self._load_once(name)

    def loaded(self, name: str) -> PageAsset | None:
        """Return an asset that is in memory."""
        return self._cached.get(name)

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics."""
        samples.add(catalogue.PAGE_ASSETS_MISSING, self.manifest is None)
        samples.add(catalogue.PAGE_ASSET_BYTES, self._bytes)
        for source, count in self._counts.items():
            samples.add(catalogue.PAGE_ASSET_LOADS, count, source)

    async def _refresh(self) -> None:
        stored: Any = await self._client.get(PAGE_ASSETS)
        if stored is not None and stored != self._stored_manifest and self._use_manifest(stored):
            await self._copies.write(_MANIFEST_FILE, stored)
        if self.manifest is not None:
            for name in self.manifest.files:
                if name not in self._cached:
                    await self._load_once(name)

    def _use_manifest(self, stored: bytes) -> bool:
        self._stored_manifest = stored
        try:
            self.manifest = decode_manifest(stored)
        except PageAssetError as error:
            _LOG.error("page_assets_unreadable", reason=str(error))
            return False
        self._names.update(self.manifest.files)
        return True

    async def _may_exist(self, name: str) -> bool:
        """Wait for the next reading of the names, which all requests share, and return whether the name is known.

        Without names in Redis each asset may exist. Raises UnavailableError.
        """
        if self._waiting >= _MAX_WAITING:
            raise UnavailableError("Too many assets are requested now")
        self._waiting += 1
        try:
            is_listed = await self._listing.load(PAGE_ASSET_NAMES)
        finally:
            self._waiting -= 1
        if not is_listed:
            raise UnavailableError("The asset cannot be looked up now")
        return name in self._names or not self._are_listed

    async def _list_names(self, key: str) -> bool:
        """Read the names, at most once a second; return whether Redis has answered."""
        await asyncio.sleep(self._listed_at + _REFRESH_SECONDS - time.monotonic())
        self._listed_at = time.monotonic()
        try:
            listed: Any = await self._client.zrevrange(key, 0, _MAX_NAMES - 1)
        except (RedisError, OSError):
            return False
        self._are_listed = bool(listed)
        self._names.update(name.decode() for name in listed)
        return True

    async def _load_once(self, name: str) -> PageAsset | None:
        """Load an asset for all requests that wait for it. Raises UnavailableError."""
        if not self._loads.may_load(name):
            raise UnavailableError("Too many assets are being loaded now")
        return await self._loads.load(name)

    async def _load(self, name: str) -> PageAsset | None:
        stored: Any = await self._copies.read(name)
        source = "disk"
        if stored is None:
            try:
                stored, source = await self._client.get(page_asset_key(name)), "redis"
            except (RedisError, OSError) as error:
                self._counts["failed"] += 1
                raise UnavailableError("The asset cannot be loaded now") from error
        if stored is None:
            self._counts["unknown"] += 1
            self._names.discard(name)
            return None
        try:
            asset = decode_asset(stored)
        except PageAssetError as error:
            _LOG.error("page_asset_unreadable", asset=name, reason=str(error))
            self._counts["failed"] += 1
            self._names.discard(name)
            return None
        self._counts[source] += 1
        self._put(name, asset)
        if source == "redis":
            await self._copies.write(name, stored)
        return asset

    def _put(self, name: str, asset: PageAsset) -> None:
        self._cached[name] = asset
        self._bytes += asset.size
        while self._bytes > _MAX_BYTES and len(self._cached) > 1:
            _, evicted = self._cached.popitem(last=False)
            self._bytes -= evicted.size
