"""The file that a snapshot is copied to: a header that can be trusted by itself, then the bytes as Redis has them."""

import hashlib
import struct
import zlib
from dataclasses import dataclass

from common.wire.snapshot import SnapshotFormatError

#: Raise the last byte with every change of this layout.
_MAGIC = b"OBKEDGE\x01"
_FIELDS = struct.Struct(">8sQQ32s")
_CHECK = struct.Struct(">I")
HEADER_BYTES = _FIELDS.size + _CHECK.size


@dataclass(frozen=True, slots=True)
class FileHeader:
    """What can be known of a copy without reading all of it."""

    revision: int
    body_bytes: int
    digest: bytes


def pack_file(project_id: str, revision: int, body: bytes) -> bytes:
    """Give the content of the file for a stored snapshot."""
    fields = _FIELDS.pack(_MAGIC, revision, len(body), _digest(project_id, revision, body))
    return fields + _CHECK.pack(zlib.crc32(fields)) + body


def read_header(start: bytes, file_bytes: int) -> FileHeader:
    """Read the header from the start of a file of that size. Raises SnapshotFormatError."""
    if len(start) < HEADER_BYTES:
        raise SnapshotFormatError("the file is too short")
    fields = start[: _FIELDS.size]
    magic, revision, body_bytes, digest = _FIELDS.unpack(fields)
    if magic != _MAGIC:
        raise SnapshotFormatError("the file is not a snapshot of this format")
    # A damaged revision that looks newer than it is would keep every right one out.
    if _CHECK.unpack_from(start, _FIELDS.size) != (zlib.crc32(fields),):
        raise SnapshotFormatError("the header is damaged")
    if file_bytes != HEADER_BYTES + body_bytes:
        raise SnapshotFormatError("the file is not as long as it was")
    return FileHeader(revision, body_bytes, digest)


def unpack_file(project_id: str, content: bytes) -> bytes:
    """Give the stored snapshot that a project's file holds. Raises SnapshotFormatError."""
    header = read_header(content[:HEADER_BYTES], len(content))
    body = content[HEADER_BYTES:]
    # The project is part of the digest: a file under another project's name does not pass.
    if _digest(project_id, header.revision, body) != header.digest:
        raise SnapshotFormatError("the checksum is wrong")
    return body


def _digest(project_id: str, revision: int, body: bytes) -> bytes:
    return hashlib.sha256(b"%s %d " % (project_id.encode(), revision) + body).digest()
