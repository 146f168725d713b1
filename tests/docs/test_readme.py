"""The README repeats figures of the measurements, and every figure is still there."""

import re

from tests.docs.markdown import ROOT

_MEASURED = [ROOT / "docs" / "performance.md", ROOT / "docs" / "internals" / "measurements.md"]
#: Exact counts; rounded ones end with three zeros.
_COUNT = re.compile(r"\b\d{1,3}(?:,\d{3})+\b(?<!,000)")


def test_counts_of_the_readme_equal_the_measurements() -> None:
    promises = (ROOT / "README.md").read_text().partition("\n## What it promises\n")[2].partition("\n## ")[0]
    counts = set(_COUNT.findall(promises))
    assert len(counts) >= 4
    measured = "".join(document.read_text() for document in _MEASURED)
    assert counts - set(_COUNT.findall(measured)) == set()
