"""Ids: well-formed exactly when the TypeID library accepts them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typeid import TypeID
from typeid.errors import TypeIDException

from common.ids import MAX_ID_LENGTH, IdPrefix, is_id, new_id

PREFIXES = st.sampled_from(IdPrefix)


def is_type_id(prefix: IdPrefix, text: str) -> bool:
    """Return whether the library accepts the text."""
    try:
        return text.startswith(f"{prefix}_") and str(TypeID.from_string(text)) == text
    except TypeIDException:
        return False


@pytest.mark.parametrize("prefix", IdPrefix)
def test_new_id_has_its_prefix_alone(prefix: IdPrefix) -> None:
    created = new_id(prefix)
    assert [other for other in IdPrefix if is_id(other, created)] == [prefix]
    assert len(created) <= MAX_ID_LENGTH


@given(prefix=PREFIXES, suffix=st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=25, max_size=27))
@example(prefix=IdPrefix.PROJECT, suffix="7" + 25 * "z")
@example(prefix=IdPrefix.PROJECT, suffix="8" + 25 * "0")
@example(prefix=IdPrefix.PROJECT, suffix=26 * "0")
def test_suffix_is_valid_exactly_when_library_accepts_it(prefix: IdPrefix, suffix: str) -> None:
    text = f"{prefix}_{suffix}"
    assert is_id(prefix, text) == is_type_id(prefix, text)


@given(prefix=PREFIXES, at=st.integers(0, 40), replacement=st.characters())
@example(prefix=IdPrefix.FLOW, at=31, replacement="\n")
def test_changed_id_is_valid_exactly_when_library_accepts_it(prefix: IdPrefix, at: int, replacement: str) -> None:
    original = new_id(prefix)
    text = original[:at] + replacement + original[at + 1 :]
    assert is_id(prefix, text) == is_type_id(prefix, text)
