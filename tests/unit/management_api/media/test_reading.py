"""Files of strangers: what is kept of good ones, why others are refused, and the limits of the process that reads."""

import importlib
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from tempfile import TemporaryFile

import orjson
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageCms

from management_api.media.facts import ACCEPTED_TYPES, FontMetrics, MediaFacts, MediaKind, UnreadableMediaError
from management_api.media.reading import MediaReaders
from tests.support.media_files import (
    ARIAL_WIDTHS,
    animation,
    encoded,
    font,
    lottie,
    mp4,
    picture,
    png_of_stated_size,
    webm,
)
from tests.support.ordinary_user import run_python_as_ordinary_user
from tests.support.soak import report, soak_setting

READERS = MediaReaders()


def _read(data: bytes, content_type: str) -> tuple[MediaFacts, list[bytes]]:
    """Read in this process, which is fast."""
    reader = importlib.import_module(f"management_api.media.readers.{ACCEPTED_TYPES[content_type].reader}")
    found = reader.read(data, content_type)
    return found.facts, list(found.contents)


def _read_apart(data: bytes, content_type: str) -> tuple[MediaFacts, list[bytes]]:
    """Read in a process with limits, as the service does."""
    with TemporaryFile() as upload:
        upload.write(data)
        with READERS.read(upload, content_type) as found:
            return found.facts, [b"".join(content) for content in found.contents]


def _refusal(data: bytes, content_type: str) -> str:
    with pytest.raises(UnreadableMediaError) as caught:
        _read(data, content_type)
    return str(caught.value)


def _sizes(facts: MediaFacts) -> list[tuple[str, int | None, int | None]]:
    return [(file.content_type, file.width, file.height) for file in facts.files]


@pytest.mark.parametrize(
    ("width", "widths"),
    [(100, [100]), (480, [480]), (700, [480, 700]), (1440, [480, 960, 1440]), (3000, [480, 960, 1440])],
)
def test_image_is_kept_in_the_widths_of_phones_as_far_as_it_goes(width: int, widths: list[int]) -> None:
    facts, contents = _read(picture("JPEG", (width, 200)), "image/jpeg")
    webps = [("image/webp", size, max(1, round(200 * size / width))) for size in widths]
    assert _sizes(facts) == [*webps, ("image/jpeg", widths[-1], webps[-1][2])]
    assert (facts.kind, facts.width, facts.height, facts.placeholder_color) == (MediaKind.IMAGE, width, 200, "#fe0000")
    assert [Image.open(BytesIO(content)).size for content in contents] == [size[1:] for size in _sizes(facts)]


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "RGBA"),
        ("PNG", "P"),
        ("PNG", "L"),
        ("PNG", "I;16"),
        ("JPEG", "CMYK"),
        ("WEBP", "RGB"),
        ("AVIF", "RGB"),
        ("GIF", "P"),
    ],
)
def test_formats_and_colour_modes_are_read(kind: str, mode: str) -> None:
    image = Image.new("L", (20, 10), 90).convert(mode) if mode != "I;16" else Image.new("I;16", (20, 10), 90 * 256)
    facts, contents = _read(encoded(image, kind), f"image/{kind.lower()}")
    assert facts.main.content_type == "image/jpeg"
    shade = Image.open(BytesIO(contents[-1])).convert("L").tobytes()[55]
    assert abs(shade - 90) < 12


def test_transparent_image_has_a_png_as_fallback() -> None:
    facts, contents = _read(encoded(Image.new("RGBA", (2000, 1000), (0, 0, 255, 60)), "PNG"), "image/png")
    assert facts.main.content_type == "image/png"
    assert Image.open(BytesIO(contents[-1])).getpixel((3, 3)) == (0, 0, 255, 60)


def test_metadata_are_dropped_and_the_orientation_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "home address"
    facts, contents = _read(picture("JPEG", (60, 20), exif=exif), "image/jpeg")
    assert (facts.width, facts.height) == (20, 60)
    for content in contents:
        assert Image.open(BytesIO(content)).getexif() == {}
        assert b"home address" not in content


def test_colour_profile_is_converted_to_srgb() -> None:
    swapped = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
    # A damaged profile, or one of another kind, is ignored.
    for profile in (swapped.tobytes(), b"junk"):
        facts, contents = _read(picture("PNG", icc_profile=profile), "image/png")
        kept = Image.open(BytesIO(contents[-1]))
        assert "icc_profile" not in kept.info
        assert facts.placeholder_color in {"#ff0000", "#fe0000"}


