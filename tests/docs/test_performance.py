"""The headlines of docs/performance.md are those of the generated tables."""

import re

import pytest

from tests.docs.markdown import ROOT

_PAGE = (ROOT / "docs" / "performance.md").read_text()
_TEXT = _PAGE + (ROOT / "docs" / "internals" / "measurements.md").read_text()


def _rows(section: str) -> list[list[str]]:
    """Return the cells of all rows of a generated section."""
    text = _TEXT.partition(f"<!-- {section}: begin -->")[2].partition(f"<!-- {section}: end -->")[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]


def _ratios(section: str, subject: str = "") -> list[float]:
    """Return the ratios of the rows whose first cell begins with the subject."""
    cells = [row[1] for row in _rows(section) if row[0].startswith(subject) and row[1].startswith("**")]
    return [float(cell.split("**")[1]) for cell in cells]


def _headline(subject: str) -> str:
    (result,) = re.findall(rf"^\| {re.escape(subject)}[^|]*\| \[([^\]]*)\]", _PAGE, re.MULTILINE)
    return str(result)


@pytest.mark.parametrize(
    ("subject", "section", "row", "digits"),
    [
        ("a resolve at the edge", "edge benchmark", "resolve", 1),
        ("a single event", "edge benchmark", "event", 1),
        ("events stored by group commit", "ingestion benchmark", "the edge", 2),
        ("20 experiments", "rules benchmark", "audiences", 2),
        ("storing events", "storage benchmark", "the event consumer", 2),
    ],
)
def test_headline_is_a_ratio_of_the_generated_table(subject: str, section: str, row: str, digits: int) -> None:
    measured = [f"{ratio:.{digits}f}" for ratio in _ratios(section, row)]
    assert _headline(subject).split()[0] in measured


def test_headline_of_management_is_the_range_of_all_requests() -> None:
    ratios = _ratios("management benchmark")
    assert _headline("management") == f"{min(ratios):.2f} to {max(ratios):.2f}"


def test_headline_of_queries_is_the_slowest() -> None:
    rows = _rows("storage benchmark")
    queries = rows[[row[0] for row in rows].index("Query") + 2 :]
    slowest = max(float(row[2]) for row in queries)
    assert _headline("every analytics query") == f"at most {slowest:.0f} ms"


def test_headline_of_changes_is_the_last_worker() -> None:
    (calm,) = [row for row in _rows("scale") if row[0] == "calm"]
    assert _headline("a change") == f"{calm[3].partition('/')[2]} ms"
