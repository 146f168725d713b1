"""The development identity."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import pytest

from cli.demo.identity import AUDIENCE, ISSUER, DevelopmentIdentity
from cli.errors import CommandError


def _claims(identity: DevelopmentIdentity, token: str) -> dict[str, Any]:
    identity.write_jwks()
    keys = jwt.PyJWKSet.from_dict(json.loads(identity.jwks_file.read_text()))
    key = keys[jwt.get_unverified_header(token)["kid"]]
    return dict(jwt.decode(token, key, algorithms=["EdDSA"], audience=AUDIENCE, issuer=ISSUER))


def test_a_token_verifies_with_the_published_key(tmp_path: Path) -> None:
    identity = DevelopmentIdentity(tmp_path)
    claims = _claims(identity, identity.token("alice@example.com"))
    assert (claims["email"], claims["email_verified"]) == ("alice@example.com", True)
    assert claims["name"] == "alice"
    assert claims["exp"] - claims["iat"] == 30 * 24 * 3600


def test_an_address_is_always_the_same_subject_and_another_is_not(tmp_path: Path) -> None:
    identity = DevelopmentIdentity(tmp_path)
    subjects = [_claims(identity, identity.token(each))["sub"] for each in ("a@b.c", " A@B.c ", "b@b.c")]
    assert subjects[0] == subjects[1] != subjects[2]


def test_key_pair_is_kept_and_concurrent_first_uses_agree_on_it(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        identities = list(threads.map(lambda _number: DevelopmentIdentity(tmp_path), range(8)))
    for identity in identities:
        assert _claims(identities[0], identity.token("a@b.c"))["email"] == "a@b.c"


def test_the_private_key_is_for_the_owner_only_and_not_in_the_jwks(tmp_path: Path) -> None:
    identity = DevelopmentIdentity(tmp_path)
    identity.write_jwks()
    assert stat.S_IMODE((tmp_path / "private.pem").stat().st_mode) == 0o600
    (key,) = json.loads(identity.jwks_file.read_text())["keys"]
    assert set(key) == {"kty", "crv", "x", "alg", "use", "kid"}


@pytest.mark.parametrize("address", ["", "alice", "@example.com", "alice@", "a@b@c", "a" * 300 + "@example.com"])
def test_invalid_address_gets_no_token(tmp_path: Path, address: str) -> None:
    with pytest.raises(CommandError, match="an e-mail address is needed"):
        DevelopmentIdentity(tmp_path).token(address)
