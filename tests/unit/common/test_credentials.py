"""Keys: their form, and the detection of mistyped ones (contract, section 2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.credentials import BASE62, KeyPrefix, generate_key, is_well_formed, secret_key_digest


@pytest.mark.parametrize("prefix", KeyPrefix)
def test_new_key_is_well_formed_for_its_kind_only(prefix: KeyPrefix) -> None:
    key = generate_key(prefix)
    assert [kind for kind in KeyPrefix if is_well_formed(kind, key)] == [prefix]


def test_keys_are_unique() -> None:
    assert len({generate_key(KeyPrefix.SECRET) for _ in range(100)}) == 100


@given(st.integers(len(KeyPrefix.SECRET), 42), st.sampled_from(BASE62))
def test_wrong_character_fails_the_checksum(position: int, character: str) -> None:
    key = generate_key(KeyPrefix.SECRET)
    mistyped = key[:position] + character + key[position + 1 :]
    assert is_well_formed(KeyPrefix.SECRET, mistyped) is (mistyped == key)


@given(st.text(max_size=60))
def test_any_text_is_checked_without_error(text: str) -> None:
    assert not is_well_formed(KeyPrefix.SECRET, text)
    assert not is_well_formed(KeyPrefix.SECRET, KeyPrefix.SECRET + text)
    assert len(secret_key_digest(text)) == 32


def test_non_ascii_key_is_not_well_formed() -> None:
    assert not is_well_formed(KeyPrefix.SECRET, generate_key(KeyPrefix.SECRET)[:-1] + "é")
