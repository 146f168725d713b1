"""Keys: what they look like, and how a mistyped one is told (contract, section 2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.credentials import BASE62, KeyPrefix, generate_key, is_well_formed, secret_key_digest


@pytest.mark.parametrize("prefix", KeyPrefix)
def test_a_new_key_is_well_formed_of_its_kind_only(prefix: KeyPrefix) -> None:
    key = generate_key(prefix)
    assert [kind for kind in KeyPrefix if is_well_formed(kind, key)] == [prefix]


def test_no_two_keys_are_alike() -> None:
    assert len({generate_key(KeyPrefix.SECRET) for _ in range(100)}) == 100


@given(st.integers(len(KeyPrefix.SECRET), 42), st.sampled_from(BASE62))
def test_one_wrong_character_is_told_without_a_lookup(position: int, character: str) -> None:
    key = generate_key(KeyPrefix.SECRET)
    mistyped = key[:position] + character + key[position + 1 :]
    assert is_well_formed(KeyPrefix.SECRET, mistyped) is (mistyped == key)


@given(st.text(max_size=60))
def test_any_text_is_judged_without_failing(text: str) -> None:
    assert not is_well_formed(KeyPrefix.SECRET, text)
    assert not is_well_formed(KeyPrefix.SECRET, KeyPrefix.SECRET + text)
    assert len(secret_key_digest(text)) == 32


def test_a_key_with_a_character_that_is_not_ascii_is_not_well_formed() -> None:
    assert not is_well_formed(KeyPrefix.SECRET, generate_key(KeyPrefix.SECRET)[:-1] + "é")
