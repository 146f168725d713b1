"""The built files of the dashboard, with their compressed forms.

Falcon's static route sends neither compressed files nor `Cache-Control`, and passes no authorization.
"""

import re
from dataclasses import dataclass
from pathlib import Path

#: The folder that the build of `web/dashboard` writes. It may appear while the service runs.
STATIC = Path(__file__).with_name("static")
INDEX = "index.html"
#: The name of an asset has a hash of its content.
ASSETS = "assets/"
_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
#: A plain name, in the folder of assets or above it: no path leads out of the folder, and no hidden file is sent.
_NAME = re.compile(rf"(?:{ASSETS})?[A-Za-z0-9_-][A-Za-z0-9._-]*\.({'|'.join(_MEDIA_TYPES)})", re.ASCII)
#: The endings of compressed files, the preferred one first.
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
_TOKEN = re.compile(r"\s*([A-Za-z0-9*-]+)\s*(?:;\s*q=([0-9.]{1,5})\s*)?")


@dataclass(frozen=True, slots=True)
class DashboardFile:
    """A file in one of its forms."""

    content: bytes
    media_type: str
    encoding: str | None
    is_immutable: bool


class DashboardFiles:
    """Reads files at each request: the folder may be built again, and the system caches it."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder

    @property
    def is_built(self) -> bool:
        """Whether there is an index."""
        return (self._folder / INDEX).is_file()

    def read(self, path: str, accept_encoding: str) -> DashboardFile | None:
        """Return a file in the best form that the client accepts, None for any other path."""
        name = _NAME.fullmatch(path)
        if name is None:
            return None
        accepted = accepted_encodings(accept_encoding)
        forms = [(encoding, ending) for encoding, ending in _ENCODINGS.items() if encoding in accepted]
        for encoding, ending in (*forms, (None, "")):
            try:
                content = (self._folder / f"{path}{ending}").read_bytes()
            except OSError:
                continue
            return DashboardFile(content, _MEDIA_TYPES[name[1]], encoding, path.startswith(ASSETS))
        return None


def accepted_encodings(accept_encoding: str) -> frozenset[str]:
    """Return the available encodings that a header accepts (RFC 9110, section 12.5.3)."""
    weights: dict[str, bool] = {}
    for part in accept_encoding.lower().split(","):
        token = _TOKEN.fullmatch(part)
        if token is not None:
            weights[token[1]] = token[2] is None or token[2].strip("0.") != ""
    others = weights.get("*", False)
    return frozenset(encoding for encoding in _ENCODINGS if weights.get(encoding, others))
