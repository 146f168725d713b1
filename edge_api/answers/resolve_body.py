"""The body of a resolve, in one typed decode for nearly all that are sent."""

from typing import Annotated

import msgspec
from msgspec import Meta

from common.public_bodies import MAX_DEVICE_ID_LENGTH, MAX_FIELD_LENGTH, ResolveBody
from common.typed_json import convert_object, parse_object


class _PlainBody(ResolveBody, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Without the patterns, which cost more than the rest: without a backslash no text has control characters."""

    device_id: Annotated[str, Meta(min_length=1, max_length=MAX_DEVICE_ID_LENGTH)]
    app_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    os_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    locale: str | None = None
    country: str | None = None

    def is_plain(self) -> bool:
        """Tell whether it is what the whole way would have read: no text to trim, no attributes to look into."""
        return (
            self.attributes is None
            and self.device_id == self.device_id.strip()
            and (self.app_version is None or self.app_version == self.app_version.strip())
            and (self.os_version is None or self.os_version == self.os_version.strip())
            and (self.country is None or _is_word_of_two(self.country))
            and (self.locale is None or _is_usual_locale(self.locale))
        )


def _is_word_of_two(text: str) -> bool:
    return len(text) == _WORD and text.isascii() and text.isalpha()


def _is_usual_locale(text: str) -> bool:
    """Tell `pt` and `pt-BR` without the whole pattern, which all others are left to."""
    language, _, region = text.partition("-")
    return _is_word_of_two(language) and (_is_word_of_two(region) or len(text) == _WORD)


_WORD = 2
_DECODER = msgspec.json.Decoder(_PlainBody)


def read_resolve_body(body: bytes) -> ResolveBody:
    """Read the body. Raises MalformedBodyError and InvalidRequestError, which name every bad field.

    What the short way refuses, or is not sure of, goes the whole way.
    """
    if b"\\" not in body:
        try:
            read = _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        else:
            if read.is_plain():
                return read
    return convert_object(parse_object(body), ResolveBody)
