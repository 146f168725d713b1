"""Forged tokens of every known kind are answered 401, word for word (contract, sections 1 and 2)."""

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import pytest

from tests.support.clients.forged_tokens import RSA_KEY_ID, TokenForger, base64url, encoded
from tests.support.clients.management import Management
from tests.support.clients.token_issuer import AUDIENCE, ISSUER, KEY_ID

Forge = Callable[[TokenForger], str]


@pytest.fixture(scope="module")
def forger(shared_management: Management) -> TokenForger:
    """Return a forger with the public keys of the service's issuer."""
    return TokenForger(shared_management.issuer)


def answer(management: Management, token: str) -> tuple[int, Any, str]:
    """Return status, body and challenge of the answer to a request with the token."""
    response = management.anonymous(Authorization=f"Bearer {token}").get("/api/projects")
    return response.status_code, response.json, response.headers.get("www-authenticate", "").partition(" ")[0]


def not_refused(
    management: Management, tokens: Iterable[tuple[object, str]], error: str = "Invalid token"
) -> dict[str, object]:
    """Return the answers to the named tokens that are not refused with this error."""
    refusal = (401, {"success": False, "error": error, "code": "UNAUTHORIZED", "status": 401}, "Bearer")
    answers = {str(name): answer(management, token) for name, token in tokens}
    return {name: each for name, each in answers.items() if each != refusal}


def forged(forger: TokenForger, forges: dict[str, Forge]) -> Iterator[tuple[str, str]]:
    for name, forge in forges.items():
        yield name, forge(forger)


@pytest.mark.parametrize("algorithm", ["ES256", "RS256", "EdDSA"])
def test_a_valid_token_is_accepted(shared_management: Management, forger: TokenForger, algorithm: str) -> None:
    headers = {"Authorization": f"Bearer {forger.valid(algorithm)}"}
    assert shared_management.anonymous(**headers).get("/api/projects").status_code == 200


def test_a_token_without_signature_is_refused(shared_management: Management, forger: TokenForger) -> None:
    algorithms = ["none", "None", "nOnE", "NONE", "", None, 0, ["none"], {"a": 1}]
    assert not_refused(shared_management, ((name, forger.unsigned(name)) for name in algorithms)) == {}


def test_a_public_key_is_no_secret(shared_management: Management, forger: TokenForger) -> None:
    kinds = product(forger.public_forms().values(), ("HS256", "HS384", "HS512"), (KEY_ID, RSA_KEY_ID, "", None))
    assert not_refused(shared_management, ((kind, forger.with_public_key_as_secret(*kind)) for kind in kinds)) == {}


BROUGHT_KEYS: dict[str, Forge] = {
    "jwk": lambda f: f.signed_by_forger(jwk=f.forger_jwk()),
    "jwk under a known id": lambda f: f.signed_by_forger(jwk=f.forger_jwk(), kid=KEY_ID),
    "jku": lambda f: f.signed_by_forger(jku="http://127.0.0.1:9/keys", kid="forged"),
    "jku of the issuer": lambda f: f.signed_by_forger(jku=f"{ISSUER}/keys", kid=KEY_ID),
    "x5u": lambda f: f.signed_by_forger(x5u="http://127.0.0.1:9/certificate", kid=KEY_ID),
    "x5c": lambda f: f.signed_by_forger(x5c=["AAAA"], kid=KEY_ID),
    "x5t": lambda f: f.signed_by_forger(x5t="AAAA", kid=KEY_ID),
    "no id": lambda f: f.signed_by_forger(),
}


def test_key_in_the_token_is_not_trusted(shared_management: Management, forger: TokenForger) -> None:
    assert not_refused(shared_management, forged(forger, BROUGHT_KEYS)) == {}


