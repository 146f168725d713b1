"""The folder of snapshot copies that the workers of a machine share: whole files only, never an older over a newer.

All of it blocks, and belongs in threads. Every method may raise OSError.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import structlog

from common.ids import IdPrefix, is_id
from common.wire.snapshot import SnapshotFormatError
from edge_api.snapshots.folder_lock import FolderLock
from edge_api.snapshots.snapshot_file import HEADER_BYTES, FileHeader, pack_file, read_header, unpack_file

_LOG = structlog.stdlib.get_logger(__name__)

_SUFFIX = ".snapshot"
#: There is one draft at a time, because whoever writes holds the lock; what is found under this name is left over.
_DRAFT = "draft"
_CONTACT = "last-contact"
_OWN_NAMES = frozenset({"lock", _DRAFT, _CONTACT})
#: So full is the folder after it was too full: room for a while.
_FULL_AGAIN_AFTER = 0.9
_READING = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW


class SnapshotFolder:
    """A file's modification time is that of its last use: the least recently used go when the folder is full."""

    def __init__(self, path: Path, limit_bytes: int) -> None:
        self._path = path
        self._limit_bytes = limit_bytes
        self._lock = FolderLock(path)

    def clear_up(self) -> None:
        """Make the folder if there is none, remove what is left over or foreign under our names, and count its bytes.

        Names that cannot be ours are left alone: the folder may have been named by mistake.
        """
        with self._lock.held():
            (self._path / _DRAFT).unlink(missing_ok=True)
            with os.scandir(self._path) as entries:
                for entry in entries:
                    is_copy = entry.name.endswith(_SUFFIX)
                    if is_copy and not is_id(IdPrefix.PROJECT, entry.name.removesuffix(_SUFFIX)):
                        _LOG.warning("foreign_snapshot_removed", file=entry.name)
                        _unlink(Path(entry.path))
                    elif not is_copy and entry.name not in _OWN_NAMES:
                        _LOG.warning("foreign_file_in_snapshot_folder", file=entry.name)
            self._lock.total = 0
            self._make_room()

    def project_ids(self) -> list[str]:
        """List the projects that there are copies of."""
        with os.scandir(self._path) as entries:
            return [entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX)]

    def is_empty(self) -> bool:
        """Tell whether there is no copy at all."""
        with os.scandir(self._path) as entries:
            return not any(entry.name.endswith(_SUFFIX) for entry in entries)

    def put(self, project_id: str, revision: int, body: bytes) -> None:
        """Write a stored snapshot unless there is a newer one. Without success, no older one is left either."""
        path = self._file(project_id)
        content = pack_file(project_id, revision, body)
        digest = read_header(content[:HEADER_BYTES], len(content)).digest
        with self._lock.held():
            there = _header_at(path)
            if there is not None and (there.revision > revision or there.digest == digest):
                return
            old_bytes, used_at = _size_and_age(path)
            try:
                if len(content) <= self._limit_bytes:
                    self._replace(path, content, used_at)
                    old_bytes -= len(content)
                else:
                    _unlink(path)
            except OSError:
                _unlink(path)
                _unlink(self._path / _DRAFT)
                raise
            finally:
                self._lock.total -= old_bytes
            if self._lock.total > self._limit_bytes:
                self._make_room()

    def remove(self, project_id: str) -> None:
        """Remove a project's copy, whatever it is."""
        path = self._file(project_id)
        if not os.path.lexists(path):
            return
        with self._lock.held():
            removed_bytes, _ = _size_and_age(path)
            _unlink(path)
            self._lock.total -= removed_bytes

    def read(self, project_id: str) -> bytes | None:
        """Give the stored snapshot of a project, and count that as use. Raises SnapshotFormatError."""
        path = self._file(project_id)
        try:
            descriptor = os.open(path, _READING)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            content = file.read(self._limit_bytes + 1)
            with suppress(OSError):
                os.utime(descriptor)
        return unpack_file(project_id, content)

    def revisions(self, project_ids: Iterable[str]) -> Mapping[str, int]:
        """Give the revisions of those that there are sound copies of; damaged ones are removed."""
        found: dict[str, int] = {}
        for project_id in project_ids:
            path = self._file(project_id)
            header = _header_at(path)
            if header is not None:
                found[project_id] = header.revision
            elif os.path.lexists(path):
                _LOG.error("snapshot_copy_damaged", project=project_id)
                self.remove(project_id)
        return found

    def touch(self, project_ids: Iterable[str]) -> None:
        """Count as used what is there of these."""
        for project_id in project_ids:
            with suppress(FileNotFoundError):
                os.utime(self._file(project_id))

    def sync(self) -> None:
        """Make the names of the files written so far outlast a crash of the machine."""
        descriptor = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def note_contact(self, at: float) -> None:
        """Note that at this Unix time all copies were as new as what Redis had."""
        known = self.last_contact()
        if known is not None and known >= at:
            return
        path = self._path / _CONTACT
        os.close(os.open(path, _WRITING, 0o600))
        os.utime(path, (at, at))

    def last_contact(self) -> float | None:
        """Give the newest time that was noted, by whichever worker."""
        try:
            return (self._path / _CONTACT).stat().st_mtime
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Let the folder go."""
        self._lock.close()

    def _file(self, project_id: str) -> Path:
        # What comes from outside becomes a name only if it is one of our ids, which need no escaping.
        if not is_id(IdPrefix.PROJECT, project_id):
            raise FileNotFoundError(project_id)
        return self._path / f"{project_id}{_SUFFIX}"

    def _replace(self, path: Path, content: bytes, used_at: float | None) -> None:
        draft = self._path / _DRAFT
        descriptor = os.open(draft, _WRITING, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if used_at is not None:
                # To follow a change is no use.
                os.utime(descriptor, (used_at, used_at))
            os.fsync(descriptor)
        draft.replace(path)

    def _make_room(self) -> None:
        copies = []
        with os.scandir(self._path) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIX):
                    status = entry.stat(follow_symlinks=False)
                    copies.append((status.st_mtime, status.st_size, entry.path))
        total = sum(size for _, size, _ in copies)
        if total > self._limit_bytes:
            for _, size, path in sorted(copies):
                if total <= self._limit_bytes * _FULL_AGAIN_AFTER:
                    break
                _unlink(Path(path))
                total -= size
        self._lock.total = total


def _header_at(path: Path) -> FileHeader | None:
    try:
        descriptor = os.open(path, _READING)
    except OSError:
        return None
    try:
        return read_header(os.read(descriptor, HEADER_BYTES), os.fstat(descriptor).st_size)
    except (SnapshotFormatError, OSError):
        return None
    finally:
        os.close(descriptor)


def _size_and_age(path: Path) -> tuple[int, float | None]:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return 0, None
    return status.st_size, status.st_mtime


def _unlink(path: Path) -> None:
    # A folder under one of our names is nobody's work but a person's.
    with suppress(IsADirectoryError, PermissionError):
        path.unlink(missing_ok=True)