@pytest.mark.parametrize(
    ("kind", "content_type"),
    [("GIF", "image/gif"), ("WEBP", "image/webp"), ("PNG", "image/png"), ("PNG", "image/apng")],
)
def test_animation_becomes_an_animated_webp_with_its_first_frame(kind: str, content_type: str) -> None:
    facts, (moving, poster) = _read(animation(kind), content_type)
    assert facts.kind is MediaKind.ANIMATION
    assert facts.duration_seconds == pytest.approx(0.6)
    kept = Image.open(BytesIO(moving))
    assert (kept.format, getattr(kept, "n_frames", 1)) == ("WEBP", 3)
    assert getattr(Image.open(BytesIO(poster)), "n_frames", 1) == 1


@pytest.mark.parametrize(
    ("data", "content_type", "reason"),
    [
        (picture("PNG"), "image/jpeg", "is not a JPEG file"),
        (picture("JPEG"), "image/png", "is not a PNG file"),
        (b"", "image/webp", "is not a WEBP file"),
        (b"GIF89a" + bytes(20), "image/gif", "is not a GIF file"),
        (picture("PNG", (300, 300))[:-40], "image/png", "is a damaged PNG file"),
        (picture("JPEG", (90, 90), quality=90)[:-300], "image/jpeg", "is a damaged JPEG file"),
        (png_of_stated_size(20_000, 20_000), "image/png", "has 20000 x 20000 pixels"),
        (png_of_stated_size(17_000, 1), "image/png", "has 17000 x 1 pixels"),
        (lambda: animation("GIF", 601, (2, 2)), "image/gif", "has 601 frames"),
        (lambda: animation("GIF", 2, (4100, 1000)), "image/gif", "has 2 frames of 4100 x 1000 pixels"),
        (picture("PNG") + b"<script>", "image/svg+xml", "is not an SVG file"),
        (lottie(), "video/mp4", "is not an MP4 file"),
        (webm(), "video/mp4", "is not an MP4 file"),
        (mp4(), "video/webm", "is not a WebM file"),
        (b"", "font/ttf", "is not a TTF font"),
        (font(), "font/woff2", "is not a WOFF2 font"),
        (font()[:200], "font/ttf", "is a damaged TTF font"),
        (b"wOF2" + bytes(100), "font/woff2", "is a damaged WOFF2 font"),
        (mp4(codec=b"mp4v"), "video/mp4", "has video of the codec mp4v"),
        (mp4(sound=b"ac-3"), "video/mp4", "has sound of the codec ac-3"),
        (mp4(seconds=0), "video/mp4", "it has no duration"),
        (mp4(offset_error=1000), "video/mp4", "a chunk lies outside"),
        (mp4()[:-20], "video/mp4", "a box is larger than the file"),
        (mp4().replace(b"mdat", b"moof"), "video/mp4", "is a fragmented MP4 file"),
        (mp4().replace(b"isom", b"qt  "), "video/mp4", "is not an MP4 file"),
        (webm(b"V_MPEG4"), "video/webm", "has a codec that is not accepted"),
        (webm(seconds=0), "video/webm", "it has no duration"),
        (webm()[:-2], "video/webm", "an element is larger than the file"),
    ],
)
def test_file_that_is_damaged_or_something_else_is_refused(
    data: bytes | Callable[[], bytes], content_type: str, reason: str
) -> None:
    assert reason in _refusal(data() if callable(data) else data, content_type)


def test_picture_within_the_limit_of_pixels_is_decoded_within_the_memory() -> None:
    facts, _ = _read_apart(encoded(Image.new("RGBA", (7000, 7100)), "PNG", compress_level=1), "image/png")
    assert (facts.width, facts.height) == (7000, 7100)


def test_video_with_its_index_at_the_end_gets_it_at_the_begin() -> None:
    facts, (content,) = _read(mp4(), "video/mp4")
    assert content == mp4(moov_first=True)
    assert (facts.width, facts.height, facts.duration_seconds) == (640, 360, 3.0)
    assert _read(content, "video/mp4")[1] == [content]


def test_webm_is_kept_as_it_is() -> None:
    facts, contents = _read(webm(), "video/webm")
    assert (facts.kind, facts.width, facts.height, facts.duration_seconds, contents) == (
        MediaKind.VIDEO,
        640,
        360,
        2.0,
        [webm()],
    )


def test_font_becomes_a_woff2_without_programs() -> None:
    facts, (content,) = _read(font(), "font/ttf")
    assert (facts.family, facts.weight, facts.style, facts.width) == ("Brand Sans", 700, "normal", None)
    kept = TTFont(BytesIO(content))
    assert kept.flavor == "woff2"
    assert kept.getBestCmap() == {65: "A"}
    assert not {"fpgm", "prep", "cvt ", "DSIG"} & set(kept.keys())
    assert _read(content, "font/woff2")[0].family == "Brand Sans"


