"""Images and animations of pixels: decoded and encoded anew, without metadata, in the sizes of phones.

The decoders of Pillow are the only ones that run, one for each type. A picture is shrunk before its colours are
converted, so a file of 50 megapixels takes one decoded copy of it.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import AvifImagePlugin, Image, ImageCms, ImageOps, UnidentifiedImageError

from common.colors import luminance
from management_api.media.facts import (
    ACCEPTED_TYPES,
    KeptFile,
    MediaFacts,
    MediaKind,
    ReadMedia,
    Role,
    UnreadableMediaError,
)

MAX_PIXELS = 50_000_000
MAX_FRAME_PIXELS = 4_000_000
MAX_FRAMES = 600
#: The tiles of a row and of a column. One is as wide as a few letters on a phone.
TILES = 16
#: The longest side that WebP can have.
MAX_SIDE = 16_383
WIDTHS = (480, 960, 1440)
#: Of all frames of an animation together, which the encoder holds; frames of more are drawn smaller.
_MAX_ANIMATION_PIXELS = 60_000_000
_ORIENTATION = 0x0112
_SWAPS_SIDES = frozenset({5, 6, 7, 8})
#: Rows of a picture with transparency that are shrunk at once, because Pillow copies what it shrinks.
_BAND_PIXELS = 4_000_000
_HAS_ALPHA = frozenset({"RGBA", "LA", "PA"})
_MILLISECONDS = 1000


def preload() -> None:
    """Import the decoders, and build the colour profile, while files may be opened."""
    Image.init()
    # The process may start no thread.
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    _SRGB.tobytes()
    for kind in ("JPEG", "PNG", "WEBP"):
        Image.new("RGB", (1, 1)).save(BytesIO(), kind)


def read(data: bytes, content_type: str) -> ReadMedia:
    """Return an image or an animation. Raises UnreadableMediaError."""
    name = ACCEPTED_TYPES[content_type].name
    # `_check_size` has the limit, and the message of this service.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(BytesIO(data), formats=[name]) as image:
            _check_size(image)
            # Further pictures of a JPEG are thumbnails and depths of a camera.
            frames = 1 if name == "JPEG" else getattr(image, "n_frames", 1)
            return _animation(image, frames) if frames > 1 else _still(image)
    except UnidentifiedImageError as error:
        raise UnreadableMediaError(f"is not a {name} file") from error
    except UnreadableMediaError:
        raise
    except MemoryError as error:
        raise UnreadableMediaError("takes too much memory when it is decoded") from error
    # Decoders raise errors of any kind for damaged files.
    except Exception as error:
        raise UnreadableMediaError(f"is a damaged {name} file") from error


def encode_webp(image: Image.Image) -> bytes:
    """Return a picture as WebP."""
    return _encoded(image, "WEBP", quality=82, method=4)


def average_color(image: Image.Image) -> str:
    """Return the average colour as `#rrggbb`."""
    return f"#{image.convert('RGBA').resize((1, 1), Image.Resampling.BOX).tobytes()[:3].hex()}"


def tones_of(image: Image.Image) -> tuple[str, str] | None:
    """Return the darkest and the lightest tile of a picture, `#rrggbb`; None where the page shows through it."""
    if _is_transparent(image):
        return None
    pixels = image.convert("RGB").resize((TILES, TILES), Image.Resampling.BOX).tobytes()
    tiles = [pixels[place : place + 3].hex() for place in range(0, len(pixels), 3)]
    darkest, *_, lightest = sorted(tiles, key=luminance)
    return f"#{darkest}", f"#{lightest}"


def still_facts(image: Image.Image, role: Role, content: bytes) -> KeptFile:
    """Return the facts of an encoded WebP."""
    return KeptFile(role=role, content_type="image/webp", size=len(content), width=image.width, height=image.height)


def _check_size(image: Image.Image) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise UnreadableMediaError(
            f"has {width} x {height} pixels;"
            f" at most {MAX_PIXELS // 10**6} megapixels and sides of {MAX_SIDE} pixels are accepted"
        )


def _still(image: Image.Image) -> ReadMedia:
    turned = image.getexif().get(_ORIENTATION) in _SWAPS_SIDES
    width, height = image.size[::-1] if turned else image.size
    target = min(width, WIDTHS[-1])
    size = _scaled(width, height, target)
    largest = _in_srgb(image, size[::-1] if turned else size)
    files, contents = [], []
    fallback = "PNG" if _is_transparent(largest) else "JPEG"
    for rendition_width in [wanted for wanted in WIDTHS if wanted < width] + [width] * (width <= WIDTHS[-1]):
        rendition = _resized(largest, _scaled(width, height, rendition_width))
        content = encode_webp(rendition)
        files.append(still_facts(rendition, Role.RENDITION, content))
        contents.append(content)
    content = _encoded(
        largest, fallback, **({"optimize": True} if fallback == "PNG" else {"quality": 85, "progressive": True})
    )
    files.append(
        KeptFile(
            role=Role.MAIN,
            content_type=f"image/{fallback.lower()}",
            size=len(content),
            width=largest.width,
            height=largest.height,
        )
    )
    contents.append(content)
    return ReadMedia(
        MediaFacts(
            kind=MediaKind.IMAGE,
            files=files,
            width=width,
            height=height,
            placeholder_color=average_color(largest),
            tones=tones_of(largest),
        ),
        contents,
    )


def _animation(image: Image.Image, frames: int) -> ReadMedia:
    width, height = image.size
    if frames > MAX_FRAMES or width * height > MAX_FRAME_PIXELS:
        raise UnreadableMediaError(
            f"has {frames} frames of {width} x {height} pixels;"
            f" at most {MAX_FRAMES} frames of {MAX_FRAME_PIXELS // 10**6} megapixels are accepted"
        )
    pixels = _MAX_ANIMATION_PIXELS // frames
    target = min(width, WIDTHS[-1], max(1, int((pixels * width / height) ** 0.5)))
    size = _scaled(width, height, target)
    durations: list[int] = []
    drawn = _frames(image, frames, size, durations)
    first = next(drawn)
    # The encoder lists all frames first, which fills the durations.
    content = _encoded(
        first,
        "WEBP",
        save_all=True,
        append_images=drawn,
        duration=durations,
        loop=int(image.info.get("loop", 0)),
        quality=75,
        method=2,
    )
    poster = encode_webp(first)
    files = [still_facts(first, Role.MAIN, content), still_facts(first, Role.POSTER, poster)]
    facts = MediaFacts(
        kind=MediaKind.ANIMATION,
        files=files,
        width=width,
        height=height,
        duration_seconds=sum(durations) / _MILLISECONDS,
        placeholder_color=average_color(first),
    )
    return ReadMedia(facts, [content, poster])


def _frames(image: Image.Image, frames: int, size: tuple[int, int], durations: list[int]) -> Iterator[Image.Image]:
    """Yield each frame, and note its duration."""
    for number in range(frames):
        image.seek(number)
        frame = _resized(image.convert("RGBA"), size)
        # Known when the frame is decoded. Browsers show a frame without a duration for 100 ms.
        durations.append(int(image.info.get("duration", 0)) or 100)
        yield frame


def _scaled(width: int, height: int, target: int) -> tuple[int, int]:
    return target, max(1, round(height * target / width))


def _in_srgb(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the picture in a size, upright, as RGB or RGBA of the sRGB colour space, without metadata."""
    # A JPEG is decoded in a smaller size at once.
    image.draft(None, (size[0], size[1]))
    profile = image.info.get("icc_profile")
    image.load()
    if image.mode in {"P", "PA"}:
        image = image.convert("RGBA" if "transparency" in image.info or image.mode == "PA" else "RGB")
    elif image.mode.startswith(("I", "F")):
        # Grey of 16 bits; Pillow would cut the values instead of scaling them.
        image = image.point(lambda value: value / 256).convert("L")
    small = ImageOps.exif_transpose(_resized(image, size))
    if profile:
        small = _converted(small, profile)
    wanted = "RGBA" if small.mode in _HAS_ALPHA or "transparency" in small.info else "RGB"
    if small.mode != wanted:
        small = small.convert(wanted)
    small.info = {}
    return small


