"""Decisions: the index lists every record, and every reference to a decision names a record that exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, errors_in, links_of, name_of, source_files

_FOLDER = ROOT / "docs" / "decisions"
_RECORDS = sorted(_FOLDER.glob("[0-9]*.md"))
_NUMBERS = {int(record.name[:4]) for record in _RECORDS}
_INDEX = (_FOLDER / "README.md").read_text()

_REFERENCE = re.compile(r"\bdecisions?[ /](\d{1,4})(?:(?:,| and) (\d{1,4})\b)?", re.IGNORECASE)


def _unknown_references(text: str) -> Iterator[int]:
    for match in _REFERENCE.finditer(text):
        yield from (int(number) for number in match.groups() if number and int(number) not in _NUMBERS)


def test_records_have_a_status() -> None:
    assert errors_in(_RECORDS, lambda text: [] if "\n**Status.** " in text else ["no status"]) == {}


def test_index_lists_every_record_with_its_title() -> None:
    titles = [record.read_text().partition("\n")[0].removeprefix("# ") for record in _RECORDS]
    rows = [(record.name, *title.split(". ", 1)) for record, title in zip(_RECORDS, titles, strict=True)]
    assert [f"| [{number}]({name}) | {title} |" in _INDEX for name, number, title in rows] == [True] * len(rows)
    assert [link for link in links_of(_INDEX) if link.startswith("0")] == [record.name for record in _RECORDS]


def test_references_to_decisions_name_records() -> None:
    files = [file for file in source_files() if file != Path(__file__) and file.name != "CHANGELOG.md"]
    unknown = {name_of(file): list(_unknown_references(file.read_text())) for file in files}
    assert {name: numbers for name, numbers in unknown.items() if numbers} == {}


@pytest.mark.parametrize("text", ["see decision 9999", "Decisions 3 and 9999", "docs/decisions/9999-x.md"])
def test_reference_without_a_record_is_found(text: str) -> None:
    assert list(_unknown_references(text)) == [9999]
