"""Tables as CSV (RFC 4180), safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

#: A cell that begins so would be computed; devices make up the names that stand in some cells.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Give a header and the rows; what is null is empty, and a text that looks like a formula has a quote before it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value
