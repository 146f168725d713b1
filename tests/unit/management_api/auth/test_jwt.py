"""Verification of tokens, and the accepted claims."""

import base64
import hmac
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import OKPAlgorithm, RSAAlgorithm

from common.errors import AuthenticationError
from management_api.auth.jwks import JwksFile
from management_api.auth.jwt import Identity, TokenVerifier
from tests.support.clients.token_issuer import AUDIENCE, ISSUER, KEY_ID, TokenIssuer


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(tmp_path)


@pytest.fixture
def verifier(issuer: TokenIssuer) -> TokenVerifier:
    return TokenVerifier(JwksFile(issuer.jwks_file), issuer=ISSUER, audience=AUDIENCE)


def segment(document: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


def assert_refused(verifier: TokenVerifier, token: str) -> None:
    with pytest.raises(AuthenticationError, match=r"^Invalid token$"):
        verifier.verify(token)


def test_a_good_token_names_a_person(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    token = issuer.token("alice", email="alice@example.com", name="Alice")
    assert verifier.verify(token) == Identity(ISSUER, "alice", "alice@example.com", "Alice")


def test_audience_among_several_is_accepted(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    assert verifier.verify(issuer.token(aud=["other", AUDIENCE])).subject == "alice"


def test_id_token_of_the_dashboard_is_accepted_beside_tokens_of_the_interface(issuer: TokenIssuer) -> None:
    keys = JwksFile(issuer.jwks_file)
    verifier = TokenVerifier(keys, issuer=ISSUER, audience=AUDIENCE, dashboard_client_id="dashboard")
    for audience in ("dashboard", AUDIENCE, ["other", "dashboard"]):
        assert verifier.verify(issuer.token(aud=audience)).subject == "alice"
    assert_refused(verifier, issuer.token(aud="other"))
    assert_refused(TokenVerifier(keys, issuer=ISSUER, audience=AUDIENCE), issuer.token(aud="dashboard"))


def test_a_clock_may_be_half_a_minute_off(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    now = int(time.time())
    assert verifier.verify(issuer.token(exp=now - 20, nbf=now + 20, iat=now + 20)).subject == "alice"
    assert_refused(verifier, issuer.token(exp=now - 40))
    assert_refused(verifier, issuer.token(nbf=now + 40))


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": None}, {"aud": None}, {"sub": None}, {"iss": None},
        {"exp": "9999999999"}, {"exp": True}, {"exp": []}, {"nbf": "0"}, {"nbf": False}, {"iat": "0"},
        {"exp": float("inf")},
        {"iss": "https://other.test"}, {"iss": ISSUER + "/"},
        {"aud": "other"}, {"aud": []}, {"aud": [AUDIENCE, 1]}, {"aud": {"a": 1}},
        {"sub": ""}, {"sub": 1}, {"sub": ["alice"]}, {"sub": "a\0b"}, {"sub": "\ud800"}, {"sub": "x" * 256},
    ],
    ids=str,
)  # fmt: skip
def test_a_token_with_a_wrong_claim_is_refused(
    issuer: TokenIssuer, verifier: TokenVerifier, claims: dict[str, Any]
) -> None:
    document = {**issuer.claims("alice"), **claims}
    document = {name: value for name, value in document.items() if value is not None}
    header, payload = segment({"alg": "ES256", "kid": KEY_ID}), segment(document)
    assert_refused(verifier, signed(issuer, header, payload))


def signed(issuer: TokenIssuer, header: str, payload: str) -> str:
    """Sign what PyJWT would refuse to."""
    algorithm = jwt.get_algorithm_by_name("ES256")
    signature = algorithm.sign(f"{header}.{payload}".encode(), issuer.private_key)
    return f"{header}.{payload}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def test_a_token_without_an_algorithm_is_refused(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    for name in ("none", "None", "NONE", ""):
        assert_refused(verifier, f"{segment({'alg': name, 'kid': KEY_ID})}.{segment(issuer.claims('alice'))}.")


@pytest.mark.parametrize("encoding", [serialization.Encoding.DER, serialization.Encoding.PEM])
def test_a_token_signed_with_the_public_key_as_a_secret_is_refused(
    issuer: TokenIssuer, verifier: TokenVerifier, encoding: serialization.Encoding
) -> None:
    public = issuer.private_key.public_key().public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
    signed_part = f"{segment({'alg': 'HS256', 'kid': KEY_ID})}.{segment(issuer.claims('alice'))}"
    signature = base64.urlsafe_b64encode(hmac.digest(public, signed_part.encode(), "sha256")).rstrip(b"=").decode()
    assert_refused(verifier, f"{signed_part}.{signature}")


@pytest.mark.parametrize("algorithm", ["ES384", "RS256", "PS256", "EdDSA"])
def test_a_token_that_claims_another_algorithm_is_refused(
    issuer: TokenIssuer, verifier: TokenVerifier, algorithm: str
) -> None:
    assert_refused(
        verifier, signed(issuer, segment({"alg": algorithm, "kid": KEY_ID}), segment(issuer.claims("alice")))
    )


def test_a_key_that_the_token_brings_along_is_not_believed(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    forger = ec.generate_private_key(ec.SECP256R1())
    jwk = {**issuer.public_jwk(), "kid": "forged"}
    for headers in ({"kid": "forged", "jwk": jwk}, {"kid": KEY_ID, "jku": "https://forger.test/jwks"}):
        token = jwt.encode(issuer.claims("alice"), forger, algorithm="ES256", headers=headers)
        assert_refused(verifier, token)


def test_a_critical_header_that_is_not_understood_is_refused(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    header = segment({"alg": "ES256", "kid": KEY_ID, "crit": ["unheard"], "unheard": 1})
    assert_refused(verifier, signed(issuer, header, segment(issuer.claims("alice"))))


@pytest.mark.parametrize("key_id", ["unknown", "", "../../etc/passwd", 1, ["a"], {"a": 1}, None])
def test_an_unknown_key_id_is_refused(issuer: TokenIssuer, verifier: TokenVerifier, key_id: object) -> None:
    # None is a header with null; an absent header is another case.
    header = segment({"alg": "ES256", "kid": key_id if key_id is not None else []})
    assert_refused(verifier, signed(issuer, header, segment(issuer.claims("alice"))))


def test_a_token_without_a_key_id_takes_the_only_key(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    token = signed(issuer, segment({"alg": "ES256"}), segment(issuer.claims("alice")))
    assert verifier.verify(token).subject == "alice"


@pytest.mark.parametrize(
    "token",
    [
        "..",
        "a.b.c",
        "a.b",
        "",
        "\ud800.a.b",
        "ä.b.c",
        f"{'x' * 9000}..",
        f"{segment([])}.{segment({})}.",
        f"{segment(1)}..",
    ],
)
def test_junk_is_refused(verifier: TokenVerifier, token: str) -> None:
    assert_refused(verifier, token)


def test_a_deep_header_or_payload_is_refused(issuer: TokenIssuer, verifier: TokenVerifier) -> None:
    deep = base64.urlsafe_b64encode(b"[" * 3000).rstrip(b"=").decode()
    assert_refused(verifier, f"{deep}.{segment({})}.AA")
    assert_refused(verifier, signed(issuer, segment({"alg": "ES256", "kid": KEY_ID}), deep))


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


@pytest.mark.parametrize("algorithm", ["RS256", "EdDSA"])
def test_the_other_asymmetric_algorithms_are_believed(tmp_path: Path, issuer: TokenIssuer, algorithm: str) -> None:
    key: Any
    jwk: dict[str, Any]
    if algorithm == "RS256":
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        jwk = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        key = Ed25519PrivateKey.generate()
        jwk = OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"keys": [{**jwk, "kid": "other"}]}))
    verifier = TokenVerifier(JwksFile(file), issuer=ISSUER, audience=AUDIENCE)
    token = jwt.encode(issuer.claims("alice"), key, algorithm=algorithm, headers={"kid": "other"})
    assert verifier.verify(token).subject == "alice"
