"""The facts of a media file: its kind, the files that are kept of it, and what a reader has found in it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

import msgspec

from common.errors import OnboardingError
from common.media_names import MEDIA_TYPES

MEBIBYTE = 1024 * 1024
KIBIBYTE = 1024


class MediaKind(StrEnum):
    """The kind of a media file, which decides where it may be used."""

    IMAGE = "image"
    ANIMATION = "animation"
    LOTTIE = "lottie"
    VIDEO = "video"
    FONT = "font"


class AcceptedType(NamedTuple):
    """A `Content-Type` that is accepted: its name for people, its largest file in bytes, and its reader."""

    name: str
    max_bytes: int
    reader: str


#: The readers are modules of `management_api.media.readers`. An image with several frames is an animation.
ACCEPTED_TYPES: dict[str, AcceptedType] = {
    "image/png": AcceptedType("PNG", 10 * MEBIBYTE, "pictures"),
    "image/apng": AcceptedType("PNG", 10 * MEBIBYTE, "pictures"),
    "image/jpeg": AcceptedType("JPEG", 10 * MEBIBYTE, "pictures"),
    "image/webp": AcceptedType("WEBP", 10 * MEBIBYTE, "pictures"),
    "image/avif": AcceptedType("AVIF", 10 * MEBIBYTE, "pictures"),
    "image/gif": AcceptedType("GIF", 10 * MEBIBYTE, "pictures"),
    "image/svg+xml": AcceptedType("SVG", 256 * KIBIBYTE, "svg"),
    "application/json": AcceptedType("Lottie", 512 * KIBIBYTE, "lottie"),
    "video/mp4": AcceptedType("MP4", 30 * MEBIBYTE, "mp4"),
    "video/webm": AcceptedType("WebM", 30 * MEBIBYTE, "webm"),
    "font/woff2": AcceptedType("WOFF2", 2 * MEBIBYTE, "fonts"),
    "font/woff": AcceptedType("WOFF", 2 * MEBIBYTE, "fonts"),
    "font/ttf": AcceptedType("TTF", 2 * MEBIBYTE, "fonts"),
    "font/otf": AcceptedType("OTF", 2 * MEBIBYTE, "fonts"),
}

#: The extension of each type that is kept.
EXTENSIONS = {content_type: extension for extension, content_type in MEDIA_TYPES.items()}


class UnreadableMediaError(OnboardingError):
    """The file is damaged, too large when decoded, or something else than its `Content-Type`."""


class Role(StrEnum):
    """The purpose of a kept file."""

    #: The file of the media's own address.
    MAIN = "main"
    #: The same picture in another size or format.
    RENDITION = "rendition"
    #: A still picture of what moves.
    POSTER = "poster"


class KeptFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is kept, without its content. Fonts have no size in pixels."""

    role: Role
    content_type: str
    size: int
    width: int | None = None
    height: int | None = None


#: A length in em; a process that its file has taken over may state any.
_Length = Annotated[float, msgspec.Meta(ge=0, le=8)]
_Weight = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class FontMetrics(msgspec.Struct, frozen=True, omit_defaults=True):
    """The lines of a font's stand-in and its size, in parts of the font's; the weights of a variable font."""

    ascent: _Length
    descent: _Length
    line_gap: _Length
    #: None if the font lacks the letters by which sizes are compared.
    size: Annotated[float, msgspec.Meta(gt=0, le=8)] | None = None
    weights: Annotated[list[_Weight], msgspec.Meta(max_length=2)] = []


#: A colour as `#rrggbb`.
_Color = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]


class MediaFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a reader. The contents of `files` follow in their order; sizes are in bytes and pixels."""

    kind: MediaKind
    files: list[KeptFile]
    width: int | None = None
    height: int | None = None
    duration_seconds: float | None = None
    placeholder_color: str | None = None
    family: str | None = None
    weight: int | None = None
    style: str | None = None
    metrics: FontMetrics | None = None
    #: The darkest and the lightest tile of an image; absent where the page shows through.
    tones: tuple[_Color, _Color] | None = None

    @property
    def main(self) -> KeptFile:
        """The file of the media's own address."""
        return next(file for file in self.files if file.role is Role.MAIN)


class ReadMedia(NamedTuple):
    """What a reader returns: the facts, and the content of each kept file."""

    facts: MediaFacts
    contents: Sequence[bytes]
