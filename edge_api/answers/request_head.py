"""The headers of a request that the edge reads, taken from the raw ones in one pass."""

from collections.abc import Iterable
from typing import Self

import msgspec

_FIELD_OF = {
    b"x-project-id": "project_id",
    b"x-secret-key": "secret_key",
    b"x-request-id": "request_id",
    b"content-type": "content_type",
    b"content-length": "content_length",
    b"accept-encoding": "accept_encoding",
    b"if-none-match": "if_none_match",
    b"x-forwarded-for": "forwarded_for",
    b"expect": "expect",
}
#: Most requests have these, and nobody here reads them.
_UNREAD = (b"host", b"user-agent", b"accept", b"accept-language", b"connection")
_NOBODYS = ""
#: To look a name up as nearly all clients spell it is cheaper than to fold its case first.
_USUAL_SPELLINGS = {
    spelling: field
    for name, field in [*_FIELD_OF.items(), *((name, _NOBODYS) for name in _UNREAD)]
    for spelling in (name, name.title())
}


class RequestHeaders(msgspec.Struct, gc=False):
    """Header values, trimmed; one that is empty counts as absent. Its repr is empty, because it holds a secret key."""

    project_id: str | None = None
    secret_key: str | None = None
    request_id: str | None = None
    content_type: str | None = None
    content_length: str | None = None
    accept_encoding: str | None = None
    if_none_match: str | None = None
    forwarded_for: str | None = None
    expect: str | None = None

    def __repr__(self) -> str:
        return "RequestHead()"

    @classmethod
    def of(cls, raw: Iterable[tuple[bytes, bytes]]) -> Self:
        """Read pairs as they came; repeated headers are joined (RFC 9110, 5.3)."""
        found: dict[str, str] = {}
        for name, value in raw:
            field = _USUAL_SPELLINGS.get(name)
            if field is None:
                field = _FIELD_OF.get(name.lower(), _NOBODYS)
            if field:
                text = value.decode("latin-1").strip()
                if text:
                    found[field] = f"{found[field]}, {text}" if field in found else text
        return cls(**found)
