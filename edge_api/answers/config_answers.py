"""The answers that a project's configuration has: in each form that it comes in, new or known to the client already."""

from collections.abc import Mapping
from typing import Self

import msgspec

from common.wire.snapshot import ConfigDocument
from edge_api.answers.answer import JSON_CONTENT, Answer
from edge_api.answers.content_coding import BROTLI, GZIP, IDENTITY

_CACHING = (
    (b"cache-control", b"private, max-age=60"),
    (b"vary", b"Accept-Encoding"),
)


class ConfigForm(msgspec.Struct, frozen=True, gc=False):
    """One form of the document, with a strong tag of its own."""

    tag: str
    whole: Answer
    not_modified: Answer


class ConfigAnswers(msgspec.Struct, frozen=True, gc=False):
    """All forms of the publisher's finished document, by their content codings and by their tags."""

    by_coding: Mapping[str, ConfigForm]
    by_tag: Mapping[str, ConfigForm]

    @classmethod
    def of(cls, document: ConfigDocument) -> Self:
        """Make the answers; the bodies are the document's own bytes."""
        forms = {IDENTITY: _plain_form(document), GZIP: _coded_form(document, GZIP, document.gzip)}
        if document.brotli:
            forms[BROTLI] = _coded_form(document, BROTLI, document.brotli)
        return cls(forms, {form.tag: form for form in forms.values()})

    def preferred(self, ranked: tuple[str, ...]) -> ConfigForm:
        """Give the form in the first of these codings that there is one in; else the plain one."""
        for coding in ranked:
            form = self.by_coding.get(coding)
            if form is not None:
                return form
        return self.by_coding[IDENTITY]


def _plain_form(document: ConfigDocument) -> ConfigForm:
    return _form(f'"{document.etag}"', document.body)


def _coded_form(document: ConfigDocument, coding: str, body: bytes) -> ConfigForm:
    return _form(f'"{document.etag}-{coding}"', body, (b"content-encoding", coding.encode()))


def _form(tag: str, body: bytes, *coding: tuple[bytes, bytes]) -> ConfigForm:
    own_tag = (b"etag", tag.encode())
    whole = Answer.of(200, (JSON_CONTENT, own_tag, *_CACHING, *coding), body)
    return ConfigForm(tag, whole, Answer.of(304, (own_tag, *_CACHING), b""))
