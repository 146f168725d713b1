"""Tickets: signed credentials in the path of a hosted page, in place of a secret key.

A ticket is base64url, without padding, of a msgpack array and the first 16 bytes of its HMAC-SHA256 (RFC 2104). The
array begins with the version, which stands for the kind: 1 for a ticket of a secret key, 2 for the link to a preview.
Each key is the HMAC-SHA256 of a context string under a key of assignment tokens. So a signature of one is never a valid
signature of the other.
"""

import base64
import binascii
import hmac
import re
from collections.abc import Sequence

import msgspec

#: A ticket is valid for so many seconds, unless its secret key ends before.
TICKET_SECONDS = 7 * 24 * 60 * 60
#: A link to a preview is valid for so many seconds.
PREVIEW_SECONDS = 24 * 60 * 60

_CONTEXT = b"onboarding/ticket/1"
_MAC_BYTES = 16
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
    """Issues and reads tickets under the keys of assignment tokens: the first key signs, all of them verify."""

    __slots__ = ("_signers",)

    def __init__(self, assignment_keys: Sequence[bytes]) -> None:
        derived = (hmac.digest(key, _CONTEXT, "sha256") for key in assignment_keys)
        self._signers = tuple(hmac.new(key, digestmod="sha256") for key in derived)

    def issue(self, ticket: Ticket | PreviewLink) -> str:
        """Return a ticket as text."""
        content = _ENCODER.encode(ticket)
        return _to_text(content + _mac(self._signers[0], content))

    def read(self, text: str, now: float) -> Ticket | PreviewLink | None:
        """Return the content of a ticket; None for any other text, and for a ticket that has expired at `now`."""
        if _TICKET.fullmatch(text) is None:
            return None
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except binascii.Error:
            return None
        content, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        # All keys are tried, so the time taken does not depend on the key that signed.
        matches = [hmac.compare_digest(mac, _mac(signer, content)) for signer in self._signers]
        # The last character has unused bits: a ticket has one spelling.
        if not any(matches) or _to_text(raw) != text:
            return None
        try:
            ticket = _DECODER.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        return ticket if now < ticket.expires_at else None


def _to_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _mac(signer: hmac.HMAC, content: bytes) -> bytes:
    mac = signer.copy()
    mac.update(content)
    return mac.digest()[:_MAC_BYTES]
