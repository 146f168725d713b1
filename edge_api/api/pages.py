"""Hosted pages (contract, section 8, Addresses of the edge): their address, and requests with a ticket."""

import gzip
import re
import time

import orjson

from common.errors import (
    Detail,
    FlowNotFoundError,
    InvalidRequestError,
    ProjectCredentialsError,
    UnavailableError,
)
from common.json_body import convert_object
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.page_shell import content_security_policy
from common.wire.public_bodies import ResolveBody
from common.wire.snapshot import Snapshot
from common.wire.stream_records import EventRecord
from common.wire.tickets import PREVIEW_SECONDS, TICKET_SECONDS, PreviewLink, Ticket, Tickets
from edge_api.api.config import accepted_codings
from edge_api.api.config_representations import GZIP
from edge_api.api.handler import Endpoint
from edge_api.api.headers import header_text
from edge_api.api.page_context import PageAssignments, context_of, page_locale
from edge_api.api.request import (
    ACCEPT_ENCODING,
    FORWARDED_HOST,
    FORWARDED_PROTO,
    HOST,
    AuthenticatedProject,
    Headers,
    RequestContext,
)
from edge_api.api.resolve import ResolveEndpoint
from edge_api.api.response import JSON_CONTENT, DurableResponse, HandlerResult, HeaderPairs, Response, make_response
from edge_api.api.stored_page import StoredPages
from edge_api.snapshots.bodies import Bodies

HTML_CONTENT = (b"content-type", b"text/html; charset=utf-8")
_NO_STORE = (b"cache-control", b"no-store")
_VARY = (b"vary", b"Accept-Encoding")
_VARY_BY_LANGUAGE = (b"vary", b"Accept-Encoding, Accept-Language")
_HOST = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_SCREEN = re.compile("[1-9][0-9]{0,3}")
_RETRY_SECONDS = 2
#: The page of a new link is published within this time.
_LINK_SECONDS = 60


def page_headers(frame_ancestors: str = "'none'", media_url: str | None = None) -> HeaderPairs:
    """Return the headers of every HTML document; `frame_ancestors` is the origin that may show it in a frame.

    `media_url` is where media files come from, if not from the edge.
    """
    pairs: HeaderPairs = (
        HTML_CONTENT,
        (b"content-security-policy", content_security_policy(frame_ancestors, media_url).encode("ascii")),
        # The address holds a ticket.
        (b"referrer-policy", b"no-referrer"),
        # An app asks for permissions itself; the page only tells it to.
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    )
    return (*pairs, (b"x-frame-options", b"DENY")) if frame_ancestors == "'none'" else pairs


def request_origin(headers: Headers) -> str:
    """Return the origin of the request's URL. Raises InvalidRequestError.

    The headers of proxies must have been removed where the peer is not trusted.
    """
    scheme = _first(headers, FORWARDED_PROTO)
    host = _first(headers, FORWARDED_HOST) or _first(headers, HOST) or ""
    if _HOST.fullmatch(host) is None:
        raise InvalidRequestError([Detail.invalid("Host", "must be a host name or an address")])
    return f"{scheme if scheme in {'http', 'https'} else 'http'}://{host}"


def public_url(snapshot: Snapshot, configured: str | None, headers: Headers) -> str:
    """Return the URL in front of the paths of a project's pages. Raises InvalidRequestError."""
    if snapshot.custom_domain is not None:
        return f"https://{snapshot.custom_domain}"
    return request_origin(headers) if configured is None else configured


class GlobalConfigEndpoint:
    """GET /api/global-config: the address below which an SDK finds its flow and its pages, with a new ticket."""

    def __init__(self, tickets: Tickets, configured_url: str | None) -> None:
        self._tickets = tickets
        self._configured_url = configured_url

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> Response:
        """Return the address. Raises InvalidRequestError."""
        snapshot = project.snapshot.snapshot
        url = public_url(snapshot, self._configured_url, request.headers)
        ticket = self._tickets.issue(Ticket(snapshot.project_id, project.key_id, int(time.time()) + TICKET_SECONDS))
        body = orjson.dumps({"backendDomain": f"{url}/s/{ticket}"})
        return make_response(200, (JSON_CONTENT, _NO_STORE), body)


