"""WebM: the elements of EBML (RFC 8794) that name the codecs, the size and the duration. No frame is decoded."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from management_api.media.facts import KeptFile, MediaFacts, MediaKind, ReadMedia, Role, UnreadableMediaError

MAX_ELEMENTS = 50_000
MAX_SIDE = 8192
_EBML, _DOC_TYPE, _SEGMENT = 0x1A45DFA3, 0x4282, 0x18538067
_INFO, _TIMESTAMP_SCALE, _DURATION = 0x1549A966, 0x2AD7B1, 0x4489
_TRACKS, _ENTRY, _TYPE, _CODEC = 0x1654AE6B, 0xAE, 0x83, 0x86
_VIDEO, _PIXEL_WIDTH, _PIXEL_HEIGHT = 0xE0, 0xB0, 0xBA
_VIDEO_CODECS = frozenset({b"V_VP8", b"V_VP9", b"V_AV1"})
_AUDIO_CODECS = frozenset({b"A_OPUS", b"A_VORBIS"})
_IS_VIDEO, _IS_AUDIO = 1, 2
_DEFAULT_SCALE = 1_000_000
_MAX_NUMBER_BYTES, _MAX_ID_BYTES = 8, 4
_FLOAT_BYTES = {4: ">f", 8: ">d"}


class _Element(NamedTuple):
    id: int
    content: int
    end: int


def preload() -> None:
    """Nothing is imported later."""


def read(data: bytes, _content_type: str) -> ReadMedia:
    """Return the video as it is. Raises UnreadableMediaError."""
    try:
        return _read(data)
    except (struct.error, IndexError, KeyError, OverflowError, ZeroDivisionError) as error:
        raise UnreadableMediaError("is a damaged WebM file") from error


def _read(data: bytes) -> ReadMedia:
    if not data.startswith(_EBML.to_bytes(_MAX_ID_BYTES, "big")):
        raise UnreadableMediaError("is not a WebM file")
    top = list(_elements(data, 0, len(data)))
    if _first(data, top[0], _DOC_TYPE) != b"webm":
        raise UnreadableMediaError("is not a WebM file")
    segment = next((element for element in top if element.id == _SEGMENT), None)
    if segment is None:
        raise UnreadableMediaError("is a damaged WebM file: it has no segment")
    parts = {element.id: element for element in _elements(data, segment.content, segment.end)}
    if _INFO not in parts or _TRACKS not in parts:
        raise UnreadableMediaError("is a damaged WebM file: it has no tracks, or no information")
    width, height = _size_of_video(data, parts[_TRACKS])
    seconds = _seconds(data, parts[_INFO])
    kept = KeptFile(role=Role.MAIN, content_type="video/webm", size=len(data), width=width, height=height)
    facts = MediaFacts(
        kind=MediaKind.VIDEO, files=[kept], width=width, height=height, duration_seconds=round(seconds, 3)
    )
    return ReadMedia(facts, [data])


def _size_of_video(data: bytes, tracks: _Element) -> tuple[int, int]:
    sizes = []
    for entry in _elements(data, tracks.content, tracks.end):
        if entry.id != _ENTRY:
            continue
        kind, codec = _number(_first(data, entry, _TYPE)), _first(data, entry, _CODEC)
        accepted = {_IS_VIDEO: _VIDEO_CODECS, _IS_AUDIO: _AUDIO_CODECS}.get(kind, frozenset({codec}))
        if codec not in accepted:
            raise UnreadableMediaError("has a codec that is not accepted; VP8, VP9, AV1, Opus and Vorbis are")
        if kind == _IS_VIDEO:
            video = next(part for part in _elements(data, entry.content, entry.end) if part.id == _VIDEO)
            sizes.append(tuple(_number(_first(data, video, side)) for side in (_PIXEL_WIDTH, _PIXEL_HEIGHT)))
    if len(sizes) != 1 or not all(0 < side <= MAX_SIDE for side in sizes[0]):
        raise UnreadableMediaError(f"must have one video track with sides of 1 to {MAX_SIDE} pixels")
    width, height = sizes[0]
    return width, height


def _seconds(data: bytes, info: _Element) -> float:
    scale = _first(data, info, _TIMESTAMP_SCALE)
    duration = _first(data, info, _DURATION)
    if len(duration) not in _FLOAT_BYTES:
        raise UnreadableMediaError("is a damaged WebM file: it has no duration")
    (value,) = struct.unpack(_FLOAT_BYTES[len(duration)], duration)
    seconds: float = value * (_number(scale) or _DEFAULT_SCALE) / 10**9
    if not 0 < seconds < 24 * 3600:
        raise UnreadableMediaError("is a damaged WebM file: it has no duration")
    return seconds


def _elements(data: bytes, start: int, end: int) -> Iterator[_Element]:
    """Yield the elements between two places. A segment of unknown size reaches to the end."""
    for _ in range(MAX_ELEMENTS):
        if start >= end:
            return
        number, place = _variable(data, start, _MAX_ID_BYTES, keep_marker=True)
        size, content = _variable(data, place, _MAX_NUMBER_BYTES, keep_marker=False)
        is_unknown = size == (1 << (7 * (content - place))) - 1
        if is_unknown and number != _SEGMENT:
            raise UnreadableMediaError("is a WebM file of a live stream; export it as a plain one")
        stop = end if is_unknown else content + size
        if stop > end:
            raise UnreadableMediaError("is a damaged WebM file: an element is larger than the file")
        yield _Element(number, content, stop)
        start = stop
    raise UnreadableMediaError("is a damaged WebM file: it has too many elements")


def _variable(data: bytes, place: int, longest: int, *, keep_marker: bool) -> tuple[int, int]:
    """Return a number of variable length, and the place behind it (RFC 8794, section 4)."""
    length = 9 - data[place].bit_length()
    if length > longest:
        raise UnreadableMediaError("is a damaged WebM file")
    value = int.from_bytes(data[place : place + length], "big")
    return value if keep_marker else value & ((1 << (7 * length)) - 1), place + length


def _first(data: bytes, parent: _Element, wanted: int) -> bytes:
    for element in _elements(data, parent.content, parent.end):
        if element.id == wanted:
            return data[element.content : element.end]
    return b""


def _number(content: bytes) -> int:
    return int.from_bytes(content[:_MAX_NUMBER_BYTES], "big")
