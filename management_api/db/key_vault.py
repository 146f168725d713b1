"""The stored form of a key: a keyed digest to find it by, and a ciphertext to show it again (contract, section 2)."""

import contextlib
import hmac
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretStr

from common.settings.types import master_keys_of

NONCE_BYTES = 12


class KeyVault:
    """Encrypts keys under the first master key; decrypts and finds keys of every master key.

    Two subkeys are derived from each (HKDF, RFC 5869), so that the digests and the ciphertexts have nothing in common.
    """

    def __init__(self, master_key: SecretStr) -> None:
        """Take the setting, which may name former keys behind the one in use."""
        keys = [_MasterKey(raw) for raw in master_keys_of(master_key)]
        self._in_use, self._former = keys[0], keys[1:]

    def lookup_digest(self, key: str) -> bytes:
        """Return the 32-byte HMAC-SHA256 by which a key is stored, to be found in the database."""
        return self._in_use.digest(key)

    def lookup_digests(self, key: str) -> list[bytes]:
        """Return every digest by which a presented key may have been stored, one for each master key."""
        return [self._in_use.digest(key), *(former.digest(key) for former in self._former)]

    def encrypt(self, key: str, *, owner_id: str) -> bytes:
        """Encrypt a key (AES-256-GCM, nonce first). It can be decrypted only for the same owner."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._in_use.cipher.encrypt(nonce, key.encode(), owner_id.encode())

    def decrypt(self, sealed: bytes, *, owner_id: str) -> str:
        """Decrypt a key. Raises cryptography's InvalidTag for another owner, other master keys or damage."""
        try:
            return self._in_use.decrypt(sealed, owner_id)
        except InvalidTag:
            return self._decrypt_with_former(sealed, owner_id)

    def is_current(self, sealed: bytes, *, owner_id: str) -> bool:
        """Return whether the first master key decrypts it, so that no former key is needed for it."""
        try:
            self._in_use.decrypt(sealed, owner_id)
        except InvalidTag:
            return False
        return True

    def _decrypt_with_former(self, sealed: bytes, owner_id: str) -> str:
        for former in self._former:
            with contextlib.suppress(InvalidTag):
                return former.decrypt(sealed, owner_id)
        raise InvalidTag


class _MasterKey:
    """The subkeys of one master key."""

    def __init__(self, raw: bytes) -> None:
        self._lookup_key = _derive(raw, b"onboarding/key-lookup/1")
        self.cipher = AESGCM(_derive(raw, b"onboarding/key-sealing/1"))

    def digest(self, key: str) -> bytes:
        return hmac.digest(self._lookup_key, key.encode("utf-8", "surrogatepass"), "sha256")

    def decrypt(self, sealed: bytes, owner_id: str) -> str:
        if len(sealed) < NONCE_BYTES:
            raise InvalidTag
        nonce, ciphertext = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        return self.cipher.decrypt(nonce, ciphertext, owner_id.encode()).decode()


def _derive(master_key: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(master_key)
