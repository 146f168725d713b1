"""Signed tokens that keep a device in its variant, without storage (contract, section 5, Sticky).

A token is base64url, without padding, of a msgpack array [experiment id, variant key, salt version] and the first 16
bytes of HMAC-SHA256 (RFC 2104) over a msgpack array of the project's id, the device's id and those bytes. A token that
is forged, or of another device, is ignored. The signing keys are a setting, so that no snapshot holds a secret.
"""

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

_MAC_BYTES = 16


class Assignment(NamedTuple):
    """The content of a token: the device's variant, and the version of the experiment's salts at that time."""

    experiment_id: str
    variant: str
    salt_version: int


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Assignment)


class AssignmentTokens:
    """Issues and reads tokens. The first key signs; tokens of the others, former ones, stay valid."""

    __slots__ = ("_signers",)

    def __init__(self, keys: Sequence[bytes]) -> None:
        # A copy of a prepared HMAC costs a third of `hmac.digest`, which hashes the key each time.
        self._signers = tuple(hmac.new(key, digestmod="sha256") for key in keys)

    @property
    def fingerprints(self) -> list[str]:
        """8 hexadecimal digits for each key, which reveal nothing else of it."""
        return [_mac(signer, "", "", b"").hex()[:8] for signer in self._signers]

    def issue(self, project_id: str, device_id: str, assignment: Assignment) -> bytes:
        """Return the token of a device's variant, in ASCII."""
        content = _ENCODER.encode(assignment)
        return base64.urlsafe_b64encode(content + _mac(self._signers[0], project_id, device_id, content)).rstrip(b"=")

    def read(self, project_id: str, device_id: str, token: str | None) -> Assignment | None:
        """Return the content of the token; None when it was not issued for this device of this project."""
        if token is None:
            return None
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except (binascii.Error, ValueError):
            return None
        content, mac = raw[:-_MAC_BYTES], raw[-_MAC_BYTES:]
        if not any(hmac.compare_digest(mac, _mac(signer, project_id, device_id, content)) for signer in self._signers):
            return None
        try:
            return _DECODER.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


def _mac(signer: hmac.HMAC, project_id: str, device_id: str, content: bytes) -> bytes:
    """Sign the three values; msgpack encodes their lengths, so no two triples have the same bytes."""
    mac = signer.copy()
    mac.update(_ENCODER.encode((project_id, device_id, content)))
    return mac.digest()[:_MAC_BYTES]
