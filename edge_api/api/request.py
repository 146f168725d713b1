"""A request as the handler sees it: the headers that the edge reads, the client, and the authenticated project."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec

from common.rate_limit.limiter import RateLimitDecision
from common.wire.tickets import PreviewLink
from edge_api.api.routes import EdgeRoute
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
RANGE = b"range"
IF_RANGE = b"if-range"
FORWARDED_FOR = b"x-forwarded-for"
FORWARDED_HOST = b"x-forwarded-host"
FORWARDED_PROTO = b"x-forwarded-proto"
EXPECT = b"expect"
HOST = b"host"
USER_AGENT = b"user-agent"
ACCEPT_LANGUAGE = b"accept-language"
ORIGIN = b"origin"
AUTHORIZATION = b"authorization"
API_KEY = b"x-api-key"
#: Of preflights, which Starlette reads.
_PREFLIGHT = (b"access-control-request-method", b"access-control-request-headers")

_READ = (
    *(PROJECT_ID, SECRET_KEY, REQUEST_ID, CONTENT_TYPE, CONTENT_LENGTH),
    *(ACCEPT_ENCODING, IF_NONE_MATCH, FORWARDED_FOR, FORWARDED_HOST, FORWARDED_PROTO, EXPECT, HOST),
    *(USER_AGENT, ACCEPT_LANGUAGE, RANGE, IF_RANGE, ORIGIN, AUTHORIZATION, API_KEY, *_PREFLIGHT),
)
#: Frequent headers that the edge does not read.
_IGNORED = (b"accept", b"connection", b"cache-control")
_SPELLINGS = {
    spelling: name if name in _READ else b""
    for name in (*_READ, *_IGNORED)
    for spelling in (name, name.title(), name.title().replace(b"-Id", b"-ID"))
}
#: Return the lower-case name of a header from its usual spelling: empty for one that is ignored, None for any other.
usual_name = _SPELLINGS.get


_NOTHING: Mapping[str, str] = MappingProxyType({})


class AuthenticatedProject(msgspec.Struct, frozen=True, gc=False):
    """The project whose secret key came with the request, itself or in a ticket, and the id of that key.

    With the link to a preview there is no key.
    """

    snapshot: LoadedSnapshot
    key_id: str
    link: PreviewLink | None = None


class RequestContext(msgspec.Struct, gc=False):
    """One request. `project` is set once the credentials are verified, `decision` once the request is counted.

    `peer` is the address of the connected client, see `RequestHandler.peer_address`. `loaded` is the result of a load
    that this request has waited for. `body` is complete when an endpoint gets the request; it stays empty on a route
    that reads none. Only the ASGI way reads `query`, and `parameters`, which are those of the path.
    """

    route: EdgeRoute
    headers: Headers
    peer: str
    request_id: bytes
    project: AuthenticatedProject | None = None
    decision: RateLimitDecision | None = None
    ticket: str | None = None
    loaded: LoadedSnapshot | msgspec.UnsetType | None = msgspec.UNSET
    body: bytes = b""
    query: Mapping[str, str] = _NOTHING
    parameters: Mapping[str, str] = _NOTHING

    def __repr__(self) -> str:
        # It holds a secret key or a ticket.
        return "RequestContext()"

    @property
    def project_id(self) -> str | None:
        """The project's id once the credentials are verified, for logs."""
        return None if self.project is None else self.project.snapshot.snapshot.project_id


def read_headers(pairs: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return the headers that the edge reads."""
    headers: Headers = {}
    for name, value in pairs:
        read = usual_name(name.lower())
        if read:
            headers[read] = b"%b, %b" % (headers[read], value) if read in headers else value
    return headers
