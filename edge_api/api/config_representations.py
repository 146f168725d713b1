"""The responses that a project's configuration has: in each content coding, complete or not modified.

Apart from `config.py` because loaded snapshots keep them, and the endpoint needs loaded snapshots.
"""

from collections.abc import Mapping
from typing import Self

import msgspec

from common.wire.snapshot import ConfigDocument
from edge_api.api.response import JSON_CONTENT, Response, make_response

BROTLI = "br"
GZIP = "gzip"
IDENTITY = "identity"

_CACHING = (
    (b"cache-control", b"private, max-age=60"),
    (b"vary", b"Accept-Encoding"),
)


class Representation(msgspec.Struct, frozen=True, gc=False):
    """The document in one content coding, with a strong entity tag of its own."""

    tag: str
    full: Response
    not_modified: Response


class ConfigRepresentations(msgspec.Struct, frozen=True, gc=False):
    """All representations of the publisher's document, by content coding and by entity tag."""

    by_coding: Mapping[str, Representation]
    by_tag: Mapping[str, Representation]
    #: The responses to clients whose If-None-Match is just one of the tags.
    not_modified: Mapping[bytes, Response]

    @classmethod
    def from_document(cls, document: ConfigDocument) -> Self:
        """Create the responses; the bodies are the document's own bytes."""
        by_coding = {
            IDENTITY: _representation(f'"{document.etag}"', document.body),
            GZIP: _coded(document, GZIP, document.gzip),
            BROTLI: _coded(document, BROTLI, document.brotli),
        }
        representations = by_coding.values()
        return cls(
            by_coding,
            {representation.tag: representation for representation in representations},
            {representation.tag.encode(): representation.not_modified for representation in representations},
        )

    def preferred(self, accepted: tuple[str, ...]) -> Representation:
        """Return the representation in the first of these codings that exists, otherwise the plain one."""
        for coding in accepted:
            representation = self.by_coding.get(coding)
            if representation is not None:
                return representation
        return self.by_coding[IDENTITY]


def _coded(document: ConfigDocument, coding: str, body: bytes) -> Representation:
    return _representation(f'"{document.etag}-{coding}"', body, (b"content-encoding", coding.encode()))


def _representation(tag: str, body: bytes, *coding: tuple[bytes, bytes]) -> Representation:
    own_tag = (b"etag", tag.encode())
    full = make_response(200, (JSON_CONTENT, own_tag, *_CACHING, *coding), body)
    return Representation(tag, full, make_response(304, (own_tag, *_CACHING), b""))
