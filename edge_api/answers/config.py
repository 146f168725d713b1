"""GET /api/config: everything that an SDK needs to resolve by itself (contract, section 4)."""

from edge_api.answers.answer import JSON_CONTENT, Answer, HeaderPairs, header_lines
from edge_api.answers.content_coding import prefers_gzip
from edge_api.answers.credentials import Access
from edge_api.answers.entity_tags import first_listed
from edge_api.answers.request_head import RequestHead

_CACHING = (
    (b"cache-control", b"private, max-age=60"),
    (b"vary", b"Accept-Encoding"),
)
_CACHING_LINES = header_lines(_CACHING)
_GZIP = (b"content-encoding", b"gzip")


class ConfigEndpoint:
    """Sends the publisher's finished document, plain or compressed: two forms, each with a strong tag of its own."""

    methods = ("GET", "HEAD")
    body_limit = None

    def answer(self, access: Access, head: RequestHead, _body: bytes) -> Answer:
        """Give the document, or 304 to a client that has it in either form."""
        document = access.resident.snapshot.config
        plain_tag, gzip_tag = f'"{document.etag}"', f'"{document.etag}-gzip"'
        compressed = prefers_gzip(head.accept_encoding)
        tag, other_tag = (gzip_tag, plain_tag) if compressed else (plain_tag, gzip_tag)
        known = first_listed(head.if_none_match, (tag, other_tag))
        if known is not None:
            own_tag = known.encode()
            return Answer(304, ((b"etag", own_tag), *_CACHING), b"", b"etag: %b\r\n%b" % (own_tag, _CACHING_LINES))
        headers: HeaderPairs = (JSON_CONTENT, (b"etag", tag.encode()), *_CACHING)
        if compressed:
            headers = (*headers, _GZIP)
        return Answer(200, headers, document.gzip if compressed else document.body, header_lines(headers))
