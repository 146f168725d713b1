"""Tables as CSV (RFC 4180), safe to open in a spreadsheet."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

#: A spreadsheet computes a cell that begins with one of these, also in their full-width form.
_FORMULA_SIGNS = ("=", "+", "-", "@")
#: Programs may split a line at these, depending on the user's language, or ignore them before a formula sign.
_SEPARATORS = re.compile(r"[\s,;|]+")
_CONTROLS = ("\t", "\r", "\n")
#: A field with another character stands in quotes, so that nothing in it separates fields.
_BARE_FIELD = re.compile(r'[^",;|\t\r\n]*')


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Return a header and the rows; null is an empty field. A text that a spreadsheet would compute gets a quote."""
    lines = [columns, *([_cell(row[column]) for column in columns] for row in rows)]
    return "".join(",".join(map(_field, line)) + "\r\n" for line in lines).encode()


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = str(value)
    return f"'{text}" if isinstance(value, str) and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    start = unicodedata.normalize("NFKC", text)
    separators = _SEPARATORS.match(start)
    return text.startswith(_CONTROLS) or start.startswith(_FORMULA_SIGNS, separators.end() if separators else 0)


def _field(text: str) -> str:
    if _BARE_FIELD.fullmatch(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
