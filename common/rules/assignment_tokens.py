"""Signed tokens that keep a device in its variant, with no storage anywhere (contract, section 5, Sticky).

A token is base64url, without padding, of a msgpack array [experiment id, variant key, salt version] and the first 16
bytes of HMAC-SHA256 (RFC 2104) over a msgpack array of the project's id, the device's id and those bytes. Whoever has
the signing key can tell whether this very device was once given that variant; a forged token, or another device's,
says nothing. The key is a setting of the services that resolve, so that no snapshot has to hold a secret.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

_MAC_BYTES = 16
#: Of SHA-256.
_BLOCK_BYTES = 64
_ENCODER = msgspec.msgpack.Encoder()


class Assignment(NamedTuple):
    """What a token says: the device was given this variant while the experiment's salts had this version."""

    experiment_id: str
    variant: str
    salt_version: int


_DECODER = msgspec.msgpack.Decoder(Assignment)


class _Signer:
    """HMAC-SHA256 of one key, with the key hashed beforehand: a quarter of what the library's one call costs."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        if len(key) > _BLOCK_BYTES:
            key = hashlib.sha256(key).digest()
        block = key.ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))

    def mac(self, project_id: str, device_id: str, said: bytes) -> bytes:
        """Sign what is said of the device; the array around the three keeps them apart whatever they hold."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(_ENCODER.encode((project_id, device_id, said)))
        outer.update(inner.digest())
        return outer.digest()[:_MAC_BYTES]


class AssignmentTokens:
    """Issues and reads tokens. The first of the keys signs; tokens of the others, former ones, are still believed."""

    __slots__ = ("_signers",)

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._signers = tuple(_Signer(key) for key in keys)

    @property
    def fingerprints(self) -> list[str]:
        """Tell each key from others, in 8 hexadecimal digits that say nothing else of it."""
        return [signer.mac("", "", b"").hex()[:8] for signer in self._signers]

    def issue(self, project_id: str, device_id: str, assignment: Assignment) -> bytes:
        """Make the token of a device that is given a variant, as the ASCII bytes of it."""
        said = _ENCODER.encode(assignment)
        return base64.urlsafe_b64encode(said + self._signers[0].mac(project_id, device_id, said)).rstrip(b"=")

    def read(self, project_id: str, device_id: str, token: str | None) -> Assignment | None:
        """Give what the token says, or None when it was not issued for this device of this project."""
        if token is None:
            return None
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except (binascii.Error, ValueError):
            return None
        said, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if not any(hmac.compare_digest(mac, each.mac(project_id, device_id, said)) for each in self._signers):
            return None
        try:
            return _DECODER.decode(said)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
