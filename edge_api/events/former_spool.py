"""Reads the spools of release 0.1.0, which were folders of segments, so that an upgrade loses no event.

A segment is a sequence of frames: magic, length of the payload, records in it, Unix milliseconds, checksum of the
payload, checksum of these fields, payload. The payload is the one that a row of a spool file has.
"""

import contextlib
import fcntl
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import structlog

_LOG = structlog.stdlib.get_logger(__name__)

_LOCK = "lock"
_FOLDERS = "spool-*"
_SEGMENTS = "*.segment"

_MAGIC = b"OBS\x01"
_FIELDS = struct.Struct(">4sIIQI")
_CHECK = struct.Struct(">I")
_HEADER_BYTES = _FIELDS.size + _CHECK.size


@dataclass(slots=True)
class FormerSegment:
    """The readable frames of a file, in order."""

    path: Path
    payloads: list[bytes] = field(default_factory=list)
    #: The records in each payload.
    counts: list[int] = field(default_factory=list)
    oldest_ms: int = 0
    is_damaged: bool = False

    def remove(self, damaged_folder: Path) -> None:
        """Delete the file; a damaged one is set aside. Raises OSError."""
        if self.is_damaged:
            damaged_folder.mkdir(mode=0o700, exist_ok=True)
            self.path.rename(damaged_folder / f"{self.path.parent.name}-{self.path.name}")
        else:
            self.path.unlink()


def former_segments(folder: Path) -> Iterator[FormerSegment]:
    """Read the segments of all workers that have ended, the oldest of each first; take each one before the next.

    A segment that cannot be read now stays for the next call.
    """
    for spool in sorted(folder.glob(_FOLDERS)):
        with _locked(spool) as is_ours:
            if not is_ours:
                continue
            for path in sorted(spool.glob(_SEGMENTS)):
                try:
                    content = path.read_bytes()
                except OSError as error:
                    _LOG.warning("spool_not_adopted", file=path.name, reason=type(error).__name__)
                    continue
                yield _segment(path, content)


@contextlib.contextmanager
def _locked(spool: Path) -> Iterator[bool]:
    """Hold the lock of a folder if its worker has ended, and delete the folder afterwards if it is empty."""
    try:
        lock = os.open(spool / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as error:
        _LOG.warning("spool_not_adopted", file=spool.name, reason=type(error).__name__)
        yield False
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
        if not any(spool.glob(_SEGMENTS)):
            with contextlib.suppress(OSError):
                (spool / _LOCK).unlink(missing_ok=True)
                spool.rmdir()
    finally:
        os.close(lock)


def _segment(path: Path, content: bytes) -> FormerSegment:
    segment = FormerSegment(path)
    at = 0
    while at < len(content):
        frame = _frame_at(content, at)
        if frame is not None:
            at, count, spooled_at_ms, payload = frame
            segment.oldest_ms = segment.oldest_ms or spooled_at_ms
            segment.payloads.append(payload)
            segment.counts.append(count)
            continue
        end = _next_frame(content, at)
        if end < len(content) or not _is_torn(content, at):
            segment.is_damaged = True
        at = end
    return segment


def _is_torn(content: bytes, start: int) -> bool:
    """Return whether the rest of a file is an incomplete frame of a killed worker, or zeros."""
    fields = _fields_at(content, start)
    if fields is not None:
        return start + _HEADER_BYTES + fields[0] > len(content)
    return len(content) - start < _HEADER_BYTES or not content[start:].strip(b"\0")


def _frame_at(content: bytes, start: int) -> tuple[int, int, int, bytes] | None:
    """Return the end, the number of records, the time and the payload of a complete frame."""
    fields = _fields_at(content, start)
    if fields is None:
        return None
    length, count, spooled_at_ms, checksum = fields
    end = start + _HEADER_BYTES + length
    payload = content[start + _HEADER_BYTES : end]
    if end > len(content) or zlib.crc32(payload) != checksum:
        return None
    return end, count, spooled_at_ms, payload


def _fields_at(content: bytes, start: int) -> tuple[int, int, int, int] | None:
    if not content.startswith(_MAGIC, start) or start + _HEADER_BYTES > len(content):
        return None
    check = zlib.crc32(content[start : start + _FIELDS.size])
    if _CHECK.unpack_from(content, start + _FIELDS.size) != (check,):
        return None
    _, length, count, spooled_at_ms, checksum = _FIELDS.unpack_from(content, start)
    return length, count, spooled_at_ms, checksum


def _next_frame(content: bytes, start: int) -> int:
    """Return where the next header begins, or the end."""
    at = start
    while (at := content.find(_MAGIC, at + 1)) >= 0:
        if _fields_at(content, at) is not None:
            return at
    return len(content)
