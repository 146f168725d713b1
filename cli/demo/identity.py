"""The identity provider of a demo: a key pair in a folder, and JWTs for any e-mail address.

It replaces a real provider in development only: it authenticates no user.
"""

import base64
import hashlib
import json
import time
from pathlib import Path

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cli.demo.files import create_if_missing, replace_file
from cli.errors import CommandError

ISSUER = "onboarding-development"
AUDIENCE = "onboarding"
_ALGORITHM = "EdDSA"
_LIFETIME_SECONDS = 30 * 24 * 3600
_MAX_EMAIL_LENGTH = 254


class DevelopmentIdentity:
    """The key pair of one folder, created at its first use."""

    def __init__(self, folder: Path) -> None:
        self._key_file = folder / "private.pem"
        if not self._key_file.exists():
            # Of two first uses at the same time one key pair wins, and both use it.
            create_if_missing(self._key_file, _new_private_key())
        key = serialization.load_pem_private_key(self._key_file.read_bytes(), password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise CommandError(f"{self._key_file} holds no Ed25519 key; delete it to have a new one made")
        self._key = key

    @property
    def jwks_file(self) -> Path:
        """The file of the public key."""
        return self._key_file.with_name("jwks.json")

    def write_jwks(self) -> None:
        """Write the public key, with which management verifies tokens."""
        replace_file(self.jwks_file, json.dumps({"keys": [self._public_jwk()]}).encode())

    def token(self, email: str) -> str:
        """Return a JWT for an e-mail address. One address is always one subject."""
        address = email.strip().lower()
        if address.count("@") != 1 or not all(address.split("@")) or len(address) > _MAX_EMAIL_LENGTH:
            raise CommandError("an e-mail address is needed, such as alice@example.com")
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": f"dev-{hashlib.sha256(address.encode()).hexdigest()[:32]}",
            "email": address,
            "email_verified": True,
            "name": address.split("@")[0],
            "iat": now,
            "exp": now + _LIFETIME_SECONDS,
        }
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM, headers={"kid": self._public_jwk()["kid"]})

    def _public_jwk(self) -> dict[str, str]:
        public = self._key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        required = {"crv": "Ed25519", "kty": "OKP", "x": _base64url(public)}
        # The key id is the key's thumbprint (RFC 7638): the required members, sorted, without white space.
        thumbprint = hashlib.sha256(json.dumps(required, separators=(",", ":"), sort_keys=True).encode()).digest()
        return {**required, "alg": _ALGORITHM, "use": "sig", "kid": _base64url(thumbprint)}


def _new_private_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
