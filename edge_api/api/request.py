"""A request as the handler sees it: the headers that the edge reads, the client, and what is known of the project."""

import random
from binascii import hexlify
from collections.abc import Iterable

import msgspec

from common.errors import PayloadTooLargeError, UnsupportedMediaTypeError
from common.ids import MAX_REQUEST_ID_LENGTH, is_safe_request_id
from common.rate_limit.limiter import LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER, RateLimitDecision
from edge_api.api.response import HeaderPairs, header_lines
from edge_api.snapshots.loaded import LoadedSnapshot

#: Names in lower case, values as they came; repeated headers are joined (RFC 9110, 5.3).
Headers = dict[bytes, bytes]

PROJECT_ID = b"x-project-id"
SECRET_KEY = b"x-secret-key"
REQUEST_ID = b"x-request-id"
CONTENT_TYPE = b"content-type"
CONTENT_LENGTH = b"content-length"
ACCEPT_ENCODING = b"accept-encoding"
IF_NONE_MATCH = b"if-none-match"
FORWARDED_FOR = b"x-forwarded-for"
EXPECT = b"expect"
HOST = b"host"

_JSON = b"application/json"

_READ = (
    *(PROJECT_ID, SECRET_KEY, REQUEST_ID, CONTENT_TYPE, CONTENT_LENGTH),
    *(ACCEPT_ENCODING, IF_NONE_MATCH, FORWARDED_FOR, EXPECT, HOST),
)
#: Frequent headers that the edge does not read.
_IGNORED = (b"user-agent", b"accept", b"accept-language", b"connection", b"cache-control", b"x-forwarded-proto")
_SPELLINGS = {
    spelling: name if name in _READ else b""
    for name in (*_READ, *_IGNORED)
    for spelling in (name, name.title(), name.title().replace(b"-Id", b"-ID"))
}
#: Return the lower-case name of a header from its usual spelling: empty for one that is ignored, None for any other.
usual_name = _SPELLINGS.get


_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
_LIMIT, _REMAINING, _RESET = (name.lower().encode() for name in (LIMIT_HEADER, REMAINING_HEADER, RESET_HEADER))
#: `RequestContext.response_headers` of a request that was authenticated and counted.
_HEADER_LINES = (
    b"x-request-id: %%b\r\nx-content-type-options: nosniff\r\n"
    b"%b: %%d\r\n%b: %%d\r\n%b: %%d\r\nx-config-version: %%d\r\n"
) % (_LIMIT, _REMAINING, _RESET)


class AuthenticatedProject(msgspec.Struct, frozen=True, gc=False):
    """The project whose secret key came with the request, and the id of that key."""

    snapshot: LoadedSnapshot
    key_id: str


class RequestContext(msgspec.Struct, gc=False):
    """One request. `project` is set once the credentials are verified, `decision` once the request is counted.

    `peer` is the address of the connected client, None on a Unix socket.
    """

    path: str
    headers: Headers
    peer: str | None
    request_id: bytes
    project: AuthenticatedProject | None = None
    decision: RateLimitDecision | None = None

    def __repr__(self) -> str:
        # The headers hold a secret key.
        return "RequestContext()"

    @property
    def project_id(self) -> str | None:
        """The project's id once the credentials are verified, for logs."""
        return None if self.project is None else self.project.snapshot.snapshot.project_id

    def response_headers(self) -> HeaderPairs:
        """Return the headers that the response carries besides its own (contract, sections 1 and 4)."""
        pairs: HeaderPairs = ((b"x-request-id", self.request_id), _NO_SNIFFING)
        decision = self.decision
        if decision is not None:
            pairs += (
                (_LIMIT, b"%d" % decision.limit),
                (_REMAINING, b"%d" % decision.remaining),
                (_RESET, b"%d" % decision.resets_at),
            )
        if self.project is None:
            return pairs
        return (*pairs, (b"x-config-version", b"%d" % self.project.snapshot.revision))

    def response_header_lines(self) -> bytes:
        """Return the same headers as they are sent over HTTP/1.1."""
        decision, project = self.decision, self.project
        if decision is None or project is None:
            return header_lines(self.response_headers())
        return _HEADER_LINES % (
            self.request_id,
            decision.limit,
            decision.remaining,
            decision.resets_at,
            project.snapshot.snapshot.revision,
        )


def read_headers(pairs: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return the headers that the edge reads."""
    headers: Headers = {}
    for name, value in pairs:
        read = usual_name(name.lower())
        if read:
            headers[read] = b"%b, %b" % (headers[read], value) if read in headers else value
    return headers


def header_text(headers: Headers, name: bytes) -> str | None:
    """Return the trimmed value of a header; None if it is absent or empty."""
    value = headers.get(name)
    return None if value is None else value.decode("latin-1").strip() or None


#: A generator of its own: tests and libraries seed the shared one, which would repeat ids.
_random_bits = random.Random().getrandbits  # noqa: S311 - request ids are no secrets # nosec B311 # as said


def request_id_from(headers: Headers) -> bytes:
    """Return the client's request id if it is safe, otherwise a new one."""
    incoming = headers.get(REQUEST_ID)
    if incoming is not None:
        incoming = incoming.strip()
        # Letters, digits and hyphens alone, as in a UUID, are always safe.
        if incoming.replace(b"-", b"").isalnum() and len(incoming) <= MAX_REQUEST_ID_LENGTH:
            return incoming
        if is_safe_request_id(incoming.decode("latin-1")):
            return incoming
    return hexlify(_random_bits(64).to_bytes(8))


def check_declared_body(headers: Headers, limit_bytes: int) -> None:
    """Check the type and the declared length of a body before any of it is read.

    Raises UnsupportedMediaTypeError and PayloadTooLargeError. A length that is declared too small, or not at all, is
    noticed while the body is read.
    """
    if headers.get(CONTENT_TYPE) != _JSON:
        _check_media_type(headers)
    length = headers.get(CONTENT_LENGTH)
    if length is not None and length.isdigit() and _exceeds(length, limit_bytes):
        raise PayloadTooLargeError(limit_bytes)


def _check_media_type(headers: Headers) -> None:
    declared = header_text(headers, CONTENT_TYPE)
    if declared is None or declared.partition(";")[0].strip().lower() != _JSON.decode():
        raise UnsupportedMediaTypeError


def _exceeds(length: bytes, limit_bytes: int) -> bool:
    """Compare without converting a number of thousands of digits, which Python refuses."""
    digits = length.lstrip(b"0")
    return len(digits) > len(str(limit_bytes)) or (digits != b"" and int(digits) > limit_bytes)
