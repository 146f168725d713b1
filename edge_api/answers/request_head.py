"""The headers of a request that the edge reads, taken from the raw ones in one pass."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

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


@dataclass(slots=True, repr=False)
class RequestHead:
    """Header values, trimmed; one that is empty counts as absent. It has no repr, because it holds a secret key."""

    project_id: str | None = None
    secret_key: str | None = None
    request_id: str | None = None
    content_type: str | None = None
    content_length: str | None = None
    accept_encoding: str | None = None
    if_none_match: str | None = None
    forwarded_for: str | None = None
    expect: str | None = None

    @classmethod
    def of(cls, raw: Iterable[tuple[bytes, bytes]]) -> Self:
        """Read pairs as they came; repeated headers are joined (RFC 9110, 5.3)."""
        found: dict[str, str] = {}
        for name, value in raw:
            field = _FIELD_OF.get(name.lower())
            text = value.decode("latin-1").strip() if field else ""
            if field and text:
                found[field] = f"{found[field]}, {text}" if field in found else text
        return cls(**found)
