"""Small media files, made by libraries or byte by byte."""

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import orjson
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image

Bytes = bytes | bytearray


def picture(kind: str, size: tuple[int, int] = (64, 48), mode: str = "RGB", **options: Any) -> bytes:  # noqa: ANN401 - of Pillow
    """Return a picture of one colour in a format of Pillow."""
    return encoded(Image.new(mode, size, "red"), kind, **options)


def png_of_stated_size(width: int, height: int) -> bytes:
    """Return a PNG whose header states a size that its pixels do not have."""
    small = picture("PNG")
    header = b"IHDR" + struct.pack(">II", width, height) + small[24:29]
    return small[:12] + header + struct.pack(">I", zlib.crc32(header)) + small[33:]


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:  # noqa: ANN401 - of Pillow
    """Return an image in a format of Pillow."""
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def animation(kind: str, frames: int = 3, size: tuple[int, int] = (64, 48), milliseconds: int = 200) -> bytes:
    """Return frames of different colours."""
    first, *others = [Image.new("RGB", size, (number * 80 % 256, 0, 128)) for number in range(frames)]
    return encoded(first, kind, save_all=True, append_images=others, duration=milliseconds, loop=0)


def lottie(**members: object) -> bytes:
    """Return a Lottie animation of 2 seconds with a red square in the middle."""
    still = {
        "o": _value(100),
        "r": _value(0),
        "p": _value([50, 50, 0]),
        "a": _value([0, 0, 0]),
        "s": _value([100, 100, 100]),
    }
    items = [
        {"ty": "rc", "d": 1, "s": _value([60, 60]), "p": _value([0, 0]), "r": _value(0)},
        {"ty": "fl", "c": _value([1, 0, 0, 1]), "o": _value(100), "r": 1},
        {
            "ty": "tr",
            "p": _value([0, 0]),
            "a": _value([0, 0]),
            "s": _value([100, 100]),
            "r": _value(0),
            "o": _value(100),
        },
    ]
    shapes = [{"ty": "gr", "it": items}]
    layer = {
        "ddd": 0,
        "ind": 1,
        "ty": 4,
        "sr": 1,
        "ks": still,
        "ao": 0,
        "shapes": shapes,
        "ip": 0,
        "op": 60,
        "st": 0,
        "bm": 0,
    }
    document = {
        "v": "5.5.2",
        "fr": 30,
        "ip": 0,
        "op": 60,
        "w": 100,
        "h": 100,
        "ddd": 0,
        "assets": [],
        "layers": [layer],
    }
    return orjson.dumps({**document, **members})


def _value(value: object) -> dict[str, object]:
    return {"a": 0, "k": value}


#: The widths of Arial's letters, in 1/1000 em.
ARIAL_WIDTHS = {
    **dict.fromkeys("fI ,.t", 278),
    **dict.fromkeys("ckJsvxyz", 500),
    **dict.fromkeys("abdeghnopqu0123456789", 556),
    **dict.fromkeys("FTZ", 611),
    **dict.fromkeys("ABEKPSVXY", 667),
    **dict.fromkeys("CDHNRUw", 722),
    **dict.fromkeys("GOQ", 778),
    "i": 222,
    "j": 222,
    "l": 222,
    "r": 333,
    "L": 556,
    "m": 833,
    "M": 833,
    "W": 944,
}


def font(
    family: str = "Brand Sans",
    weight: int = 700,
    glyphs: int = 3,
    *,
    widths: Mapping[str, int] | None = None,
    ascent: int = 800,
    descent: int = 200,
) -> bytes:
    """Return a TrueType font of letters with their widths in 1/1000 em, and a hinting program."""
    letters = {"A": 1000} if widths is None else widths
    shapes = {ord(letter): f"letter{ord(letter)}" for letter in letters}
    names = [".notdef", *shapes.values(), *(f"glyph{number}" for number in range(glyphs - 2))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(shapes)
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((500, 1000))
    pen.lineTo((1000, 0))
    pen.closePath()
    shape = pen.glyph()
    builder.setupGlyf(dict.fromkeys(names, shape))
    advances = {f"letter{ord(letter)}": (width, 0) for letter, width in letters.items()}
    builder.setupHorizontalMetrics({**dict.fromkeys(names, (1000, 0)), **advances})
    builder.setupHorizontalHeader(ascent=ascent, descent=-descent)
    builder.setupNameTable({"familyName": family, "styleName": "Bold", "fullName": family})
    builder.setupOS2(usWeightClass=weight)
    builder.setupPost()
    builder.setupDummyDSIG()
    file = BytesIO()
    builder.save(file)
    return file.getvalue()


def mp4(
    *,
    moov_first: bool = False,
    codec: bytes = b"avc1",
    sound: bytes = b"mp4a",
    seconds: int = 3,
    offset_error: int = 0,
    media_data: bytes = b"VIDEODAT",
) -> bytes:
    """Return an MP4 of 640 x 360 pixels, whose media data are no video."""
    ftyp = _box(b"ftyp", b"isom\0\0\2\0isomiso2avc1mp41")
    media = _box(b"mdat", media_data)
    movie = _movie(codec, sound, seconds, 0)
    start = len(ftyp) + 8 + (len(movie) if moov_first else 0) + offset_error
    movie = _movie(codec, sound, seconds, start)
    return b"".join((ftyp, movie, media) if moov_first else (ftyp, media, movie))


def _movie(codec: bytes, sound: bytes, seconds: int, offset: int) -> bytes:
    mvhd = _box(b"mvhd", struct.pack(">IIIII", 0, 0, 0, 1000, seconds * 1000) + bytes(80))
    return _box(b"moov", mvhd + _track(b"vide", codec, offset, (640, 360)) + _track(b"soun", sound, offset, (0, 0)))


def _track(handler: bytes, codec: bytes, offset: int, size: tuple[int, int]) -> bytes:
    tkhd = _box(b"tkhd", bytes(76) + struct.pack(">II", size[0] << 16, size[1] << 16))
    hdlr = _box(b"hdlr", bytes(8) + handler + bytes(13))
    stsd = _box(b"stsd", struct.pack(">II", 0, 1) + _box(codec, bytes(78)))
    stco = _box(b"stco", struct.pack(">III", 0, 1, offset))
    return _box(b"trak", tkhd + _box(b"mdia", hdlr + _box(b"minf", _box(b"stbl", stsd + stco))))


def _box(kind: bytes, content: Bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), kind) + content


def webm(codec: bytes = b"V_VP9", seconds: float = 2.0) -> bytes:
    """Return a WebM of 640 x 360 pixels with an empty cluster."""
    head = _element(0x1A45DFA3, _element(0x4282, b"webm"))
    info = _element(
        0x1549A966,
        _element(0x2AD7B1, (1_000_000).to_bytes(3, "big")) + _element(0x4489, struct.pack(">d", seconds * 1000)),
    )
    size = _element(0xB0, (640).to_bytes(2, "big")) + _element(0xBA, (360).to_bytes(2, "big"))
    track = _element(0xAE, _element(0x83, b"\x01") + _element(0x86, codec) + _element(0xE0, size))
    return head + _element(0x18538067, info + _element(0x1654AE6B, track) + _element(0x1F43B675, b"\xe7\x81\x00"))


def _element(number: int, content: bytes) -> bytes:
    identifier = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return identifier + (len(content) | 1 << 56).to_bytes(8, "big") + content
