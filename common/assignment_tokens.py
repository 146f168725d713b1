"""Signed tokens that keep a device in its variant, with no storage anywhere (contract, section 5, Sticky).

A token is base64url, without padding, of a msgpack array [experiment id, variant key, salt version] and the first 16
bytes of HMAC-SHA256 (RFC 2104) over a msgpack array of the project's id, the device's id and those bytes. Whoever has
the signing key can tell whether this very device was once given that variant; a forged token, or another device's,
says nothing. The key is a setting of the services that resolve, so that no snapshot has to hold a secret.
"""

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

_MAC_BYTES = 16
_ENCODER = msgspec.msgpack.Encoder()


class Assignment(NamedTuple):
    """What a token says: the device was given this variant while the experiment's salts had this version."""

    experiment_id: str
    variant: str
    salt_version: int


_DECODER = msgspec.msgpack.Decoder(Assignment)


class AssignmentTokens:
    """Issues and reads tokens. The first of the keys signs; tokens of the others, former ones, are still believed."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = tuple(keys)

    def issue(self, project_id: str, device_id: str, assignment: Assignment) -> bytes:
        """Make the token of a device that is given a variant, as the ASCII bytes of it."""
        said = _ENCODER.encode(assignment)
        return base64.urlsafe_b64encode(said + _mac(self._keys[0], project_id, device_id, said)).rstrip(b"=")

    def read(self, project_id: str, device_id: str, token: str | None) -> Assignment | None:
        """Give what the token says, or None when it was not issued for this device of this project."""
        if token is None:
            return None
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except (binascii.Error, ValueError):
            return None
        said, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if not any(hmac.compare_digest(mac, _mac(key, project_id, device_id, said)) for key in self._keys):
            return None
        try:
            return _DECODER.decode(said)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


def _mac(key: bytes, project_id: str, device_id: str, said: bytes) -> bytes:
    """Sign what is said of the device; the array around the three keeps them apart whatever they hold."""
    return hmac.digest(key, _ENCODER.encode((project_id, device_id, said)), "sha256")[:_MAC_BYTES]
