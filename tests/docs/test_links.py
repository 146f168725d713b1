"""Links between the documents lead somewhere."""

import re
from pathlib import Path

from tests.docs.markdown import ROOT, anchors_of, documents, links_of, name_of, source_files

_DOCUMENTS = documents()
_DOCUMENT = re.compile(r"\bdocs/[\w/-]+\.md\b")


def _is_broken(document: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    if not target.is_relative_to(ROOT) or not target.exists():
        return True
    return bool(anchor) and target.suffix == ".md" and anchor not in anchors_of(target.read_text())


def test_links_within_the_repository_lead_to_a_file_and_a_heading_that_are_there() -> None:
    links = [(document, link) for document in _DOCUMENTS for link in links_of(document.read_text())]
    internal = [(document, link) for document, link in links if "://" not in link and not link.startswith("mailto:")]
    assert [(name_of(document), link) for document, link in internal if _is_broken(document, link)] == []


def test_documents_named_in_sources_exist() -> None:
    named = {
        (name_of(source), document)
        for source in source_files()
        if "tests/docs/" not in name_of(source) and source.name != "CHANGELOG.md"
        for document in _DOCUMENT.findall(source.read_text())
        if not (ROOT / document).exists()
    }
    assert named == set()


def test_there_are_documents_with_links() -> None:
    assert {"README.md", "docs/index.md"} <= set(map(name_of, _DOCUMENTS))
    assert links_of((ROOT / "README.md").read_text())


def test_anchors_are_made_as_hosts_make_them() -> None:
    text = "# Who can do what?\n## `make run`, twice\n## [A link](x.md) here\n## twice\n## twice\n```\n# code\n```\n"
    assert anchors_of(text) == {"who-can-do-what", "make-run-twice", "a-link-here", "twice", "twice-1"}


def test_links_are_found_in_prose_and_never_in_code() -> None:
    text = 'See [a](a.md), ![b](b.svg "B") and `[c](c.md)`.\n\n```\n[d](d.md)\n```\n\n[e]: e.md#e\n'
    assert links_of(text) == ["a.md", "b.svg", "e.md#e"]


def test_no_path_of_the_index_has_more_than_1200_lines() -> None:
    index = ROOT / "docs" / "index.md"
    paths = index.read_text().partition("## Paths")[2].partition("\n## ")[0]
    rows = [row for row in paths.splitlines() if row.startswith(("| a ", "| an "))]
    lines = [sum(len((index.parent / link).read_text().splitlines()) for link in links_of(row)) for row in rows]
    assert len(rows) == 7
    assert [count for count in lines if count > 1200] == []
