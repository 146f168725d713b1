"""An identity provider for tests: a key pair, a JWKS file with the public key, and signed tokens."""

import json
import time
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from jwt.algorithms import ECAlgorithm

ISSUER = "https://identity.test"
AUDIENCE = "onboarding"
KEY_ID = "test-key"


class TokenIssuer:
    """Signs tokens that the management service under test accepts."""

    def __init__(self, folder: Path) -> None:
        self.private_key = generate_private_key(SECP256R1())
        self.jwks_file = folder / "jwks.json"
        self.jwks_file.write_text(json.dumps({"keys": [self.public_jwk()]}))

    def public_jwk(self, **members: object) -> dict[str, Any]:
        """Return the public key as a JWK; `members` add to it."""
        jwk = ECAlgorithm.to_jwk(self.private_key.public_key(), as_dict=True)
        return {**jwk, "kid": KEY_ID, "use": "sig", "alg": "ES256", **members}

    def claims(self, subject: object, **others: object) -> dict[str, Any]:
        """Return the claims of a valid token; `others` add to them or replace them, None removes a claim."""
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": subject,
            "iat": int(time.time()),
            "exp": int(time.time()) + 3600,
            "email_verified": True,
            **others,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, subject: object = "alice", **others: object) -> str:
        """Return a signed token."""
        return jwt.encode(self.claims(subject, **others), self.private_key, algorithm="ES256", headers={"kid": KEY_ID})
