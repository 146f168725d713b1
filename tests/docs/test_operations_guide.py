"""The operations guide: an index in reading order, and a file for each subject."""

import re
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, anchors_of, links_of, name_of

_INDEX = (ROOT / "docs" / "operations.md").read_text()
_SUBJECTS = sorted((ROOT / "docs" / "operations").glob("*.md"))
_MOST_LINES = 500


@pytest.mark.parametrize("subject", _SUBJECTS, ids=name_of)
def test_the_index_leads_to_every_section_in_its_order(subject: Path) -> None:
    sections = re.findall(r"^## .+$", subject.read_text(), re.MULTILINE)
    wanted = [f"operations/{subject.name}#{anchor}" for section in sections for anchor in anchors_of(section)]
    assert [link for link in links_of(_INDEX) if link.startswith(f"operations/{subject.name}#")] == wanted


@pytest.mark.parametrize("subject", _SUBJECTS, ids=name_of)
def test_a_subject_is_short_enough_to_be_read(subject: Path) -> None:
    assert len(subject.read_text().splitlines()) <= _MOST_LINES


def test_the_index_has_no_sections_of_its_own_but_those_of_the_subjects() -> None:
    headings = re.findall(r"^## (.+)$", _INDEX, re.MULTILINE)
    assert [heading for heading in headings if "](operations/" not in heading] == []
