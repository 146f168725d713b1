"""What is stored of a key: a keyed digest to find it by, and a ciphertext to show it again (contract, section 2)."""

import base64
import hmac
import secrets

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretStr

NONCE_BYTES = 12


class KeyVault:
    """Seals and finds keys under the master key.

    Two subkeys are derived from it (HKDF, RFC 5869), so that the digests and the ciphertexts have nothing in common.
    """

    def __init__(self, master_key: SecretStr) -> None:
        raw = base64.b64decode(master_key.get_secret_value(), validate=True)
        self._lookup_key = _derive(raw, b"onboarding/key-lookup/1")
        self._cipher = AESGCM(_derive(raw, b"onboarding/key-sealing/1"))

    def lookup_digest(self, key: str) -> bytes:
        """Give the 32-byte HMAC-SHA256 by which a presented key is found in the database."""
        return hmac.digest(self._lookup_key, key.encode("utf-8", "surrogatepass"), "sha256")

    def seal(self, key: str, *, owner_id: str) -> bytes:
        """Encrypt a key (AES-256-GCM, nonce first). It can be opened only for the same owner."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, key.encode(), owner_id.encode())

    def open(self, sealed: bytes, *, owner_id: str) -> str:
        """Decrypt a key. Raises cryptography's InvalidTag for another owner, another master key or damage."""
        nonce, ciphertext = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        return self._cipher.decrypt(nonce, ciphertext, owner_id.encode()).decode()


def _derive(master_key: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(master_key)
