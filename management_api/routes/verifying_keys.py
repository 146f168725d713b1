"""The public keys of the identity provider: from a JWK to a key that is tied to one algorithm (contract, section 2)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jwt
import structlog
from jwt.types import JWKDict

from common.errors import OnboardingError

#: Which algorithm a key of some type (and curve) verifies. Symmetric keys and all other algorithms have no row.
ALGORITHMS = {"RSA": "RS256", "EC P-256": "ES256", "OKP Ed25519": "EdDSA"}
MIN_RSA_BITS = 2048

log = structlog.get_logger(__name__)


class KeySetError(OnboardingError):
    """A key set cannot be read or has no key that we can use."""


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A key, almost always a public one, and the only algorithm that it is used with."""

    key_id: str | None
    algorithm: str
    key: Any = field(repr=False)


class JwksFile:
    """The verifying keys of a JWKS file; a changed file is read again at the next request."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mark = self._present_mark()
        self._keys = read_key_set(path)

    def find(self, key_id: str | None) -> VerifyingKey | None:
        """Give the key of that id (or the only one, for a token that names none), or None."""
        return key_named(self._present_keys(), key_id)

    def _present_keys(self) -> tuple[VerifyingKey, ...]:
        """Give the keys, read again if the file has changed; a file that is damaged meanwhile changes nothing."""
        mark = self._present_mark()
        if mark != self._mark:
            try:
                self._keys = read_key_set(self._path)
            except KeySetError as error:
                log.warning("verifying keys kept, the key set cannot be read", reason=str(error))
            self._mark = mark
        return self._keys

    def _present_mark(self) -> tuple[int, int, int]:
        try:
            stat = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def read_key_set(path: Path) -> tuple[VerifyingKey, ...]:
    """Read the usable keys of a JWKS file. Raises KeySetError."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise KeySetError(f"the key set cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise KeySetError("the key set is not JSON") from error
    return usable_keys(document)


def key_named(keys: tuple[VerifyingKey, ...], key_id: str | None) -> VerifyingKey | None:
    """Give the key of that id (or the only one, for a token that names none), or None."""
    if key_id is None:
        return keys[0] if len(keys) == 1 else None
    return next((key for key in keys if key.key_id == key_id), None)


def usable_keys(document: object) -> tuple[VerifyingKey, ...]:
    """Give the keys of a JWK set that may verify signatures. Raises KeySetError when there is none."""
    keys = tuple(verifying_keys(document))
    if not keys:
        raise KeySetError("the key set has no RS256, ES256 or EdDSA key for signatures")
    return keys


def verifying_keys(document: object) -> Iterator[VerifyingKey]:
    """Give the keys of a JWK set that may verify signatures; the others are passed over."""
    listed = document.get("keys") if isinstance(document, dict) else None
    for item in listed if isinstance(listed, list) else []:
        key = _verifying_key(item) if isinstance(item, dict) else None
        if key is not None:
            yield key


def _verifying_key(item: JWKDict) -> VerifyingKey | None:
    kind = item.get("kty")
    algorithm = ALGORITHMS.get(f"{kind}" if kind == "RSA" else f"{kind} {item.get('crv')}")
    if algorithm is None or item.get("alg", algorithm) != algorithm or not _is_for_verifying(item):
        return None
    public = {name: value for name, value in item.items() if name in {"kty", "crv", "n", "e", "x", "y"}}
    try:
        key = jwt.PyJWK(public, algorithm)
    except jwt.PyJWTError:
        return None
    if kind == "RSA" and key.key.key_size < MIN_RSA_BITS:
        return None
    key_id = item.get("kid")
    return VerifyingKey(key_id if isinstance(key_id, str) else None, algorithm, key.key)


def _is_for_verifying(item: JWKDict) -> bool:
    operations = item.get("key_ops", ["verify"])
    return item.get("use", "sig") == "sig" and isinstance(operations, list) and "verify" in operations
