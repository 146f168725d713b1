"""The names of media objects: the SHA-256 of the content, and an extension that stands for the type."""

import re

#: The types that are kept and delivered, by the extension of the name of an object.
MEDIA_TYPES = {
    "webp": "image/webp",
    "jpg": "image/jpeg",
    "png": "image/png",
    "svg": "image/svg+xml",
    "json": "application/json",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "woff2": "font/woff2",
}
DIGEST_DIGITS = 32
_OBJECT_NAME = re.compile(rf"[0-9a-f]{{{DIGEST_DIGITS}}}\.(?:{'|'.join(MEDIA_TYPES)})")


def object_name(digest: str, extension: str) -> str:
    """Return the name of an object inside of its project, by the SHA-256 of its content in hexadecimal digits."""
    return f"{digest[:DIGEST_DIGITS]}.{extension}"


def is_object_name(name: str) -> bool:
    """Return whether an object can have this name."""
    return _OBJECT_NAME.fullmatch(name) is not None