def test_stand_in_of_a_font_takes_the_space_of_its_letters() -> None:
    def metrics(data: bytes, content_type: str = "font/ttf") -> FontMetrics | None:
        return _read(data, content_type)[0].metrics

    wide = font(widths={letter: 2 * width for letter, width in ARIAL_WIDTHS.items()}, ascent=900, descent=300)
    expected = FontMetrics(ascent=0.45, descent=0.15, line_gap=0.0, size=2.0)
    assert metrics(wide) == metrics(_read(wide, "font/ttf")[1][0], "font/woff2") == expected
    assert metrics(font("Arial", widths=ARIAL_WIDTHS)) == FontMetrics(ascent=0.8, descent=0.2, line_gap=0.0, size=1.0)
    assert metrics(font()) == FontMetrics(ascent=0.8, descent=0.2, line_gap=0.0)


def test_tones_are_the_darkest_and_the_lightest_tile_of_an_image() -> None:
    image = Image.new("RGB", (160, 320), "#808080")
    image.paste("#f0f0f0", (0, 0, 20, 40))
    image.paste("#203020", (80, 200, 120, 300))
    # A dot is smaller than a tile.
    image.paste("#ffffff", (150, 310, 152, 312))
    assert _read(encoded(image, "PNG"), "image/png")[0].tones == ("#203020", "#f0f0f0")
    image.putalpha(200)
    assert _read(encoded(image, "PNG"), "image/png")[0].tones is None


def test_lottie_has_its_first_frame_as_poster() -> None:
    facts, (content, poster) = _read(lottie(), "application/json")
    assert (facts.kind, facts.width, facts.duration_seconds) == (MediaKind.LOTTIE, 100, 2.0)
    assert orjson.loads(content) == orjson.loads(lottie())
    assert Image.open(BytesIO(poster)).convert("RGB").getpixel((50, 50))[0] > 200  # type: ignore[index]


_PICTURE = {"id": "a", "w": 1, "h": 1, "u": "", "e": 1}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "it is not JSON"),
        (b"[]", "it must be an object with layers"),
        (lottie(w="100"), "w must be a number"),
        (lottie(op=100_000), "last at most"),
        (lottie(fr=0), "frames a second"),
        (lottie(w=5000), "must have sides"),
        (lottie(layers=[{"ty": 4, "ks": {"o": {"a": 0, "k": 1, "x": "var $bm_rt = 1"}}}]), "has expressions"),
        (lottie(layers=[{"ty": 13}]), "has a layer of the type 13"),
        (lottie(layers=[{"ty": 4, "ef": [{"ty": 5}]}]), "has effects"),
        (lottie(assets=[{**_PICTURE, "p": "https://example.com/a.png"}]), "names a file"),
        (lottie(assets=[{**_PICTURE, "p": "data:image/svg+xml;base64,AAAA"}]), "names a file"),
        (b'{"layers":' + b"[" * 100_000, "it is not JSON"),
    ],
)
def test_lottie_that_the_player_cannot_draw_is_refused(data: bytes, reason: str) -> None:
    assert reason in _refusal(data, "application/json")


def test_kept_pictures_of_a_lottie_are_embedded() -> None:
    assert _read(lottie(assets=[{**_PICTURE, "p": "data:image/png;base64,iVBORw0KGgo="}]), "application/json")


def _svg(body: str, attributes: str = 'viewBox="0 0 20 10"') -> bytes:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {names} {attributes}>{body}</svg>".encode()


