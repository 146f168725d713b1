"""Signed texts: content that clients keep and send back, and cannot change.

A signed text is base64url, without padding, of the content and the first 16 bytes of an HMAC-SHA256 (RFC 2104). The
signing keys are the setting of assignment keys: the first one signs, all of them verify. Each kind of text signs with
other bytes, so a signature of one kind is never valid for another.
"""

import base64
import binascii
import hmac
from collections.abc import Callable, Sequence

_MAC_BYTES = 16


class SignedText:
    """Signs and verifies one kind of text.

    With a context, the signing keys are the HMAC-SHA256 of the context under each key. With `is_canonical`, other
    spellings of the same bytes in base64 are refused.
    """

    __slots__ = ("_is_canonical", "_signers")

    def __init__(self, keys: Sequence[bytes], context: bytes | None = None, *, is_canonical: bool = False) -> None:
        self._is_canonical = is_canonical
        derived = keys if context is None else [hmac.digest(key, context, "sha256") for key in keys]
        # A copy of a prepared HMAC costs a third of `hmac.digest`, which hashes the key each time.
        self._signers = tuple(hmac.new(key, digestmod="sha256") for key in derived)

    def macs(self, signed: bytes) -> list[bytes]:
        """Return the signature of these bytes under each key."""
        return [_mac(signer, signed) for signer in self._signers]

    def issue(self, content: bytes, signed: bytes) -> bytes:
        """Return the text of the content in ASCII, with the signature of `signed`."""
        return _spell(content + _mac(self._signers[0], signed))

    def read(self, text: str, signed_of: Callable[[bytes], bytes] | None = None) -> bytes | None:
        """Return the content of a text that one of the keys signed; None for any other text.

        `signed_of` returns the bytes that were signed for a content, by default the content.
        """
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except (binascii.Error, ValueError):
            return None
        if self._is_canonical and _spell(raw).decode() != text:
            return None
        content, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        # All keys are tried, so the time taken does not depend on the key that signed.
        matches = [hmac.compare_digest(mac, own) for own in self.macs(signed_of(content) if signed_of else content)]
        return content if any(matches) else None


def _spell(raw: bytes) -> bytes:
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def _mac(signer: hmac.HMAC, signed: bytes) -> bytes:
    mac = signer.copy()
    mac.update(signed)
    return mac.digest()[:_MAC_BYTES]
