"""The store of media files: a folder (`file:///`), or a bucket (`s3://`, `gs://`, `az://`) through obstore.

An object is named by its project and the SHA-256 of its content, so it never changes and copies are never outdated.
Credentials of buckets come from the usual variables of the environment, such as AWS_ACCESS_KEY_ID.
"""

import os
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.exceptions import NotFoundError as NoSuchObjectError
from obstore.store import ObjectStore, from_url

from common.errors import OnboardingError, SettingsError
from common.media_names import DIGEST_DIGITS, is_object_name

if TYPE_CHECKING:
    from obstore import GetResult

_TIMEOUTS: Any = {"connect_timeout": "3s", "timeout": "30s"}
#: Of a call in all. A request of a client waits for it.
_RETRIES: Any = {"max_retries": 2, "retry_timeout": timedelta(seconds=20)}
_PORTION_BYTES = 256 * 1024
_PROBE_PREFIX = "probes"


class MediaStoreError(OnboardingError):
    """The store is unavailable, or refuses the operation."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object that is open for reading: its size in bytes, and its content in portions."""

    size: int
    content: AsyncIterator[bytes]


class MediaStore:
    """The objects of all projects. All methods raise MediaStoreError."""

    def __init__(self, url: str) -> None:
        """Connect to the store; a folder is created. Raises SettingsError."""
        parts = urlsplit(url)
        self._folder = Path(unquote(parts.path)) if parts.scheme == "file" else None
        try:
            if self._folder is not None:
                self._store: ObjectStore = from_url(url, mkdir=True)
            else:
                self._store = from_url(url, client_options=_TIMEOUTS | _plain_http(parts.scheme), retry_config=_RETRIES)
        except (BaseError, OSError, ValueError) as error:
            raise SettingsError(f"ONBOARDING_MEDIA_STORE: {_first_line(error)}") from error

    def put(self, project_id: str, name: str, content: Iterable[bytes], size: int) -> None:
        """Store an object, unless it is there already. It is on the disk of a folder when this returns."""
        path = f"{project_id}/{name}"
        with _translated():
            if self._size(path) == size:
                return
            obstore.put(self._store, path, iter(content))
        if self._folder is not None:
            _sync(self._folder / path)

    def names(self) -> Iterator[list[tuple[str, str, datetime]]]:
        """Yield pages of all objects: the id of the project, the name, and when it was stored."""
        with _translated():
            for page in obstore.list(self._store, chunk_size=1000):
                found = [(*entry["path"].rpartition("/")[::2], entry["last_modified"]) for entry in page]
                yield [entry for entry in found if is_object_name(entry[1])]

    def delete(self, project_id: str, names: Iterable[str]) -> None:
        """Delete objects of a project; one that is not there is deleted already."""
        with _translated():
            for name in names:
                try:
                    obstore.delete(self._store, f"{project_id}/{name}")
                except (NoSuchObjectError, FileNotFoundError):
                    continue

    def read(self, project_id: str, name: str) -> bytes | None:
        """Return a complete object; None when there is none."""
        with _translated():
            try:
                return bytes(obstore.get(self._store, f"{project_id}/{name}").bytes())
            except (NoSuchObjectError, FileNotFoundError):
                return None

    async def open(self, project_id: str, name: str, start: int = 0, end: int | None = None) -> StoredObject | None:
        """Open an object, or the bytes from `start` to before `end`; None when there is none."""
        options: Any = {} if end is None else {"range": (start, end)}
        with _translated():
            try:
                found = await obstore.get_async(self._store, f"{project_id}/{name}", options=options)
            except (NoSuchObjectError, FileNotFoundError):
                return None
        return StoredObject(found.meta["size"], _portions(found))

    def probe(self) -> None:
        """Write, read and delete an object."""
        name = secrets.token_hex(DIGEST_DIGITS // 2) + ".json"
        self.put(_PROBE_PREFIX, name, [b"{}"], 2)
        found = self.read(_PROBE_PREFIX, name)
        self.delete(_PROBE_PREFIX, [name])
        if found != b"{}":
            raise MediaStoreError("the store does not return what was written")

    def _size(self, path: str) -> int | None:
        try:
            return int(obstore.head(self._store, path)["size"])
        except (NoSuchObjectError, FileNotFoundError):
            return None


async def _portions(found: "GetResult") -> AsyncIterator[bytes]:
    with _translated():
        async for portion in found.stream(min_chunk_size=_PORTION_BYTES):
            yield bytes(portion)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (BaseError, OSError) as error:
        raise MediaStoreError(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    """Return the first line of an error, without the dump of its causes."""
    return str(error).strip().partition("\n")[0][:200]


def _plain_http(scheme: str) -> dict[str, Any]:
    """Return the option for an endpoint inside of the own network, such as http://minio:9000."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")
    return {"allow_http": True} if scheme == "s3" and endpoint.startswith("http://") else {}


def _sync(path: Path) -> None:
    """Wait until a file and its entry are on the disk."""
    for target in (path, path.parent):
        descriptor = os.open(target, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
