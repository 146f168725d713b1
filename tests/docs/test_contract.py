"""References in the code to the contract name sections of docs/contract.md."""

import re
from collections.abc import Iterator

from tests.docs.markdown import ROOT, errors_in, source_files

_TEXT = (ROOT / "docs" / "contract.md").read_text()
_SECTIONS = set(re.findall(r"^## (\d)\. ", _TEXT, re.MULTILINE))
_HEADINGS = set(re.findall(r"^### (.+)$", _TEXT, re.MULTILINE))
_REFERENCE = re.compile(r"\(contract, ([^;)]+)[;)]")
_SECTION = re.compile(r"sections? ([\d and]+\d|\d)(?:, )?")


def _unknown_references(text: str) -> Iterator[str]:
    for reference in _REFERENCE.findall(text):
        numbers = re.findall(r"\d", " ".join(_SECTION.findall(reference)))
        heading = _SECTION.sub("", reference)
        if not _SECTIONS.issuperset(numbers) or (heading and heading not in _HEADINGS):
            yield reference


def test_references_to_the_contract_name_its_sections() -> None:
    sources = [source for source in source_files() if source.suffix == ".py" and source.name != "test_contract.py"]
    assert errors_in(sources, _unknown_references) == {}


def test_reference_without_a_section_is_found() -> None:
    assert list(_unknown_references("(contract, section 0) (contract, section 1, Nonsense) (contract, Shapes; x)")) == [
        "section 0",
        "section 1, Nonsense",
    ]