def _clean(body: str) -> str:
    _, (content,) = _read(_svg(body), "image/svg+xml")
    return content.decode()


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        '<g onload="alert(1)"/>',
        '<a href="javascript:alert(1)"><rect/></a>',
        '<image href="https://example.com/a.png"/>',
        '<image href="data:image/svg+xml;base64,AAAA"/>',
        "<foreignObject><body/></foreignObject>",
        '<use href="https://example.com/a.svg#b"/>',
        '<use xlink:href="data:image/svg+xml,alert"/>',
        '<rect fill="url(https://example.com/a)"/>',
        '<rect fill="u\\72l(https://example.com/a)"/>',
        '<rect style="fill:url(https://example.com/a)"/>',
        "<rect style=\"background:image-set('https://example.com/a' 1x)\"/>",
        "<style>@import url(https://example.com/a.css);</style>",
        "<style>@font-face{font-family:a;src:url(https://example.com/a)}</style>",
        "<style>rect{fill:url('https://example.com/a')}</style>",
        '<style>rect{filter:url("data:text/xml,alert")}</style>',
        '<animate attributeName="href" values="javascript:alert(1)"/>',
        '<set attributeName="onmouseover" to="alert(1)"/>',
        '<filter><feImage href="https://example.com/a"/></filter>',
        '<handler xmlns="http://www.w3.org/2001/xml-events" type="alert"/>',
        '<?xml-stylesheet href="https://example.com/a.css"?>',
        '<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://example.com"/>',
    ],
)
def test_scripts_links_and_other_files_are_left_out_of_an_svg(body: str) -> None:
    cleaned = _clean(f"<g/>{body}<path d='M0 0h1'/>")
    assert "path" in cleaned
    for word in ("alert", "example.com", "javascript", "data:", "foreignObject", "onload", "script"):
        assert word not in cleaned


def test_what_an_svg_draws_stays() -> None:
    body = (
        '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>'
        '<style>.a{fill:red;stroke:url(#g)}</style><rect class="a" transform="rotate(45)" style="opacity:.5"/>'
        '<use xlink:href="#g"/><text>caf&#233; &lt;b&gt;</text>'
    )
    cleaned = _clean(body)
    for part in ('offset="0"', "stroke:url(#g)", 'transform="rotate(45)"', "opacity:.5", 'href="#g"', "café &lt;b&gt;"):
        assert part in cleaned


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<svg/>", "its root must be svg"),
        (b"<html/>", "its root must be svg"),
        (_svg("<g>"), "not well-formed"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + _svg("&a;"), "must not declare entities"),
        (_svg("", ""), "must have a width and a height"),
        (_svg("", 'viewBox="0 0 0 10"'), "must have a width and a height"),
        (_svg("", 'width="1e9" height="5"'), "must have a width and a height"),
        (_svg("<g/>" * 20_001), "at most 20000 elements"),
        (_svg("<g>" * 200 + "</g>" * 200), "at most 20000 elements in 100 levels"),
        (_svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#c"/></g><g id="c"/>'), "must not nest"),
    ],
)
def test_svg_that_is_none_or_a_bomb_is_refused(data: bytes, reason: str) -> None:
    assert reason in _refusal(data, "image/svg+xml")


def test_process_cannot_open_files_or_connections() -> None:
    """The limits of the process hold even if a decoder runs code of the file."""
    program = """
import socket
from management_api.media.readers.process import give_up_rights
give_up_rights()
for attempt in (lambda: open("/etc/passwd"), socket.socket, lambda: bytearray(600 * 1024**2)):
    try:
        attempt()
    except (OSError, MemoryError) as error:
        print(type(error).__name__)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert ended.stdout.split() == ["OSError", "OSError", "MemoryError"]


_SAMPLES: dict[str, Callable[[], bytes]] = {
    "image/png": lambda: picture("PNG"), "image/jpeg": lambda: picture("JPEG"), "image/webp": lambda: picture("WEBP"),
    "image/avif": lambda: picture("AVIF"), "image/gif": lambda: animation("GIF"), "application/json": lottie,
    "video/mp4": mp4, "video/webm": webm, "font/ttf": font, "image/svg+xml": lambda: _svg("<rect/>"),
}  # fmt: skip


@pytest.mark.parametrize("content_type", _SAMPLES)
def test_process_reads_each_kind_as_its_reader_does(content_type: str) -> None:
    data = _SAMPLES[content_type]()
    facts, contents = _read(data, content_type)
    assert _read_apart(data, content_type) == (facts, contents)


@pytest.mark.slow
@pytest.mark.parametrize("content_type", _SAMPLES)
def test_mutated_file_is_read_or_refused(content_type: str) -> None:
    count = soak_setting("MUTATIONS", 20, 1000)
    command = [sys.executable, "-m", "tests.support.mutated_media", content_type, str(count)]
    ended = subprocess.run(command, input=_SAMPLES[content_type](), capture_output=True, check=True)  # noqa: S603
    report(f"{count} mutations of {content_type}", {"result": ended.stdout.decode().strip()})
    assert b"ended" not in ended.stdout, ended.stderr[-1000:]


@pytest.mark.slow
def test_process_of_an_ordinary_user_reads_each_kind() -> None:
    """The limit of threads does not hold for root, as whom tests may run."""
    name = f"{__file__}::{test_process_reads_each_kind_as_its_reader_does.__name__}"
    ended = run_python_as_ordinary_user("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", name)
    assert ended.returncode == 0, ended.stdout
