"""The four answers that a project's configuration has: in two forms, each new or known to the client already."""

from typing import Self

import msgspec

from common.snapshot import ConfigDocument
from edge_api.answers.answer import JSON_CONTENT, Answer

_CACHING = (
    (b"cache-control", b"private, max-age=60"),
    (b"vary", b"Accept-Encoding"),
)
_GZIP = (b"content-encoding", b"gzip")


class ConfigForm(msgspec.Struct, frozen=True, gc=False):
    """One form of the document, with a strong tag of its own."""

    tag: str
    whole: Answer
    not_modified: Answer


class ConfigAnswers(msgspec.Struct, frozen=True, gc=False):
    """Both forms of the publisher's finished document."""

    plain: ConfigForm
    gzip: ConfigForm

    @classmethod
    def of(cls, document: ConfigDocument) -> Self:
        """Make the answers; the bodies are the document's own bytes."""
        plain_tag, gzip_tag = f'"{document.etag}"', f'"{document.etag}-gzip"'
        return cls(_form(plain_tag, document.body), _form(gzip_tag, document.gzip, _GZIP))


def _form(tag: str, body: bytes, *coding: tuple[bytes, bytes]) -> ConfigForm:
    own_tag = (b"etag", tag.encode())
    whole = Answer.of(200, (JSON_CONTENT, own_tag, *_CACHING, *coding), body)
    return ConfigForm(tag, whole, Answer.of(304, (own_tag, *_CACHING), b""))
