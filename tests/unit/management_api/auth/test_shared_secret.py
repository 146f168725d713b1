"""HS256 is accepted only with the secret that is shared with the provider, and that secret only with HS256."""

from pathlib import Path

import jwt
import pytest
from pydantic import SecretStr, ValidationError

from common.errors import AuthenticationError
from management_api.auth.jwks import JwksFile
from management_api.auth.jwt import TokenVerifier, token_verifier
from management_api.settings import ManagementSettings
from tests.support.clients.forged_tokens import ED_KEY_ID, RSA_KEY_ID, TokenForger, encoded
from tests.support.clients.token_issuer import AUDIENCE, ISSUER, KEY_ID, TokenIssuer
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS

SECRET = "a-secret-that-has-more-than-32-bytes"


@pytest.fixture
def forger(tmp_path: Path) -> TokenForger:
    return TokenForger(TokenIssuer(tmp_path))


@pytest.fixture
def verifier(forger: TokenForger) -> TokenVerifier:
    keys = JwksFile(forger.issuer.jwks_file)
    return TokenVerifier(keys, issuer=ISSUER, audience=AUDIENCE, shared_secret=SecretStr(SECRET))


def signed(forger: TokenForger, secret: str = SECRET, algorithm: str = "HS256", **header: object) -> str:
    return jwt.encode(forger.issuer.claims("alice"), secret, algorithm=algorithm, headers=dict(header))


def assert_refused(verifier: TokenVerifier, token: str) -> None:
    with pytest.raises(AuthenticationError, match=r"^Invalid token$"):
        verifier.verify(token)


@pytest.mark.parametrize("key_id", [None, "any", KEY_ID])
def test_the_secret_signs_beside_the_public_keys(
    verifier: TokenVerifier, forger: TokenForger, key_id: str | None
) -> None:
    header = {"kid": key_id} if key_id else {}
    assert verifier.verify(signed(forger, **header)).subject == "alice"
    assert verifier.verify(forger.valid("ES256")).subject == "alice"


def test_another_secret_is_refused(verifier: TokenVerifier, forger: TokenForger) -> None:
    assert_refused(verifier, signed(forger, SECRET + "x"))
    assert_refused(verifier, signed(forger, SECRET[:32]))


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_the_secret_is_for_hs256_alone(verifier: TokenVerifier, forger: TokenForger, algorithm: str) -> None:
    secret = SECRET * 2
    verifier = TokenVerifier(None, issuer=ISSUER, audience=AUDIENCE, shared_secret=SecretStr(secret))
    assert verifier.verify(signed(forger, secret)).subject == "alice"
    assert_refused(verifier, signed(forger, secret, algorithm))


def test_public_keys_are_still_no_secrets(verifier: TokenVerifier, forger: TokenForger) -> None:
    for form in forger.public_forms().values():
        for key_id in (KEY_ID, RSA_KEY_ID, None):
            assert_refused(verifier, forger.with_public_key_as_secret(form, key_id=key_id))


def test_the_secret_is_no_public_key(verifier: TokenVerifier, forger: TokenForger) -> None:
    _, payload, signature = signed(forger).split(".")
    for algorithm, key_id in (("ES256", KEY_ID), ("RS256", RSA_KEY_ID), ("EdDSA", ED_KEY_ID)):
        assert_refused(verifier, f"{encoded({'alg': algorithm, 'kid': key_id})}.{payload}.{signature}")


def test_claims_are_validated_all_the_same(verifier: TokenVerifier, forger: TokenForger) -> None:
    claims = forger.issuer.claims("alice", aud="another")
    assert_refused(verifier, jwt.encode(claims, SECRET, algorithm="HS256"))


def settings(**given: object) -> ManagementSettings:
    return ManagementSettings.model_validate(
        {
            "database_url": "postgresql://nowhere/nothing",
            "master_key": "A" * 43 + "=",
            "assignment_keys": ASSIGNMENT_KEYS,
            "identity_issuer": ISSUER,
            "identity_audience": AUDIENCE,
            **given,
        }
    )


def test_a_provider_without_keys_of_its_own_needs_only_the_secret(forger: TokenForger) -> None:
    verifier = token_verifier(settings(identity_shared_secret=SECRET, identity_discovery=False))
    assert verifier.verify(signed(forger)).subject == "alice"
    assert_refused(verifier, forger.valid("ES256"))


@pytest.mark.parametrize("secret", ["", "x" * 31, "é" * 15])
def test_a_short_secret_is_no_setting(secret: str) -> None:
    with pytest.raises(ValidationError, match="at least 32 bytes") as raised:
        settings(identity_shared_secret=secret)
    assert not secret or secret not in str(raised.value)