ODD_HEADERS: list[dict[str, Any]] = [
    {"crit": ["unheard"], "unheard": 1}, {"crit": []}, {"crit": "exp"}, {"crit": ["b64"], "b64": False},
    {"b64": False}, {"crit": [1]}, {"crit": ["exp"]}, {"crit": None},
    {"typ": "logout+jwt"}, {"typ": "dpop+jwt"}, {"typ": "secevent+jwt"}, {"typ": "JOSE"}, {"typ": ""},
    {"typ": None}, {"typ": 1}, {"typ": ["JWT"]},
    {"alg": "RS256"}, {"alg": "ES384"}, {"alg": "ES512"}, {"alg": "PS256"}, {"alg": "EdDSA"}, {"alg": "es256"},
    {"alg": "HS256"}, {"alg": ["ES256"]}, {"alg": None},
    {"kid": "../../../../etc/passwd"}, {"kid": "/dev/null"}, {"kid": "x' OR '1'='1"}, {"kid": "key\0"},
    {"kid": "k" * 5000}, {"kid": ""}, {"kid": 1}, {"kid": None}, {"kid": ["test-key"]}, {"kid": {"a": 1}},
    {"kid": "https://forger.test/keys"}, {"kid": "\ud800"}, {"kid": RSA_KEY_ID},
]  # fmt: skip


def test_token_with_an_odd_header_is_rejected(shared_management: Management, forger: TokenForger) -> None:
    usual = {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}
    tokens = ((header, forger.signed({**usual, **header})) for header in ODD_HEADERS)
    assert not_refused(shared_management, tokens) == {}


LONG_AGO, FAR_AWAY = 1_000_000_000, 4_000_000_000


WRONG_CLAIMS: list[dict[str, Any]] = [
    {"exp": None}, {"aud": None}, {"sub": None}, {"iss": None},
    {"exp": "9999999999"}, {"exp": True}, {"exp": []}, {"exp": {}}, {"exp": 0}, {"exp": -1}, {"exp": LONG_AGO},
    {"exp": float("inf")}, {"exp": float("nan")},
    {"nbf": FAR_AWAY}, {"nbf": "0"}, {"nbf": False}, {"iat": FAR_AWAY}, {"iat": "now"}, {"iat": [1]},
    {"iss": "https://other.test"}, {"iss": ISSUER + "/"}, {"iss": ISSUER.upper()}, {"iss": [ISSUER]}, {"iss": 1},
    {"iss": ""}, {"iss": {}},
    {"aud": "other"}, {"aud": []}, {"aud": ["other"]}, {"aud": [AUDIENCE, 1]}, {"aud": {"onboarding": 1}},
    {"aud": ""}, {"aud": 1}, {"aud": AUDIENCE + " "},
    {"sub": ""}, {"sub": 1}, {"sub": True}, {"sub": ["alice"]}, {"sub": {"a": 1}}, {"sub": "a\0b"},
    {"sub": "\ud800"}, {"sub": "x" * 256}, {"sub": "a\nb\x1b"},
]  # fmt: skip


def with_claims(forger: TokenForger, claims: dict[str, Any]) -> str:
    """Return a signed token with these claims; None takes a claim away."""
    document = {**forger.issuer.claims("alice"), **claims}
    named = {name: value for name, value in document.items() if value is not None}
    return forger.signed({"alg": "ES256", "kid": KEY_ID}, named)


def test_a_signed_token_with_a_wrong_claim_is_refused(shared_management: Management, forger: TokenForger) -> None:
    tokens = ((claims, with_claims(forger, claims)) for claims in WRONG_CLAIMS)
    assert not_refused(shared_management, tokens) == {}


def test_the_leeway_is_half_a_minute(shared_management: Management, forger: TokenForger) -> None:
    now = int(time.time())
    late = shared_management.user(exp=now - 20, iat=now + 20, nbf=now + 20)
    assert late.get("/api/projects").status_code == 200
    tokens = {"expired": forger.issuer.token(exp=now - 31), "not yet valid": forger.issuer.token(nbf=now + 45)}
    assert not_refused(shared_management, tokens.items()) == {}


