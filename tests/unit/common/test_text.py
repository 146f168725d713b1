"""Texts that people write: trimming, forbidden characters, and the pattern for both."""

import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.text import has_forbidden_characters, text_pattern

ANY_TEXT = st.text(st.sampled_from("ab \t\n\r\x00\x1f\x7f\x85\xa0\u2003\ufeff🎈"), max_size=9)


@given(ANY_TEXT, st.integers(0, 4), st.integers(2, 6))
@example(" a\n", 1, 2)
@example("\u2003 \u2003", 0, 2)
def test_pattern_agrees_with_trimming_and_counting(text: str, shortest: int, longest: int) -> None:
    trimmed = text.strip()
    is_accepted = shortest <= len(trimmed) <= max(shortest, longest) and not has_forbidden_characters(trimmed)
    pattern = text_pattern(shortest, max(shortest, longest))
    assert bool(re.fullmatch(pattern.removesuffix("$"), text)) is is_accepted


def test_every_white_space_is_trimmed() -> None:
    spaces = "".join(filter(str.isspace, map(chr, range(sys.maxunicode + 1))))
    assert re.fullmatch(text_pattern(1, 2), f"{spaces}a{spaces}")


@pytest.mark.parametrize("text", ["\x00", "a\x08b", "a\x1fb", "\ud800"])
def test_control_characters_and_lone_surrogates_are_forbidden(text: str) -> None:
    assert has_forbidden_characters(text)


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "\x7f", "\u202e"])
def test_tabs_newlines_and_other_characters_are_allowed(text: str) -> None:
    assert not has_forbidden_characters(text)
