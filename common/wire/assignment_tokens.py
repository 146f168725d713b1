"""Assignment tokens, which keep a device in its variant without storage (contract, section 5, Sticky).

The content is a msgpack array [experiment id, variant key, salt version]. The signature is over a msgpack array of the
project's id, the device's id and the content, so a token of another device is ignored. The keys are a setting, so no
snapshot holds a secret.
"""

from collections.abc import Sequence

import msgspec

from common.rules.resolution import Assignment
from common.wire.signed_text import SignedText

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Assignment)


class AssignmentTokens:
    """Issues and reads tokens. The first key signs, and all keys verify, so former keys can stay valid."""

    __slots__ = ("_texts",)

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._texts = SignedText(keys)

    @property
    def fingerprints(self) -> list[str]:
        """8 hexadecimal digits for each key, which reveal nothing else of it."""
        return [mac.hex()[:8] for mac in self._texts.macs(_signed("", "", b""))]

    def issue(self, project_id: str, device_id: str, assignment: Assignment) -> bytes:
        """Return the token of a device's variant, in ASCII."""
        content = _ENCODER.encode(assignment)
        return self._texts.issue(content, _signed(project_id, device_id, content))

    def read(self, project_id: str, device_id: str, token: str | None) -> Assignment | None:
        """Return the content of the token; None when it was not issued for this device of this project."""
        if token is None:
            return None
        content = self._texts.read(token, lambda content: _signed(project_id, device_id, content))
        if content is None:
            return None
        try:
            return _DECODER.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


def _signed(project_id: str, device_id: str, content: bytes) -> bytes:
    """Return the bytes to sign. Msgpack encodes their lengths, so no two triples have the same bytes."""
    return _ENCODER.encode((project_id, device_id, content))
