"""The body of a resolve, in one typed decode for nearly all that are sent."""

from itertools import product
from string import ascii_letters
from typing import Annotated

import msgspec
from msgspec import Meta

from common.json_body import convert_object, parse_object
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH, MAX_FIELD_LENGTH, ResolveBody


class _PlainBody(ResolveBody, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Without the patterns, which cost more than the rest: without a backslash no text has control characters."""

    device_id: Annotated[str, Meta(min_length=1, max_length=MAX_DEVICE_ID_LENGTH)]
    app_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    os_version: Annotated[str, Meta(max_length=MAX_FIELD_LENGTH)] | None = None
    locale: str | None = None
    country: str | None = None

    def is_trimmed(self) -> bool:
        """Tell whether there is no white space around the members that would be trimmed."""
        return (
            self.device_id == self.device_id.strip()
            and (self.app_version is None or self.app_version == self.app_version.strip())
            and (self.os_version is None or self.os_version == self.os_version.strip())
            and (self.assignment_token is None or self.assignment_token == self.assignment_token.strip())
        )


#: A country, and a language or a language and a region as in `pt-BR`. Longer tags are left to the whole pattern.
_COUNTRY = frozenset(map("".join, product(ascii_letters, repeat=2)))
_REGION = frozenset({"", *(f"-{country}" for country in _COUNTRY)})
_BACKSLASH, _SPACE = b"\\ "
_DECODER = msgspec.json.Decoder(_PlainBody)


def read_resolve_body(body: bytes) -> ResolveBody:
    """Read the body. Raises MalformedBodyError and InvalidRequestError, which name every bad field.

    What the short way refuses, or is not sure of, goes the whole way.
    """
    if _BACKSLASH not in body:
        try:
            read = _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
        else:
            locale = read.locale
            if (
                read.attributes is None
                and (read.country is None or read.country in _COUNTRY)
                and (locale is None or (locale[:2] in _COUNTRY and locale[2:] in _REGION))
                and ((_SPACE not in body and body.isascii()) or read.is_trimmed())
            ):
                return read
    return convert_object(parse_object(body), ResolveBody)
