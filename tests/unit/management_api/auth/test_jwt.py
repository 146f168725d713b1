"""The accepted claims of tokens; tests/contract/sweeps/test_forged_tokens.py has the tokens that are refused."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jwt
import pytest

from common.errors import AuthenticationError
from management_api.auth.jwks import JwksFile
from management_api.auth.jwt import Identity, TokenVerifier
from tests.support.clients.token_issuer import AUDIENCE, ISSUER, TokenIssuer


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(tmp_path)


@pytest.fixture
def verifier(issuer: TokenIssuer) -> TokenVerifier:
    return TokenVerifier(JwksFile(issuer.jwks_file), issuer=ISSUER, audience=AUDIENCE)


def assert_refused(verifier: TokenVerifier, token: str) -> None:
    with pytest.raises(AuthenticationError, match=r"^Invalid token$"):
        verifier.verify(token)


def test_a_good_token_names_a_person(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    token = issuer.token("alice", email="alice@example.com", name="Alice", iat=60)
    moment = datetime(1970, 1, 1, 0, 1, tzinfo=UTC)
    expected = Identity(ISSUER, "alice", "alice@example.com", "Alice", signed_in_at=moment, issued_at=moment)
    assert verifier.verify(token) == expected


def test_audience_among_several_is_accepted(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    assert verifier.verify(issuer.token(aud=["other", AUDIENCE])).subject == "alice"


def test_id_token_of_the_dashboard_is_accepted_beside_tokens_of_the_interface(issuer: TokenIssuer) -> None:
    keys = JwksFile(issuer.jwks_file)
    verifier = TokenVerifier(keys, issuer=ISSUER, audience=AUDIENCE, dashboard_client_id="dashboard")
    for audience in ("dashboard", AUDIENCE, ["other", "dashboard"]):
        assert verifier.verify(issuer.token(aud=audience)).subject == "alice"
    assert_refused(verifier, issuer.token(aud="other"))
    assert_refused(TokenVerifier(keys, issuer=ISSUER, audience=AUDIENCE), issuer.token(aud="dashboard"))


def test_a_token_without_a_key_id_takes_the_only_key(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    token = jwt.encode(issuer.claims("alice"), issuer.private_key, algorithm="ES256")
    assert verifier.verify(token).subject == "alice"


@pytest.mark.parametrize(
    ("claims", "email", "name"),
    [
        ({"email": "a@b.test", "email_verified": True}, "a@b.test", None),
        ({"email": "a@b.test", "email_verified": "true"}, "a@b.test", None),
        ({"email": "a@b.test", "email_verified": None}, None, None),
        ({"email": "a@b.test", "email_verified": False}, None, None),
        ({"email": "a@b.test", "email_verified": 1}, None, None),
        ({"email": "a@b.test", "email_verified": "false"}, None, None),
        ({"email": "a@b.test", "email_verified": [True]}, None, None),
        ({"email": 1, "name": ["x"]}, None, None),
        ({"email": "", "name": "x" * 201}, None, None),
        ({"email": "a\0@b.test", "name": "A\ud800"}, None, None),
        ({"name": "Zoë 🎈"}, None, "Zoë 🎈"),
    ],
    ids=str,
)
def test_valid_display_claims_are_kept(
    issuer: TokenIssuer, verifier: TokenVerifier, claims: dict[str, Any], email: str | None, name: str | None
) -> None:
    identity = verifier.verify(issuer.token(**claims))
    assert (identity.email, identity.name) == (email, name)


@pytest.mark.parametrize(
    ("verified", "email"), [(None, "a@b.test"), (True, "a@b.test"), (False, None), ("false", None)]
)
def test_absent_claim_verifies_the_address_with_the_setting(
    issuer: TokenIssuer, verified: object, email: str | None
) -> None:
    verifier = TokenVerifier(JwksFile(issuer.jwks_file), issuer=ISSUER, audience=AUDIENCE, assume_email_verified=True)
    assert verifier.verify(issuer.token(email="a@b.test", email_verified=verified)).email == email