_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


def _converted(image: Image.Image, profile: bytes) -> Image.Image:
    """Return the picture in sRGB. A profile that is damaged or of another kind is ignored, as browsers do."""
    mode = "RGBA" if image.mode == "RGBA" else "RGB"
    try:
        return (
            ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(BytesIO(profile)), _SRGB, outputMode=mode)
            or image
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def _resized(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    if image.mode in _HAS_ALPHA:
        image = _reduced(image, max(1, image.width // (2 * size[0])))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=None if image.mode in _HAS_ALPHA else 3.0)


def _reduced(image: Image.Image, factor: int) -> Image.Image:
    """Return a picture whose sides are divided by a whole number, made band by band."""
    if factor == 1:
        return image
    rows = max(1, _BAND_PIXELS // image.width // factor) * factor
    reduced = Image.new(image.mode, (-(-image.width // factor), -(-image.height // factor)))
    for top in range(0, image.height, rows):
        band = image.crop((0, top, image.width, min(top + rows, image.height)))
        reduced.paste(band.reduce(factor), (0, top // factor))
    reduced.info = image.info
    return reduced


def _is_transparent(image: Image.Image) -> bool:
    return image.mode == "RGBA" and image.getchannel("A").getextrema() != (255, 255)


def _encoded(image: Image.Image, kind: str, **options: Any) -> bytes:  # noqa: ANN401 - options of Pillow's encoders
    if kind == "JPEG" and image.mode != "RGB":
        image = image.convert("RGB")
    encoded = BytesIO()
    image.save(encoded, kind, **options)
    return encoded.getvalue()
