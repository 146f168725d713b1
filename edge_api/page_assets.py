"""The assets of hosted pages in one worker: in memory, loaded once from disk or Redis for all requests that wait.

A name has a hash of the content, so a copy is never outdated. The manifest, which names the assets in use, is read
again every few seconds; its files are fetched at once, so that a restart without Redis serves them.
"""

import asyncio
import hashlib
import os
import time
from collections import OrderedDict
from contextlib import suppress
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
from common.wire.redis_keys import PAGE_ASSETS, page_asset_key
from edge_api.snapshots.negative_cache import NegativeCache

_LOG = structlog.stdlib.get_logger(__name__)

_ERROR_SCRIPT = ERROR_SCRIPT.encode()
#: An asset that every edge has.
ERROR_SCRIPT_NAME = f"error.{hashlib.sha256(_ERROR_SCRIPT).hexdigest()[:8]}.js"

_REFRESH_SECONDS = 1.0
_OPEN_SECONDS = 5.0
_MAX_BYTES = 16 * 1024 * 1024
_MAX_LOADS = 16
_UNKNOWN_SECONDS = 2.0
_MAX_UNKNOWN = 1_000
_MAX_FILES = 500
_FOLDER = "page-assets"
_MANIFEST_FILE = "manifest.json"
_DIGEST_BYTES = 32
_ERROR_ASSET = PageAsset(_ERROR_SCRIPT, b"", b"")


class PageAssets:
    """A bounded map from names to assets. `manifest` is None while the pages are not built yet.

    Without a folder no copies are kept on disk.
    """

    def __init__(self, client: Redis, folder: Path | None) -> None:
        self._client = client
        self._folder = None if folder is None else folder / _FOLDER
        self.manifest: AssetManifest | None = None
        self._stored_manifest = b""
        self._cached: OrderedDict[str, PageAsset] = OrderedDict()
        self._bytes = 0
        self._unknown = NegativeCache(_UNKNOWN_SECONDS, time.monotonic, _MAX_UNKNOWN)
        self._loads: dict[str, asyncio.Task[PageAsset | None]] = {}
        self._counts = {"redis": 0, "disk": 0, "unknown": 0, "failed": 0}

    async def open(self) -> None:
        """Read the manifest of the disk. A disk that hangs does not stop the start: Redis has the manifest, too."""
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                stored = await asyncio.to_thread(self._read_file, _MANIFEST_FILE)
        except TimeoutError:
            _LOG.warning("page_assets_not_read", folder=str(self._folder))
            return
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
        if not is_asset_name(name) or name in self._unknown:
            return None
        load = self._loads.get(name)
        if load is None:
            if len(self._loads) >= _MAX_LOADS:
                raise UnavailableError("Too many assets are being loaded now")
            load = self._loads[name] = asyncio.create_task(self._load(name))
            load.add_done_callback(lambda done: self._finish_load(name, done))
        # The cancellation of one request must not cancel the load for the others.
        return await asyncio.shield(load)

    def collect(self, samples: SampleSet) -> None:
        """Add the metrics."""
        samples.add(catalogue.PAGE_ASSETS_MISSING, self.manifest is None)
        samples.add(catalogue.PAGE_ASSET_BYTES, self._bytes)
        for source, count in self._counts.items():
            samples.add(catalogue.PAGE_ASSET_LOADS, count, source)

    async def _refresh(self) -> None:
        stored: Any = await self._client.get(PAGE_ASSETS)
        if stored is not None and stored != self._stored_manifest and self._use_manifest(stored):
            await asyncio.to_thread(self._write_file, _MANIFEST_FILE, stored)
        if self.manifest is not None:
            for name in self.manifest.files:
                await self.get(name)

    def _use_manifest(self, stored: bytes) -> bool:
        self._stored_manifest = stored
        try:
            self.manifest = decode_manifest(stored)
        except PageAssetError as error:
            _LOG.error("page_assets_unreadable", reason=str(error))
            return False
        return True

    def _finish_load(self, name: str, load: asyncio.Task[PageAsset | None]) -> None:
        del self._loads[name]
        if not load.cancelled():
            # The waiting requests got the exception; asyncio would log one that was never retrieved.
            load.exception()

    async def _load(self, name: str) -> PageAsset | None:
        stored: Any = await asyncio.to_thread(self._read_file, name)
        source = "disk"
        if stored is None:
            try:
                stored, source = await self._client.get(page_asset_key(name)), "redis"
            except (RedisError, OSError) as error:
                self._counts["failed"] += 1
                raise UnavailableError("The asset cannot be loaded now") from error
        if stored is None:
            self._counts["unknown"] += 1
            self._unknown.add(name)
            return None
        try:
            asset = decode_asset(stored)
        except PageAssetError as error:
            _LOG.error("page_asset_unreadable", asset=name, reason=str(error))
            self._counts["failed"] += 1
            self._unknown.add(name)
            return None
        self._counts[source] += 1
        self._put(name, asset)
        if source == "redis":
            await asyncio.to_thread(self._write_file, name, stored)
        return asset

    def _put(self, name: str, asset: PageAsset) -> None:
        self._cached[name] = asset
        self._bytes += asset.size
        while self._bytes > _MAX_BYTES and len(self._cached) > 1:
            _, evicted = self._cached.popitem(last=False)
            self._bytes -= evicted.size

    def _read_file(self, name: str) -> bytes | None:
        """Return the content of a file; None when there is no sound one."""
        if self._folder is None:
            return None
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return None
        digest, stored = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        return stored if hashlib.sha256(stored).digest() == digest else None

    def _write_file(self, name: str, stored: bytes) -> None:
        """Replace a file in one step. A disk that cannot be written costs the copy only."""
        if self._folder is None:
            return
        unfinished = self._folder / f".{os.getpid()}.{name}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished.write_bytes(hashlib.sha256(stored).digest() + stored)
            unfinished.replace(self._folder / name)
            self._remove_old_files()
        except OSError as error:
            _LOG.warning("page_asset_not_written", asset=name, reason=str(error))
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def _remove_old_files(self) -> None:
        if self._folder is None:
            return
        files = sorted(self._folder.iterdir(), key=lambda file: file.stat().st_mtime)
        for file in files[:-_MAX_FILES]:
            file.unlink(missing_ok=True)
