"""Keys: a prefix for the kind, random base62 characters, a checksum (contract, section 2).

The checksum lets a scanner or a form detect a mistyped key without a request. The database stores keys as
`management_api/db/key_vault.py` encrypts them, a snapshot has their :func:`secret_key_digest`.
"""

import hashlib
import secrets
import string
import zlib
from enum import StrEnum

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase

#: 30 characters of base62 are 178 random bits.
RANDOM_LENGTH = 30
CHECKSUM_LENGTH = 6


class KeyPrefix(StrEnum):
    """The three kinds of keys."""

    SECRET = "obk_sk_"  # noqa: S105 - a public prefix, not a password
    PUBLIC = "obk_pk_"
    API = "obk_api_"


def generate_key(prefix: KeyPrefix) -> str:
    """Return a new key of that kind."""
    body = prefix.value + "".join(secrets.choice(BASE62) for _ in range(RANDOM_LENGTH))
    return body + _checksum(body)


def is_well_formed(prefix: KeyPrefix, key: str) -> bool:
    """Return whether the text has the kind's prefix, its length and a correct checksum."""
    if not key.startswith(prefix.value) or len(key) != len(prefix.value) + RANDOM_LENGTH + CHECKSUM_LENGTH:
        return False
    return key.isascii() and _checksum(key[:-CHECKSUM_LENGTH]) == key[-CHECKSUM_LENGTH:]


def secret_key_digest(secret_key: str) -> bytes:
    """Return the 32 bytes that a snapshot has in place of a secret key.

    A plain SHA-256 is enough: the key has 178 random bits, so it cannot be guessed from the digest.
    """
    return hashlib.sha256(secret_key.encode("utf-8", "surrogatepass")).digest()


def _checksum(body: str) -> str:
    """Return the CRC-32 of the text as six base62 digits (62**6 exceeds 2**32)."""
    number = zlib.crc32(body.encode("ascii"))
    digits = ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(BASE62))
        digits = BASE62[digit] + digits
    return digits
