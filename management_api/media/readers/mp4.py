"""MP4: the boxes of ISO/IEC 14496-12 are checked, and `moov` moves before `mdat`, so that playback begins at once.

No frame is decoded. The media data stay as they are.
"""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from management_api.media.facts import KeptFile, MediaFacts, MediaKind, ReadMedia, Role, UnreadableMediaError

MAX_BOXES = 20_000
MAX_SIDE = 8192
_CONTAINERS = frozenset({b"moov", b"trak", b"mdia", b"minf", b"stbl"})
_VIDEO_CODECS = frozenset({b"avc1", b"avc3", b"hvc1", b"hev1"})
_AUDIO_CODECS = frozenset({b"mp4a"})
_BRANDS = frozenset({b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"dash"})
_QUICKTIME = b"qt  "
_HEADER_BYTES, _LONG_HEADER_BYTES = 8, 16
_MAX_32_BITS = 0xFFFFFFFF


class _Box(NamedTuple):
    """A box: its type, and the places of its header, content and end in the file."""

    kind: bytes
    start: int
    content: int
    end: int


class _Track(NamedTuple):
    handler: bytes
    codec: bytes
    width: int
    height: int


def preload() -> None:
    """Nothing is imported later."""


def read(data: bytes, _content_type: str) -> ReadMedia:
    """Return the video with `moov` first. Raises UnreadableMediaError."""
    try:
        return _read(data)
    except (struct.error, IndexError, StopIteration) as error:
        raise UnreadableMediaError("is a damaged MP4 file") from error


def _read(data: bytes) -> ReadMedia:
    if data[4:8] != b"ftyp":
        raise UnreadableMediaError("is not an MP4 file")
    boxes = list(_boxes(data, 0, len(data)))
    kinds = [box.kind for box in boxes]
    if not _has_known_brand(data, boxes[0]):
        raise UnreadableMediaError("is not an MP4 file")
    if b"moof" in kinds:
        raise UnreadableMediaError("is a fragmented MP4 file; export it as a plain one")
    if kinds.count(b"moov") != 1 or b"mdat" not in kinds:
        raise UnreadableMediaError("is a damaged MP4 file: it must have one moov and mdat")
    moov = boxes[kinds.index(b"moov")]
    inner = _tree(data, moov)
    tracks = [_track(data, box) for box in inner if box.kind == b"trak"]
    video = _only_video(tracks)
    timescale, duration = _duration(data, next(box for box in inner if box.kind == b"mvhd"))
    content = data if kinds.index(b"moov") < kinds.index(b"mdat") else _with_moov_first(data, boxes, moov, inner)
    _check_offsets(content)
    kept = KeptFile(role=Role.MAIN, content_type="video/mp4", size=len(content), width=video.width, height=video.height)
    facts = MediaFacts(
        kind=MediaKind.VIDEO,
        files=[kept],
        width=video.width,
        height=video.height,
        duration_seconds=round(duration / timescale, 3),
    )
    return ReadMedia(facts, [content])


def _boxes(data: bytes, start: int, end: int) -> Iterator[_Box]:
    """Yield the boxes between two places. Raises UnreadableMediaError for a box that ends behind its parent."""
    while start < end:
        size, kind = struct.unpack_from(">I4s", data, start)
        header = _HEADER_BYTES
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, start + _HEADER_BYTES)
            header = _LONG_HEADER_BYTES
        elif size == 0:
            size = end - start
        if size < header or start + size > end:
            raise UnreadableMediaError("is a damaged MP4 file: a box is larger than the file")
        yield _Box(kind, start, start + header, start + size)
        start += size


def _tree(data: bytes, parent: _Box) -> list[_Box]:
    """Return all boxes inside of a box, at any depth of the known containers."""
    found: list[_Box] = []
    waiting = [parent]
    while waiting:
        box = waiting.pop()
        for child in _boxes(data, box.content, box.end):
            found.append(child)
            if child.kind in _CONTAINERS:
                waiting.append(child)
            if len(found) > MAX_BOXES:
                raise UnreadableMediaError("is a damaged MP4 file: it has too many boxes")
    return found


def _has_known_brand(data: bytes, ftyp: _Box) -> bool:
    brands = data[ftyp.content : ftyp.content + 4] + data[ftyp.content + _HEADER_BYTES : ftyp.end]
    found = {brands[place : place + 4] for place in range(0, len(brands), 4)}
    return bool(found & _BRANDS) and _QUICKTIME not in found


