"""The table of the edge's routes: dispatch, metrics, traces, rate limits and documents read it.

A ticket is a credential, so no path with a ticket is written anywhere: its template stands for it.
"""

import re
from dataclasses import dataclass
from enum import Enum

from common.rate_limit.counted_paths import is_counted
from common.wire.public_bodies import BATCH_BODY_BYTES, SINGLE_BODY_BYTES

_UNVERSIONED, _VERSIONED = "/api/", "/api/v1/"


class Credential(Enum):
    """The place of the credential of a request."""

    HEADERS = "headers"
    QUERY = "query"
    TICKET = "ticket"
    NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class EdgeRoute:
    """A path, or its template with parameters in braces, and the requests that it accepts.

    `body_limit` is in bytes; None when no body is read. The fast path serves a route with `is_fast`, whose path has no
    parameters. Browsers show the responses of a route with `is_page`, so that its errors are HTML instead of JSON.
    """

    path: str
    methods: tuple[str, ...]
    body_limit: int | None = None
    credential: Credential = Credential.HEADERS
    is_fast: bool = False
    is_page: bool = False
    is_counted: bool = True

    @property
    def paths(self) -> tuple[str, ...]:
        """The path, and the one with the version: without it, it is v1 (contract, section 1)."""
        if self.path.startswith(_UNVERSIONED):
            return (self.path, self.path.replace(_UNVERSIONED, _VERSIONED, 1))
        return (self.path,)


_READ, _POST = ("GET", "HEAD"), ("POST",)
_NONE, _TICKET = Credential.NONE, Credential.TICKET

RESOLVE = EdgeRoute("/api/onboarding/resolve", _POST, SINGLE_BODY_BYTES, is_fast=True)
CONFIG = EdgeRoute("/api/config", _READ, is_fast=True)
EVENT = EdgeRoute("/api/analytics/event", _POST, SINGLE_BODY_BYTES, is_fast=True)
EVENTS = EdgeRoute("/api/analytics/events", _POST, BATCH_BODY_BYTES, is_fast=True)
GLOBAL_CONFIG = EdgeRoute("/api/global-config", _READ, credential=Credential.QUERY)
TICKET_RESOLVE = EdgeRoute("/s/{ticket}/api/onboarding/resolve", _READ, credential=_TICKET)
TICKET_EVENTS = EdgeRoute("/s/{ticket}/api/analytics/events", _POST, BATCH_BODY_BYTES, _TICKET)
PAGE = EdgeRoute("/s/{ticket}/onboarding/{flow_id}/{number}", _READ, credential=_TICKET, is_page=True)
ASSET = EdgeRoute("/onboarding/assets/{asset}", _READ, credential=_NONE, is_page=True, is_counted=False)
PREVIEW = EdgeRoute("/onboarding/preview", _READ, credential=_NONE, is_page=True, is_counted=False)
OFREP_FLAG = EdgeRoute("/ofrep/v1/evaluate/flags/{key}", _POST, SINGLE_BODY_BYTES)
OFREP_FLAGS = EdgeRoute("/ofrep/v1/evaluate/flags", _POST, SINGLE_BODY_BYTES)
#: The same for clients whose address of the service ends with /api.
API_OFREP_FLAG = EdgeRoute("/api/ofrep/v1/evaluate/flags/{key}", _POST, SINGLE_BODY_BYTES)
API_OFREP_FLAGS = EdgeRoute("/api/ofrep/v1/evaluate/flags", _POST, SINGLE_BODY_BYTES)
MEDIA = EdgeRoute("/media/{project_id}/{name}", _READ, credential=_NONE)
LIVE = EdgeRoute("/health/live", _READ, credential=_NONE, is_counted=False)
READY = EdgeRoute("/health/ready", _READ, credential=_NONE, is_counted=False)

#: In the order in which they are matched. No path matches two of them.
ROUTES = (
    *(RESOLVE, CONFIG, EVENT, EVENTS, GLOBAL_CONFIG),
    *(TICKET_RESOLVE, TICKET_EVENTS, PAGE, ASSET, PREVIEW, MEDIA, LIVE, READY),
    *(OFREP_FLAG, OFREP_FLAGS, API_OFREP_FLAG, API_OFREP_FLAGS),
)

_BY_PATH = {path: route for route in ROUTES for path in route.paths}
_TEMPLATES = tuple(
    (re.compile(re.sub(r"{\w+}", "[^/]+", route.path), re.DOTALL), route) for route in ROUTES if "{" in route.path
)
_HAS_TICKET = re.compile("/s/([^/]*)")
_IS_PAGE = re.compile("(?:/s/[^/]*)?/onboarding(?:/|$)")
#: A ticket at any other place, as in a path with a slash too many. Ids are shorter.
_LONG = re.compile("[A-Za-z0-9_-]{60,}")


def route_of(path: str) -> EdgeRoute:
    """Return the route of a path; for an unknown path one without methods, whose path has nothing like a ticket."""
    route = _BY_PATH.get(path)
    if route is not None:
        return route
    for pattern, found in _TEMPLATES:
        if pattern.fullmatch(path) is not None:
            return found
    safe = "/s/{ticket}" if path.startswith("/s/") else _LONG.sub("{ticket}", path)
    return EdgeRoute(safe, (), is_page=is_page(path), is_counted=is_counted(path))


def ticket_in(path: str) -> str | None:
    """Return the ticket of a path; None for a path that has no place for one."""
    found = _HAS_TICKET.match(path)
    return None if found is None else found[1]


def is_page(path: str) -> bool:
    """Return whether a browser shows the response for any path, known or not, so that an error has to be HTML."""
    return _IS_PAGE.match(path) is not None
