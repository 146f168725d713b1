"""Frames: how the records of one request lie in a spool file, so that whatever is wrong with them shows."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from common.errors import OnboardingError

#: Raise the last byte with every change of this layout.
_MAGIC = b"OBS\x01"
#: Magic, length of the payload, records in it, Unix milliseconds, checksum of the payload.
_FIELDS = struct.Struct(">4sIIQI")
_CHECK = struct.Struct(">I")
_HEADER_BYTES = _FIELDS.size + _CHECK.size

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[str, tuple[bytes, ...]])


class FrameError(OnboardingError):
    """The payload of a frame is not what this release writes, though its checksum is right."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole frame, from `start` to `end` of what was read."""

    start: int
    end: int
    records: int
    spooled_at_ms: int
    payload: bytes

    def unpack(self) -> tuple[str, tuple[bytes, ...]]:
        """Give the project and its records. Raises FrameError."""
        try:
            return _DECODER.decode(self.payload)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FrameError(str(error)) from error


@dataclass(frozen=True, slots=True)
class CorruptRange:
    """Bytes that are no whole frame. A torn one is the end of a file whose writer did not live to finish it."""

    start: int
    end: int
    is_torn: bool


def pack_frame(project_id: str, bodies: Sequence[bytes], spooled_at_ms: int) -> bytes:
    """Give the frame of these records of one project."""
    payload = _ENCODER.encode((project_id, bodies))
    fields = _FIELDS.pack(_MAGIC, len(payload), len(bodies), spooled_at_ms, zlib.crc32(payload))
    return b"%b%b%b" % (fields, _CHECK.pack(zlib.crc32(fields)), payload)


def frames_in(content: bytes) -> Iterator[Frame | CorruptRange]:
    """Read a file's content from a place where a frame begins; what is damaged never hides what comes behind it."""
    at = 0
    while at < len(content):
        found = _frame_at(content, at)
        yield found
        at = found.end


def _frame_at(content: bytes, start: int) -> Frame | CorruptRange:
    fields = _fields_at(content, start)
    if fields is None:
        return _gap_at(content, start)
    _, length, records, spooled_at_ms, checksum = fields
    begin = start + _HEADER_BYTES
    end = begin + length
    if end > len(content):
        return CorruptRange(start, len(content), is_torn=True)
    payload = content[begin:end]
    if zlib.crc32(payload) != checksum:
        return CorruptRange(start, end, is_torn=False)
    return Frame(start, end, records, spooled_at_ms, payload)


def _fields_at(content: bytes, start: int) -> tuple[bytes, int, int, int, int] | None:
    if not content.startswith(_MAGIC, start) or start + _HEADER_BYTES > len(content):
        return None
    # A damaged length must not lead anywhere.
    check = zlib.crc32(content[start : start + _FIELDS.size])
    if _CHECK.unpack_from(content, start + _FIELDS.size) != (check,):
        return None
    magic, length, records, spooled_at_ms, checksum = _FIELDS.unpack_from(content, start)
    return magic, length, records, spooled_at_ms, checksum


def _gap_at(content: bytes, start: int) -> CorruptRange:
    """Find where the next frame begins."""
    end = start
    while (end := content.find(_MAGIC, end + 1)) >= 0:
        if _fields_at(content, end) is not None:
            return CorruptRange(start, end, is_torn=False)
    rest = content[start:]
    # A file that was made longer before its bytes arrived ends in zeros.
    return CorruptRange(start, len(content), is_torn=len(rest) < _HEADER_BYTES or not rest.strip(b"\0"))
