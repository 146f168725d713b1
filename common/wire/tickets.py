"""Tickets: signed credentials in the path of a hosted page, in place of a secret key.

The content is a msgpack array that begins with its kind: 1 for a ticket of a secret key, 2 for the link to a preview.
"""

import re
from collections.abc import Sequence

import msgspec

from common.wire.signed_text import SignedText

#: A ticket is valid for so many seconds, unless its secret key ends before.
TICKET_SECONDS = 7 * 24 * 60 * 60
#: A link to a preview is valid for so many seconds.
PREVIEW_SECONDS = 24 * 60 * 60

_CONTEXT = b"onboarding/ticket/1"
#: Longer texts are not decoded. Two ids of the greatest length take 140 characters.
MAX_TICKET_LENGTH = 200
_TICKET = re.compile(f"[A-Za-z0-9_-]{{24,{MAX_TICKET_LENGTH}}}")


class Ticket(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=1):
    """The credential of a page that an SDK opens: valid until a Unix second, and as long as the secret key is."""

    project_id: str
    key_id: str
    expires_at: int


class PreviewLink(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=2):
    """The credential of a link that shows one flow, or its draft, to everyone until a Unix second."""

    project_id: str
    flow_id: str
    expires_at: int
    is_draft: bool


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Ticket | PreviewLink)


class Tickets:
    """Issues and reads tickets under the assignment keys: the first key signs, all of them verify."""

    __slots__ = ("_texts",)

    def __init__(self, assignment_keys: Sequence[bytes]) -> None:
        # A ticket is a part of paths, which caches and logs compare as text.
        self._texts = SignedText(assignment_keys, _CONTEXT, is_canonical=True)

    def issue(self, ticket: Ticket | PreviewLink) -> str:
        """Return a ticket as text."""
        content = _ENCODER.encode(ticket)
        return self._texts.issue(content, content).decode("ascii")

    def read(self, text: str, now: float) -> Ticket | PreviewLink | None:
        """Return the content of a ticket; None for any other text, and for a ticket that has expired at `now`."""
        content = self._texts.read(text) if _TICKET.fullmatch(text) is not None else None
        if content is None:
            return None
        try:
            ticket = _DECODER.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        return ticket if now < ticket.expires_at else None
