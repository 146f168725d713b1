"""Entity tags of conditional requests (RFC 9110, 8.8.3 and 13.1.2)."""

import re
from collections.abc import Collection

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def first_listed(if_none_match: str | None, current: Collection[str]) -> str | None:
    """Give the first of the current (strong, quoted) tags that the header lists; `*` lists all.

    The comparison is the weak one, which If-None-Match demands.
    """
    if if_none_match is None:
        return None
    listed = set(_TAG.findall(if_none_match))
    for tag in current:
        if if_none_match == "*" or tag in listed:
            return tag
    return None
