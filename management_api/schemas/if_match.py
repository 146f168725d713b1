"""The header `If-Match`, from its text to a precondition (RFC 9110, section 13.1.1)."""

import re

from common.errors import Detail, InvalidRequestError
from management_api.operations.preconditions import ANY_STATE, Precondition

_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
#: Empty elements of a list are allowed, as everywhere in HTTP (section 5.6.1).
_LIST = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
#: Our own tags are hexadecimal. A weak tag never matches, so only the strong ones are looked for.
_STRONG_TAG = re.compile(r'(?<!W/)"([0-9a-f]+)"')


def parse_if_match(text: str | None) -> Precondition:
    """Give what the header demands. Raises InvalidRequestError for what is neither `*` nor a list of entity tags.

    It is refused rather than overlooked: who sends it wants a change not to happen in some states.
    """
    if text is None or text.strip() == "*":
        return ANY_STATE
    if not _LIST.fullmatch(text):
        raise InvalidRequestError([Detail.invalid("If-Match", "must be * or a list of quoted entity tags")])
    return Precondition(frozenset(_STRONG_TAG.findall(text)))
