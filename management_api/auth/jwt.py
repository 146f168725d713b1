"""Verifies the JWT of the identity provider: signature, claims and their types (contract, section 2)."""

import functools
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt
from pydantic import SecretStr

from common.errors import AuthenticationError, SettingsError
from common.text import has_forbidden_characters
from common.timestamps import utc_now
from management_api.auth.jwks import (
    ALGORITHMS,
    JwksCache,
    JwksError,
    JwksFile,
    fetch_provider_keys,
    is_provider_url,
    read_jwks_file,
)
from management_api.settings import ManagementSettings

MAX_TOKEN_LENGTH = 8192
#: OpenID Connect bounds a subject to 255 characters.
MAX_SUBJECT_LENGTH = 255
MAX_EMAIL_LENGTH = 320
MAX_NAME_LENGTH = 200
LEEWAY_SECONDS = 30
REQUIRED_CLAIMS = ("iss", "aud", "exp", "sub")
TIME_CLAIMS = ("exp", "nbf", "iat")
#: Later times do not exist in Python.
_MAX_SECONDS = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
#: The one symmetric algorithm, and only where a shared secret is configured.
SYMMETRIC_ALGORITHM = "HS256"
#: A provider signs other statements with the same keys (logout tokens, DPoP proofs), with another type.
TOKEN_TYPES = frozenset({"jwt", "at+jwt", "application/jwt", "application/at+jwt"})


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity in a verified token: (issuer, subject) identifies a user. `email` is a verified address."""

    issuer: str
    subject: str
    email: str | None = None
    name: str | None = None
    #: When the user has signed in at the provider, or else the time of the token.
    signed_in_at: datetime | None = None
    #: The time of the token.
    issued_at: datetime | None = None
    #: None: groups are not read.
    groups: frozenset[str] | None = None

    @property
    def key(self) -> dict[str, str]:
        """Return the columns that identify the user."""
        return {"issuer": self.issuer, "subject": self.subject}


class TokenVerifier:
    """Accepts the tokens of one issuer that are meant for the interface, or for its dashboard."""

    def __init__(
        self,
        keys: JwksFile | JwksCache | None,
        *,
        issuer: str,
        audience: str,
        dashboard_client_id: str | None = None,
        shared_secret: SecretStr | None = None,
        assume_email_verified: bool = False,
        groups_claim: str | None = None,
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        #: The `aud` of an ID token is the client that it was issued to.
        self._audiences = [audience] if dashboard_client_id is None else [audience, dashboard_client_id]
        self._shared_secret = shared_secret
        #: The meaning of an absent `email_verified`.
        self._assume_email_verified = assume_email_verified
        self._groups_claim = groups_claim

    def verify(self, token: str) -> Identity:
        """Return the identity that a token is for.

        Raises AuthenticationError, which never has the reason, or UnavailableError when the provider's keys
        cannot be fetched.
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
            email=_storable_text(email, MAX_EMAIL_LENGTH),
            name=_storable_text(claims.get("name"), MAX_NAME_LENGTH),
            signed_in_at=_moment(claims.get("auth_time")) or _moment(claims.get("iat")),
            issued_at=_moment(claims.get("iat")),
            groups=self._groups_of(claims),
        )

    def _groups_of(self, claims: dict[str, Any]) -> frozenset[str] | None:
        """Return the groups of the claim; none of a token without it, so that lost groups never linger."""
        if self._groups_claim is None:
            return None
        groups = claims.get(self._groups_claim)
        listed = groups if isinstance(groups, list) else [groups]
        return frozenset(group for group in listed if isinstance(group, str))

    def _verified_claims(self, token: str) -> dict[str, Any]:
        header = jwt.get_unverified_header(token)
        kind = header.get("typ", "JWT")
        if not isinstance(kind, str) or kind.lower() not in TOKEN_TYPES:
            raise jwt.InvalidTokenError("not a token of this type")
        key, algorithm = self._key_for(header)
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            # The key has one algorithm; the algorithm in the token's header can only fail to match it.
            algorithms=[algorithm],
            issuer=self._issuer,
            audience=self._audiences,
            leeway=LEEWAY_SECONDS,
            options={"require": list(REQUIRED_CLAIMS)},
        )
        for claim in TIME_CLAIMS:
            moment = claims.get(claim, 0)
            if isinstance(moment, bool) or not isinstance(moment, int | float):
                raise jwt.InvalidTokenError(f"{claim} is not a number")
        return claims

    def _key_for(self, header: dict[str, Any]) -> tuple[jwt.PyJWK | str, str]:
        """Return the shared secret for HS256, else a public key, with its algorithm. Neither is used as the other."""
        algorithm = header.get("alg")
        if algorithm == SYMMETRIC_ALGORITHM and self._shared_secret is not None:
            return self._shared_secret.get_secret_value(), SYMMETRIC_ALGORITHM
        # An algorithm that no public key has must not cause a fetch.
        known = algorithm in ALGORITHMS.values()
        key = self._keys.find(header.get("kid")) if known and self._keys is not None else None
        if key is None:
            raise jwt.InvalidKeyError("the key is not known")
        return key, key.algorithm_name