RAW: dict[str, Forge] = {
    "zero r and s": lambda f: f.with_raw_signature(b"\0" * 64),
    "the order of the curve": lambda f: f.with_raw_signature(bytes.fromhex("ff" * 64)),
    "no signature": lambda f: f.with_raw_signature(b""),
    "a DER signature": lambda f: f.with_raw_signature(bytes.fromhex("3006020100020100")),
    "a short one": lambda f: f.with_raw_signature(b"\1" * 63),
    "a long one": lambda f: f.with_raw_signature(b"\1" * 3000),
    "RSA zeros": lambda f: f.with_raw_signature(b"\0" * 256, "RS256", RSA_KEY_ID),
    "an EC signature for RSA": lambda f: f.with_raw_signature(b"\1" * 64, "RS256", RSA_KEY_ID),
    "Ed25519 zeros": lambda f: f.with_raw_signature(b"\0" * 64, "EdDSA", "ed-key"),
    "cut short": lambda f: f.valid("ES256")[:-4],
    "someone else's": lambda f: f"{f.valid('ES256').rpartition('.')[0]}.{f.issuer.token('bob').rpartition('.')[2]}",
    "claims exchanged": lambda f: exchanged(f.valid("ES256"), encoded(f.issuer.claims("mallory"))),
    "header exchanged": lambda f: (
        f"{encoded({'alg': 'ES256', 'kid': KEY_ID, 'x': 1})}.{f.valid('ES256').partition('.')[2]}"
    ),
}


def exchanged(token: str, payload: str) -> str:
    """Replace the claims; keep header and signature."""
    header, _, signature = token.split(".")
    return f"{header}.{payload}.{signature}"


def test_token_with_a_malformed_signature_is_rejected(shared_management: Management, forger: TokenForger) -> None:
    assert not_refused(shared_management, forged(forger, RAW)) == {}


DEEP = "[" * 3000
TWO_ALGORITHMS = f'{{"alg": "none", "kid": "{KEY_ID}", "alg": "ES256"}}'
JUNK: dict[str, Forge] = {
    "only dots": lambda _f: "..",
    "no JSON": lambda _f: "a.b.c",
    "a list for a header": lambda f: f.signed("[]"),
    "a number for a header": lambda f: f.signed("1"),
    "a header without end": lambda f: f.signed('{"alg": "ES256"'),
    "a deep header": lambda f: f.signed(DEEP),
    "a list for claims": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID}, "[]"),
    "text for claims": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID}, '"alice"'),
    "claims without end": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID}, '{"sub":'),
    "deep claims": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID}, DEEP),
    "an endless number": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID}, '{"exp": ' + "9" * 5000 + "}"),
    "a huge exponent": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID}, '{"exp": 1e999, "sub": "a"}'),
    "two algorithms, the last none": lambda f: f.signed(f'{{"alg": "ES256", "kid": "{KEY_ID}", "alg": "none"}}'),
    "two algorithms, unsigned": lambda f: f"{encoded(TWO_ALGORITHMS)}.{encoded(f.issuer.claims('alice'))}.",
    "a wrong alphabet": lambda f: f.valid("ES256").replace("-", "+").replace("_", "/") + "+/",
    "padding": lambda f: f"{f.valid('ES256')}=",
    "very long": lambda f: f.signed({"alg": "ES256", "kid": KEY_ID, "x": "y" * 9000}),
    "inner blanks": lambda f: f.valid("ES256").replace(".", ". "),
}


def test_text_in_the_form_of_a_token_is_rejected(shared_management: Management, forger: TokenForger) -> None:
    assert not_refused(shared_management, forged(forger, JUNK)) == {}


OTHER_FORMS: dict[str, Forge] = {
    "JWE": lambda _f: f"{encoded({'alg': 'dir', 'enc': 'A256GCM'})}..{base64url(b'iv')}.{base64url(b'x')}.AA",
    "two parts": lambda f: f.valid("ES256").rpartition(".")[0],
    "four parts": lambda f: f"{f.valid('ES256')}.AA",
    "JSON serialization": lambda f: f'{{"payload":"{encoded(f.issuer.claims("alice"))}"}}',
}


def test_credential_without_two_dots_is_an_invalid_api_key(shared_management: Management, forger: TokenForger) -> None:
    assert not_refused(shared_management, forged(forger, OTHER_FORMS), "Invalid API key") == {}
