"""The glossary is sorted, and explains each word once."""

import re

from tests.docs.markdown import ROOT


def test_glossary_is_sorted_without_repeated_words() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\* \|", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    assert words
    assert words == sorted(set(words), key=str.casefold)
