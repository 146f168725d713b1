"""Reads the JWT of the identity provider: signature, claims and their types (contract, section 2)."""

from typing import Any, Protocol

import jwt
from pydantic import SecretStr

from common.errors import AuthenticationError
from common.text import has_forbidden_characters
from management_api.operations.users import Identity
from management_api.routes.verifying_keys import ALGORITHMS, VerifyingKey

MAX_TOKEN_LENGTH = 8192
#: OpenID Connect bounds a subject to 255 characters.
MAX_SUBJECT_LENGTH = 255
MAX_EMAIL_LENGTH = 320
MAX_NAME_LENGTH = 200
LEEWAY_SECONDS = 30
REQUIRED_CLAIMS = ("iss", "aud", "exp", "sub")
TIME_CLAIMS = ("exp", "nbf", "iat")
#: The one symmetric algorithm, and only where a shared secret is configured.
SYMMETRIC_ALGORITHM = "HS256"
#: A provider signs other statements with the same keys (logout tokens, DPoP proofs), and says so in their type.
TOKEN_TYPES = frozenset({"jwt", "at+jwt", "application/jwt", "application/at+jwt"})


class KeySource(Protocol):
    """Where the verifying keys come from: a file, or the provider itself."""

    def find(self, key_id: str | None) -> VerifyingKey | None:
        """Give the key of that id (or the only one, for a token that names none), or None.

        Raises UnavailableError when that cannot be told at the moment.
        """


class TokenVerifier:
    """Accepts the tokens of one issuer that are meant for one audience."""

    def __init__(
        self,
        keys: KeySource | None,
        *,
        issuer: str,
        audience: str,
        shared_secret: SecretStr | None = None,
        assume_email_verified: bool = False,
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._shared_secret = shared_secret
        #: The meaning of an absent `email_verified`.
        self._assume_email_verified = assume_email_verified

    def identity_of(self, token: str) -> Identity:
        """Give whom a token speaks of.

        Raises AuthenticationError, which never says what was wrong, or UnavailableError when the provider's keys
        cannot be had.
        """
        if len(token) > MAX_TOKEN_LENGTH or not token.isascii():
            raise AuthenticationError.token()
        try:
            claims = self._verified_claims(token)
        except jwt.PyJWTError:
            raise AuthenticationError.token() from None
        subject = claims["sub"]
        if not subject or len(subject) > MAX_SUBJECT_LENGTH or has_forbidden_characters(subject):
            raise AuthenticationError.token()
        # Members are added by their address, so an address counts only once the provider has verified it.
        verified = claims.get("email_verified", self._assume_email_verified)
        # Some providers send the text "true".
        email = claims.get("email") if verified is True or verified == "true" else None
        return Identity(
            issuer=self._issuer,
            subject=subject,
            email=_text(email, MAX_EMAIL_LENGTH),
            name=_text(claims.get("name"), MAX_NAME_LENGTH),
        )

    def _verified_claims(self, token: str) -> dict[str, Any]:
        header = jwt.get_unverified_header(token)
        _check_type(header)
        key = self._key_for(header)
        # The algorithm is the key's; what the token says of itself can only fail to match it.
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm],
            issuer=self._issuer,
            audience=self._audience,
            leeway=LEEWAY_SECONDS,
            options={"require": list(REQUIRED_CLAIMS)},
        )
        for claim in TIME_CLAIMS:
            moment = claims.get(claim, 0)
            if isinstance(moment, bool) or not isinstance(moment, int | float):
                raise jwt.InvalidTokenError(f"{claim} is not a number")
        return claims

    def _key_for(self, header: dict[str, Any]) -> VerifyingKey:
        """Choose between the two sorts of keys; neither is ever used as the other."""
        if header.get("alg") == SYMMETRIC_ALGORITHM and self._shared_secret is not None:
            return VerifyingKey(None, SYMMETRIC_ALGORITHM, self._shared_secret.get_secret_value())
        # Whoever names an algorithm that no public key has must not make us ask the provider for its key.
        known = header.get("alg") in ALGORITHMS.values()
        key = self._keys.find(header.get("kid")) if known and self._keys is not None else None
        if key is None:
            raise jwt.InvalidKeyError("no such key")
        return key


def _check_type(header: dict[str, Any]) -> None:
    kind = header.get("typ", "JWT")
    if not isinstance(kind, str) or kind.lower() not in TOKEN_TYPES:
        raise jwt.InvalidTokenError("not a token of this type")


def _text(value: object, longest: int) -> str | None:
    """Keep a claim that is only shown when it is text that can be stored."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or has_forbidden_characters(value):
        return None
    return value
