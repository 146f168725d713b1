"""Forged tokens of all known kinds; the forger has only the public keys of the issuer."""

import base64
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as generate_rsa_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.support.clients.token_issuer import KEY_ID, TokenIssuer

RSA_KEY_ID = "rsa-key"
ED_KEY_ID = "ed-key"


@dataclass
class TokenForger:
    """An issuer with keys of three types (EC, RSA, Ed25519), and a forger with another EC key."""

    issuer: TokenIssuer
    rsa: RSAPrivateKey = field(default_factory=lambda: generate_rsa_key(public_exponent=65537, key_size=2048))
    ed: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    own: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))

    def __post_init__(self) -> None:
        keys = [
            self.issuer.public_jwk(),
            {**RSAAlgorithm.to_jwk(self.rsa.public_key(), as_dict=True), "kid": RSA_KEY_ID, "use": "sig"},
            {**OKPAlgorithm.to_jwk(self.ed.public_key(), as_dict=True), "kid": ED_KEY_ID, "use": "sig"},
        ]
        fresh = self.issuer.jwks_file.with_suffix(".new")
        fresh.write_text(json.dumps({"keys": keys}))
        fresh.replace(self.issuer.jwks_file)

    def valid(self, algorithm: str) -> str:
        """Return a valid token, which proves that a forgery fails because of its defect."""
        keys: dict[str, tuple[Any, str]] = {
            "ES256": (self.issuer.private_key, KEY_ID),
            "RS256": (self.rsa, RSA_KEY_ID),
            "EdDSA": (self.ed, ED_KEY_ID),
        }
        key, key_id = keys[algorithm]
        return jwt.encode(self.issuer.claims("alice"), key, algorithm=algorithm, headers={"kid": key_id})

    def signed(self, header: dict[str, Any] | str, claims: dict[str, Any] | str | None = None) -> str:
        """Sign any header and claims with the issuer's key, without the checks of a library."""
        return self._with_signature(header, claims, lambda signed: self._es256(self.issuer.private_key, signed))

    def signed_by_forger(self, **header: object) -> str:
        """Sign valid claims with the forger's key."""
        return self._with_signature({"alg": "ES256", **header}, None, lambda signed: self._es256(self.own, signed))

    def forger_jwk(self) -> dict[str, Any]:
        """Return the forger's public key."""
        return {**ECAlgorithm.to_jwk(self.own.public_key(), as_dict=True), "kid": "forged", "use": "sig"}

    def unsigned(self, algorithm: object) -> str:
        """Return a token of this algorithm with an empty signature."""
        return self._with_signature({"alg": algorithm, "kid": KEY_ID}, None, lambda _signed: b"")

    def with_public_key_as_secret(self, secret: bytes, algorithm: str = "HS256", key_id: str | None = KEY_ID) -> str:
        """Sign by HMAC with a public key as the secret."""
        header = {"alg": algorithm, **({"kid": key_id} if key_id else {})}
        digest = {"HS256": "sha256", "HS384": "sha384", "HS512": "sha512"}[algorithm]
        return self._with_signature(header, None, lambda signed: hmac.digest(secret, signed, digest))

    def with_raw_signature(self, signature: bytes, algorithm: str = "ES256", key_id: str = KEY_ID) -> str:
        """Return valid claims with these bytes as the signature."""
        return self._with_signature({"alg": algorithm, "kid": key_id}, None, lambda _signed: signature)

    def public_forms(self) -> dict[str, bytes]:
        """Return the public keys in all encodings that a faulty verifier could use as an HMAC secret."""
        forms: dict[str, bytes] = {"empty": b"", "jwk": json.dumps(self.issuer.public_jwk()).encode()}
        for name, key in (("ec", self.issuer.private_key.public_key()), ("rsa", self.rsa.public_key())):
            forms[f"{name}-pem"] = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
            forms[f"{name}-pem-stripped"] = forms[f"{name}-pem"].strip()
            forms[f"{name}-der"] = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        forms["rsa-pkcs1"] = self.rsa.public_key().public_bytes(Encoding.PEM, PublicFormat.PKCS1)
        return forms

    def _with_signature(
        self, header: dict[str, Any] | str, claims: dict[str, Any] | str | None, sign: Callable[[bytes], bytes]
    ) -> str:
        claims = self.issuer.claims("alice") if claims is None else claims
        signed = f"{encoded(header)}.{encoded(claims)}"
        return f"{signed}.{base64url(sign(signed.encode()))}"

    @staticmethod
    def _es256(key: EllipticCurvePrivateKey, signed: bytes) -> bytes:
        signature: bytes = jwt.get_algorithm_by_name("ES256").sign(signed, key)
        return signature


def encoded(document: dict[str, Any] | str) -> str:
    """Encode a part of a token; text is encoded as it is, so that it may be invalid JSON."""
    return base64url((document if isinstance(document, str) else json.dumps(document)).encode())


def base64url(raw: bytes) -> str:
    """Encode without padding, as tokens do."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