def check_identity_settings(settings: ManagementSettings) -> None:
    """Raise SettingsError for settings with which no token could be accepted.

    The provider receives no request: it may be down, and personal API keys work without it.
    """
    if settings.identity_group_roles is not None and settings.identity_groups_claim is None:
        raise SettingsError("ONBOARDING_IDENTITY_GROUP_ROLES: needs ONBOARDING_IDENTITY_GROUPS_CLAIM")
    if settings.identity_jwks_file is not None:
        try:
            read_jwks_file(settings.identity_jwks_file)
        except JwksError as error:
            raise SettingsError(f"ONBOARDING_IDENTITY_JWKS_FILE: {error}") from error
    elif settings.identity_discovery:
        if not is_provider_url(settings.identity_issuer, allow_loopback_http=True):
            raise SettingsError(
                "ONBOARDING_IDENTITY_ISSUER: must be an https:// URL, or the provider's keys must be in"
                " ONBOARDING_IDENTITY_JWKS_FILE"
            )
    elif settings.identity_shared_secret is None:
        raise SettingsError(
            "ONBOARDING_IDENTITY_DISCOVERY: is off, so tokens need ONBOARDING_IDENTITY_JWKS_FILE or"
            " ONBOARDING_IDENTITY_SHARED_SECRET"
        )


def token_verifier(settings: ManagementSettings) -> TokenVerifier:
    """Return the verifier that the settings describe, and start the thread that fetches keys. Raises SettingsError."""
    check_identity_settings(settings)
    return TokenVerifier(
        _key_source(settings),
        issuer=settings.identity_issuer,
        audience=settings.identity_audience,
        dashboard_client_id=settings.dashboard_client_id,
        shared_secret=settings.identity_shared_secret,
        assume_email_verified=settings.identity_assume_email_verified,
        groups_claim=settings.identity_groups_claim,
    )


def _key_source(settings: ManagementSettings) -> JwksFile | JwksCache | None:
    if settings.identity_jwks_file is not None:
        return JwksFile(settings.identity_jwks_file)
    if not settings.identity_discovery:
        return None
    keys = JwksCache(functools.partial(fetch_provider_keys, settings.identity_issuer))
    keys.start()
    return keys


def _storable_text(value: object, max_length: int) -> str | None:
    """Return a claim that is only displayed, or None for a value that cannot be stored."""
    if not isinstance(value, str) or not 0 < len(value) <= max_length or has_forbidden_characters(value):
        return None
    return value


def _moment(value: object) -> datetime | None:
    """Return the time of a claim, at most now, or None for a value that is no time."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _MAX_SECONDS:
        return None
    return min(datetime.fromtimestamp(value, UTC), utc_now())
