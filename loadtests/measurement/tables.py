"""Writes tables into documents."""

from pathlib import Path


def write_between(document: Path, name: str, section: str) -> None:
    """Replace the text between the markers of that name. Raises ValueError when the document has none."""
    first, last = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, begin, rest = document.read_text().partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"{document} has no {first} and {last}")
    document.write_text(f"{before}{first}\n{section}\n{last}{after}")
