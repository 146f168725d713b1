"""Formats times for tables, and writes tables into documents."""

from collections.abc import Sequence
from pathlib import Path


def percentiles(times: Sequence[float], digits: int) -> str:
    """Return the 50th and the 99th percentile of times in seconds, in milliseconds."""
    ordered = sorted(times)
    return "/".join(f"{ordered[int(len(ordered) * part)] * 1000:.{digits}f}" for part in (0.5, 0.99))


def write_between(document: Path, name: str, section: str) -> None:
    """Replace the text between the markers of that name. Raises ValueError when the document has none."""
    first, last = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, begin, rest = document.read_text().partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"{document} has no {first} and {last}")
    document.write_text(f"{before}{first}\n{section}\n{last}{after}")
