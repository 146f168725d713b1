"""Decisions: every record has its number, and every reference to a decision names a record that exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, name_of, source_files

_FOLDER = ROOT / "docs" / "decisions"
_RECORDS = sorted(_FOLDER.glob("[0-9]*.md"))
_NUMBERS = {int(record.name[:4]) for record in _RECORDS}

_REFERENCE = re.compile(r"\bdecisions?[ /](\d{1,4})(?:(?:,| and) (\d{1,4})\b)?", re.IGNORECASE)


def _unknown_references(text: str) -> Iterator[int]:
    for match in _REFERENCE.finditer(text):
        yield from (int(number) for number in match.groups() if number and int(number) not in _NUMBERS)


def test_titles_of_records_have_their_numbers() -> None:
    assert [
        record.name for record in _RECORDS if not record.read_text().startswith(f"# {int(record.name[:4])}. ")
    ] == []


def test_references_to_decisions_name_records() -> None:
    files = [file for file in source_files() if file != Path(__file__) and file.name != "CHANGELOG.md"]
    unknown = {name_of(file): list(_unknown_references(file.read_text())) for file in files}
    assert {name: numbers for name, numbers in unknown.items() if numbers} == {}


@pytest.mark.parametrize("text", ["see decision 9999", "Decisions 5 and 9999", "docs/decisions/9999-x.md"])
def test_reference_without_a_record_is_found(text: str) -> None:
    assert list(_unknown_references(text)) == [9999]