def _track(data: bytes, trak: _Box) -> _Track:
    inner = _tree(data, trak)
    first = {box.kind: box for box in reversed(inner)}
    handler = data[first[b"hdlr"].content + 8 : first[b"hdlr"].content + 12] if b"hdlr" in first else b""
    entry = first[b"stsd"].content + 8 if b"stsd" in first else 0
    codec = data[entry + 4 : entry + 8] if entry else b""
    # Width and height are the last members of tkhd, as 16.16 numbers.
    width, height = (
        struct.unpack(">II", data[first[b"tkhd"].end - 8 : first[b"tkhd"].end]) if b"tkhd" in first else (0, 0)
    )
    return _Track(handler, codec, width >> 16, height >> 16)


def _only_video(tracks: list[_Track]) -> _Track:
    videos = [track for track in tracks if track.handler == b"vide"]
    if len(videos) != 1:
        raise UnreadableMediaError(f"has {len(videos)} video tracks; one is expected")
    if videos[0].codec not in _VIDEO_CODECS:
        raise UnreadableMediaError(f"has video of the codec {_text(videos[0].codec)}; H.264 and HEVC are accepted")
    for track in tracks:
        if track.handler == b"soun" and track.codec not in _AUDIO_CODECS:
            raise UnreadableMediaError(f"has sound of the codec {_text(track.codec)}; AAC is accepted")
    if not (0 < videos[0].width <= MAX_SIDE and 0 < videos[0].height <= MAX_SIDE):
        raise UnreadableMediaError(f"must have sides of 1 to {MAX_SIDE} pixels")
    return videos[0]


def _text(codec: bytes) -> str:
    text = codec.decode("ascii", errors="replace")
    return "".join(character if character.isascii() and character.isprintable() else "?" for character in text)


def _duration(data: bytes, mvhd: _Box) -> tuple[int, int]:
    """Return the units of a second, and the duration in them."""
    is_long = data[mvhd.content] == 1
    timescale, duration = struct.unpack_from(">IQ" if is_long else ">II", data, mvhd.content + (20 if is_long else 12))
    if not timescale or not duration or duration in {_MAX_32_BITS, 0xFFFFFFFFFFFFFFFF}:
        raise UnreadableMediaError("is a damaged MP4 file: it has no duration")
    return timescale, duration


def _with_moov_first(data: bytes, boxes: list[_Box], moov: _Box, inner: list[_Box]) -> bytes:
    """Return the file with moov behind ftyp; the offsets of chunks grow by its size."""
    moved = bytearray(data[moov.start : moov.end])
    added = moov.end - moov.start
    for table in inner:
        place = table.content - moov.start
        if table.kind in {b"stco", b"co64"}:
            form, width = (">I", 4) if table.kind == b"stco" else (">Q", 8)
            (count,) = struct.unpack_from(">I", moved, place + 4)
            for number in range(min(count, (table.end - table.content - 8) // width)):
                (offset,) = struct.unpack_from(form, moved, place + 8 + number * width)
                # Chunks before moov move behind it.
                struct.pack_into(
                    form, moved, place + 8 + number * width, offset + (added if offset < moov.start else 0)
                )
    ftyp, *others = boxes
    rest = b"".join(data[box.start : box.end] for box in others if box is not moov)
    return data[ftyp.start : ftyp.end] + bytes(moved) + rest


def _check_offsets(data: bytes) -> None:
    """Raise UnreadableMediaError unless each chunk begins inside of the media data."""
    boxes = list(_boxes(data, 0, len(data)))
    media = [box for box in boxes if box.kind == b"mdat"]
    for table in _tree(data, next(box for box in boxes if box.kind == b"moov")):
        if table.kind not in {b"stco", b"co64"}:
            continue
        width = 4 if table.kind == b"stco" else 8
        (count,) = struct.unpack_from(">I", data, table.content + 4)
        if count > (table.end - table.content - 8) // width:
            raise UnreadableMediaError("is a damaged MP4 file: a table of chunks is cut")
        for (offset,) in struct.iter_unpack(
            ">I" if width == 4 else ">Q",  # noqa: PLR2004 - bytes
            data[table.content + 8 : table.content + 8 + count * width],
        ):
            if not any(box.content <= offset < box.end for box in media):
                raise UnreadableMediaError("is a damaged MP4 file: a chunk lies outside of the media data")
