"""The operations guide: an index of all pages, and pages that are short enough to read."""

from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, links_of, name_of

_INDEX = (ROOT / "docs" / "operations.md").read_text()
_PAGES = sorted((ROOT / "docs" / "operations").glob("*.md"))
_MAX_LINES = 400


def test_index_links_every_page_once() -> None:
    pages = [link for link in links_of(_INDEX) if link.startswith("operations/") and "#" not in link]
    assert sorted(pages) == [f"operations/{page.name}" for page in _PAGES]


@pytest.mark.parametrize("page", _PAGES, ids=name_of)
def test_page_is_short_enough_to_read(page: Path) -> None:
    assert len(page.read_text().splitlines()) <= _MAX_LINES


def test_checklist_fits_one_page() -> None:
    assert len((ROOT / "docs" / "operations" / "checklist.md").read_text().splitlines()) <= 50
