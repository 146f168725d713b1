"""Which keys of a key set verify tokens, and when the file is read again."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from management_api.auth.jwks import JwksError, JwksFile, parse_jwks, read_jwks_file
from tests.support.clients.token_issuer import KEY_ID, TokenIssuer


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(tmp_path)


def write(file: Path, *keys: dict[str, Any]) -> None:
    """Replace a file at once, as a provider's deployment does."""
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps({"keys": keys}))
    fresh.replace(file)


def assert_no_key(document: object) -> None:
    with pytest.raises(JwksError, match="no RS256, ES256 or EdDSA key"):
        parse_jwks(document)


@pytest.mark.parametrize(
    "members",
    [{"use": "sig"}, {"use": "sig", "key_ops": ["verify"]}, {"key_ops": ["sign", "verify"]}, {"alg": "ES256"}],
    ids=str,
)
def test_a_key_for_signatures_is_used(issuer: TokenIssuer, members: dict[str, Any]) -> None:
    [key] = parse_jwks({"keys": [issuer.public_jwk(**members)]})
    assert (key.key_id, key.algorithm_name) == (KEY_ID, "ES256")


@pytest.mark.parametrize(
    "members",
    [{"use": "enc"}, {"use": ["sig"]}, {"key_ops": ["encrypt"]}, {"key_ops": "verify"}, {"key_ops": []},
     {"alg": "ES384"},
     {"alg": "HS256"}, {"alg": "none"}, {"kty": "oct", "k": "c2VjcmV0"}, {"kty": ["EC"]}, {"crv": "P-384"}, {"crv": 1},
     {"x": "AAAA"}, {"x": 1}, {"y": None}],
    ids=str,
)  # fmt: skip
def test_any_other_key_is_passed_over(issuer: TokenIssuer, members: dict[str, Any]) -> None:
    other = issuer.public_jwk(kid="other")
    assert [key.key_id for key in parse_jwks({"keys": [issuer.public_jwk(**members), other]})] == ["other"]


def test_a_short_rsa_key_is_passed_over() -> None:
    short = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505 - that is the point
    assert_no_key({"keys": [RSAAlgorithm.to_jwk(short.public_key(), as_dict=True)]})


@pytest.mark.parametrize("document", [None, [], {}, {"keys": None}, {"keys": "a"}, {"keys": [None, 1, [], "a", {}]}])
def test_junk_holds_no_keys(document: object) -> None:
    assert_no_key(document)


@pytest.mark.parametrize("content", [b"", b"{", b'{"keys": []}', b"[" * 100_000, b"\xff"])
def test_a_file_without_a_usable_key_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(content)
    with pytest.raises(JwksError, match=r"^the key set "):
        read_jwks_file(file)


def test_a_rotated_key_is_found_at_the_next_request(issuer: TokenIssuer) -> None:
    keys = JwksFile(issuer.jwks_file)
    new = ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1()).public_key(), as_dict=True)
    write(issuer.jwks_file, {**new, "kid": "new"}, issuer.public_jwk())
    assert keys.find("new") is not None
    assert keys.find(KEY_ID) is not None
    write(issuer.jwks_file, {**new, "kid": "new"})
    assert keys.find(KEY_ID) is None


def test_damaged_or_missing_file_keeps_the_cached_keys(issuer: TokenIssuer) -> None:
    keys = JwksFile(issuer.jwks_file)
    issuer.jwks_file.write_text("{")
    assert keys.find(KEY_ID) is not None
    issuer.jwks_file.unlink()
    assert keys.find(KEY_ID) is not None


def test_token_without_key_id_is_verified_by_a_single_key_only(issuer: TokenIssuer) -> None:
    keys = JwksFile(issuer.jwks_file)
    assert keys.find(None) is not None
    write(issuer.jwks_file, issuer.public_jwk(), issuer.public_jwk(kid="other"))
    assert keys.find(None) is None