class TicketResolveEndpoint:
    """GET /s/{ticket}/api/onboarding/resolve: the response of POST /api/onboarding/resolve."""

    def __init__(self, resolve: ResolveEndpoint) -> None:
        self._resolve = resolve

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Resolve the device. Raises RequestError."""
        _check_project(project, request.query.get("projectId", "").strip())
        document = {**context_of(request.query, request.headers), "deviceId": request.query.get("deviceId")}
        return self._resolve.resolve(project, convert_object(document, ResolveBody))


class TicketEventsEndpoint:
    """POST /s/{ticket}/api/analytics/events: the endpoint of batches, which finds the experiments of the events."""

    def __init__(self, events: Endpoint, tokens: AssignmentTokens) -> None:
        self._events = events
        self._tokens = tokens

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> HandlerResult:
        """Submit the events of the batch. Raises RequestError."""
        if project.link is not None:
            # A preview records nothing.
            raise ProjectCredentialsError
        result = self._events.handle(project, request)
        if not isinstance(result, DurableResponse):
            return result
        found = PageAssignments(project.snapshot, self._tokens, context_of(request.query, request.headers))
        records = tuple(
            found.assign(record) if isinstance(record, EventRecord) else record for record in result.records
        )
        return DurableResponse(tuple(records), result.response)


class PageEndpoint:
    """GET /s/{ticket}/onboarding/{flow_id}/{number}: the publisher's finished page of a flow.

    All screens are in it, so it is the same for each number. With `stored=1` it is a document without links.
    """

    def __init__(self, media_url: str | None, stored: StoredPages) -> None:
        headers = page_headers(media_url=media_url)
        self._headers = (*headers, (b"cache-control", b"private, no-cache"))
        self._stored = stored

    def handle(self, project: AuthenticatedProject, request: RequestContext) -> Response:
        """Return the page. Raises FlowNotFoundError, and UnavailableError while it is not published yet."""
        flow_id = request.parameters["flow_id"]
        loaded = project.snapshot
        if flow_id not in loaded.snapshot.flow_ids or _SCREEN.fullmatch(request.parameters["number"]) is None:
            raise FlowNotFoundError
        link = project.link
        if link is None:
            override = loaded.answers.rules.overrides.get(request.query.get("deviceId", "").strip())
            is_draft = override is not None and override.is_draft and override.flow_id == flow_id
        elif link.flow_id == flow_id:
            is_draft = link.is_draft
        else:
            raise FlowNotFoundError
        headers = self._headers
        bodies: Bodies = loaded.answers
        locales = loaded.answers.locales
        if locales is None:
            headers = (*headers, _VARY)
        else:
            locale = page_locale(locales, request.query, request.headers)
            headers = (*headers, _VARY_BY_LANGUAGE, (b"content-language", locale.encode()))
            bodies = loaded.answers.in_locale(locale)
        page = bodies.page((flow_id, is_draft, link is not None))
        if page is None:
            if loaded.snapshot.pages is None or (link is not None and _is_new(link)):
                raise UnavailableError("The page is being prepared", retry_after_seconds=_RETRY_SECONDS)
            raise FlowNotFoundError
        if link is not None and link.expires_at - PREVIEW_SECONDS < page.valid_from:
            # Revoked. A link that was made since has published the page again.
            raise ProjectCredentialsError
        is_stored = link is None and request.query.get("stored") == "1"
        content = self._stored.page(page.gzip) if is_stored else page.gzip
        if GZIP in accepted_codings(header_text(request.headers, ACCEPT_ENCODING)):
            return make_response(200, (*headers, (b"content-encoding", b"gzip")), content)
        return make_response(200, headers, gzip.decompress(content))


def _check_project(project: AuthenticatedProject, project_id: str) -> None:
    """Check the project id beside the ticket of a secret key. Raises RequestError."""
    if not project_id:
        raise InvalidRequestError([Detail.missing("projectId")])
    if project.link is not None or project_id != project.snapshot.snapshot.project_id:
        raise ProjectCredentialsError


def _is_new(link: PreviewLink) -> bool:
    return time.time() < link.expires_at - PREVIEW_SECONDS + _LINK_SECONDS


def _first(headers: Headers, name: bytes) -> str | None:
    """Return the first value of a header, to which each proxy may have added one."""
    value = header_text(headers, name)
    return None if value is None else value.partition(",")[0].strip()
