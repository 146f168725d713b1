"""Assignment tokens: valid only for the device, the project and the keys that they were issued for."""

import base64
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.rules.resolution import Assignment
from common.wire.assignment_tokens import AssignmentTokens

KEY, FORMER_KEY = b"k" * 32, b"f" * 32
ASSIGNMENT = Assignment("exp_1", "b", 3)
TOKENS = AssignmentTokens([KEY])
TOKEN = TOKENS.issue("proj_1", "phone", ASSIGNMENT).decode()


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40), st.integers(0, 2**31))
def test_token_returns_its_content(device_id: str, experiment_id: str, variant: str, version: int) -> None:
    assignment = Assignment(experiment_id, variant, version)
    token = TOKENS.issue("proj_1", device_id, assignment)
    assert TOKENS.read("proj_1", device_id, token.decode()) == assignment


@given(st.binary(min_size=32, max_size=100), st.text(max_size=40), st.text(max_size=40))
def test_token_ends_with_16_bytes_of_hmac_sha256(key: bytes, project_id: str, device_id: str) -> None:
    token = AssignmentTokens([key]).issue(project_id, device_id, ASSIGNMENT)
    raw = base64.urlsafe_b64decode(token + b"=" * (-len(token) % 4))
    signed = msgspec.msgpack.encode((project_id, device_id, raw[:-16]))
    assert raw[-16:] == hmac.digest(key, signed, "sha256")[:16]


def test_token_of_release_before_stays_valid() -> None:
    assert TOKENS.read("proj_1", "phone", "k6VleHBfMaFiA5T_M4tzXJKAxJMAUC4Hgmw") == ASSIGNMENT


def test_token_is_read_in_other_spellings_of_base64() -> None:
    assert TOKENS.read("proj_1", "phone", TOKEN + "=" * (-len(TOKEN) % 4)) == ASSIGNMENT


def test_token_of_another_device_is_ignored() -> None:
    assert TOKENS.read("proj_1", "tablet", TOKEN) is None


def test_token_of_another_project_is_ignored() -> None:
    assert TOKENS.read("proj_2", "phone", TOKEN) is None


def test_token_of_another_installation_is_ignored() -> None:
    assert AssignmentTokens([FORMER_KEY]).read("proj_1", "phone", TOKEN) is None


def test_former_key_stays_valid_and_first_key_signs() -> None:
    rotated = AssignmentTokens([FORMER_KEY, KEY])
    assert rotated.read("proj_1", "phone", TOKEN) == ASSIGNMENT
    assert TOKENS.read("proj_1", "phone", rotated.issue("proj_1", "phone", ASSIGNMENT).decode()) is None


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_token_with_changed_byte_is_ignored(position: int, change: int) -> None:
    raw = bytearray(base64.urlsafe_b64decode(TOKEN + "=" * (-len(TOKEN) % 4)))
    raw[position % len(raw)] ^= change
    assert TOKENS.read("proj_1", "phone", base64.urlsafe_b64encode(raw).decode()) is None


@given(st.text(max_size=100))
def test_any_text_is_ignored_without_error(text: str) -> None:
    assert TOKENS.read("proj_1", "phone", text) is None


@pytest.mark.parametrize("cut", [1, 5, 20, len(TOKEN)])
def test_truncated_token_is_ignored(cut: int) -> None:
    assert TOKENS.read("proj_1", "phone", TOKEN[:-cut]) is None


def test_content_cannot_be_moved_into_device_id() -> None:
    raw = base64.urlsafe_b64decode(TOKEN + "=" * (-len(TOKEN) % 4))
    content = raw[:-16]
    moved = base64.urlsafe_b64encode(content[1:] + raw[-16:]).decode()
    assert TOKENS.read("proj_1", "phone" + chr(content[0]), moved) is None


def test_fingerprint_equals_that_of_release_before() -> None:
    assert TOKENS.fingerprints == ["339c239b"]


def test_fingerprints_differ_by_key_and_not_by_instance() -> None:
    first, second = b"1" * 32, b"2" * 32
    assert AssignmentTokens([first, second]).fingerprints == [
        *AssignmentTokens([first]).fingerprints,
        *AssignmentTokens([second]).fingerprints,
    ]
    assert len({*AssignmentTokens([first, second]).fingerprints}) == 2
