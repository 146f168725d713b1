"""GET /media/{project_id}/{name}: a media file, for everyone who has its address."""

from starlette.types import Receive, Scope, Send

from common.errors import NotFoundError, UnavailableError
from common.media_names import DIGEST_DIGITS, MEDIA_TYPES
from common.media_store import MediaStoreError
from edge_api.api.headers import header_text, match_etag
from edge_api.api.request import IF_NONE_MATCH, IF_RANGE, RANGE, RequestContext
from edge_api.api.response import HeaderPairs, make_response
from edge_api.http.asgi import CONTEXT, send_response
from edge_api.http.responses import response_headers
from edge_api.media.files import MediaContent, MediaFiles
from edge_api.media.ranges import UnsatisfiableRangeError, requested_range

_IMMUTABLE = (b"cache-control", b"public, max-age=31536000, immutable")
_EMBEDDABLE = (b"cross-origin-resource-policy", b"cross-origin")
#: Fonts, and animations that a script fetches.
_OF_ALL_ORIGINS = (b"access-control-allow-origin", b"*")
_NEEDS_CORS = frozenset({"woff2", "json"})
_SVG_POLICY = (b"content-security-policy", b"sandbox; default-src 'none'; style-src 'unsafe-inline'")


class MediaEndpoint:
    """Sends files of the caches and of the store, complete or in one range."""

    def __init__(self, files: MediaFiles) -> None:
        self._files = files

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Send a file. Raises NotFoundError and UnavailableError."""
        context: RequestContext = scope[CONTEXT]
        project_id, name = scope["path_params"]["project_id"], scope["path_params"]["name"]
        file = await self._files.get(project_id, name)
        if file is None:
            raise NotFoundError("Not found")
        try:
            await _send_file(scope, send, context, name, file)
        finally:
            file.close()


async def _send_file(scope: Scope, send: Send, context: RequestContext, name: str, file: MediaContent) -> None:
    tag = f'"{name[:DIGEST_DIGITS]}"'
    headers = _headers(name, tag)
    requested = context.headers
    if match_etag(header_text(requested, IF_NONE_MATCH), (tag,)) is not None:
        await send_response(scope, send, make_response(304, headers, b""), context)
        return
    is_head = scope["method"] == "HEAD"
    try:
        wanted = (
            None
            if is_head
            else requested_range(header_text(requested, RANGE), header_text(requested, IF_RANGE), tag, file.size)
        )
    except UnsatisfiableRangeError:
        headers = (*headers[1:], (b"content-range", b"bytes */%d" % file.size))
        await send_response(scope, send, make_response(416, headers, b""), context)
        return
    status, start, end = (200, 0, file.size) if wanted is None else (206, *wanted)
    if wanted is not None:
        headers = (*headers, (b"content-range", b"bytes %d-%d/%d" % (start, end - 1, file.size)))
    headers = (*headers, (b"content-length", b"%d" % (end - start)))
    begin = {"type": "http.response.start", "status": status, "headers": [*headers, *response_headers(context)]}
    if is_head:
        await send(begin)
        await send({"type": "http.response.body", "body": b""})
        return
    portions = file.portions(start, end)
    try:
        # A file that cannot be read gets an error instead of a response that is cut.
        first = await anext(portions, b"")
    except (OSError, MediaStoreError) as error:
        raise UnavailableError("The media file cannot be read now") from error
    await send(begin)
    await send({"type": "http.response.body", "body": first, "more_body": True})
    async for portion in portions:
        await send({"type": "http.response.body", "body": portion, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _headers(name: str, tag: str) -> HeaderPairs:
    extension = name.rpartition(".")[2]
    return (
        (b"content-type", MEDIA_TYPES[extension].encode()),
        (b"etag", tag.encode()),
        (b"accept-ranges", b"bytes"),
        _IMMUTABLE,
        _EMBEDDABLE,
        *((_OF_ALL_ORIGINS,) if extension in _NEEDS_CORS else ()),
        *((_SVG_POLICY,) if extension == "svg" else ()),
    )
