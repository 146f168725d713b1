"""Finished bodies with places for the texts of locales, so that a snapshot has each text once and no flow twice.

The publisher makes a body with marks in place of strings, and `unmarked` puts the base texts there. The edge puts the
texts of another locale into the same places.
"""

import re
from collections.abc import Callable, Iterable, Mapping

import orjson

from common.wire.page_shell import escape_script

#: The start and the end of a JSON string in a body, in bytes, and the number of its text.
Place = tuple[int, int, int]

#: The numbers of the tag of the locale, of its direction, and of the script of its words. Those of texts follow.
LOCALE, DIRECTION, WORDS = 0, 1, 2

#: Characters for private use. `mark_prefix` makes sure that no text of the flow begins with them.
_PREFIX, _END = "\ue000l10n", "\ue001"


def json_string(text: str) -> bytes:
    """Return a text as it stands in a response."""
    return orjson.dumps(text)


def page_string(text: str) -> bytes:
    """Return a text as it stands in the HTML of a page: as JSON in a script, or as the value of an attribute."""
    return escape_script(orjson.dumps(text).decode()).encode()


def mark_prefix(content: str) -> str:
    """Return the beginning of marks that no text of a content has."""
    prefix = _PREFIX
    while prefix in content:
        prefix += "-"
    return prefix + ":"


def mark(prefix: str, number: int) -> str:
    """Return the string that stands for a text until its place is known."""
    return f"{prefix}{number}{_END}"


def unmarked(
    marked: bytes, prefix: str, base: Mapping[int, str], encode: Callable[[str], bytes]
) -> tuple[bytes, tuple[Place, ...]]:
    """Return a body with the base texts in place of the marks, and the places of these texts."""
    parts: list[bytes] = []
    places: list[Place] = []
    length = 0
    for index, part in enumerate(re.split(rb'"%s(\d+)%s"' % (re.escape(prefix.encode()), _END.encode()), marked)):
        if index % 2:
            number = int(part)
            inserted = encode(base[number])
            places.append((length, length + len(inserted), number))
        else:
            inserted = part
        parts.append(inserted)
        length += len(inserted)
    return b"".join(parts), tuple(places)


def localized(body: bytes, places: Iterable[Place], texts: Mapping[int, str], encode: Callable[[str], bytes]) -> bytes:
    """Return a body with the texts of a locale; where it has none, the base text stays."""
    parts: list[bytes] = []
    position = 0
    for start, end, number in places:
        text = texts.get(number)
        if text is not None:
            parts += (body[position:start], encode(text))
            position = end
    return b"".join((*parts, body[position:]))
