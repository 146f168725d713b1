"""What is an id: what a library of TypeIDs takes for one, and nothing else."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typeid import TypeID
from typeid.errors import TypeIDException

from common.ids import MAX_ID_LENGTH, IdPrefix, is_id, new_id

PREFIXES = st.sampled_from(IdPrefix)


def is_type_id(prefix: IdPrefix, text: str) -> bool:
    """Ask the library."""
    try:
        return text.startswith(f"{prefix}_") and str(TypeID.from_string(text)) == text
    except TypeIDException:
        return False


@pytest.mark.parametrize("prefix", IdPrefix)
def test_a_new_id_is_one_of_its_prefix_alone(prefix: IdPrefix) -> None:
    made = new_id(prefix)
    assert [other for other in IdPrefix if is_id(other, made)] == [prefix]
    assert len(made) <= MAX_ID_LENGTH


@given(prefix=PREFIXES, suffix=st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=25, max_size=27))
@example(prefix=IdPrefix.PROJECT, suffix="7" + 25 * "z")
@example(prefix=IdPrefix.PROJECT, suffix="8" + 25 * "0")
@example(prefix=IdPrefix.PROJECT, suffix=26 * "0")
def test_a_suffix_is_judged_as_the_library_judges_it(prefix: IdPrefix, suffix: str) -> None:
    text = f"{prefix}_{suffix}"
    assert is_id(prefix, text) == is_type_id(prefix, text)


@given(prefix=PREFIXES, at=st.integers(0, 40), replacement=st.characters())
@example(prefix=IdPrefix.FLOW, at=31, replacement="\n")
def test_one_changed_character_is_judged_as_the_library_judges_it(prefix: IdPrefix, at: int, replacement: str) -> None:
    whole = new_id(prefix)
    text = whole[:at] + replacement + whole[at + 1 :]
    assert is_id(prefix, text) == is_type_id(prefix, text)
