"""Files of translations: CSV, JSON and XLIFF 2.0, with the texts of one language by their keys."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

import orjson

from common.errors import Detail, InvalidRequestError
from common.json_body import parse_object
from management_api.translations.xliff import read_xliff, write_xliff

#: A spreadsheet computes a cell that begins with one of the first four. All of them get a quote in front.
_QUOTED = ("=", "+", "-", "@", "'")
_COLUMNS = ("key", "base", "text", "state")
MAX_IMPORT_BYTES = 5 * 1024 * 1024
# A text may be longer than the limit of the module, 128 KiB.
csv.field_size_limit(MAX_IMPORT_BYTES)
#: More than a file of this size has with keys of real length. Shorter rows would take seconds and much memory.
MAX_ROWS = 150_000
#: Spreadsheets of some countries separate columns otherwise.
_DELIMITERS = (",", ";", "\t")


class FileFormat(StrEnum):
    """The formats of a file of translations."""

    CSV = "csv"
    JSON = "json"
    XLIFF = "xliff"


#: The media types of the formats.
MEDIA_TYPES: Mapping[str, FileFormat] = {
    "text/csv": FileFormat.CSV,
    "application/json": FileFormat.JSON,
    "application/xliff+xml": FileFormat.XLIFF,
}


class FileRow(NamedTuple):
    """A text in a file. `base` is empty where a file does not say what was translated.

    In JSON a text of null takes the translation away, and `confirmed` takes `base` as the source of the same text.
    """

    key: str
    base: str
    text: str
    state: str = ""
    is_taken_away: bool = False
    is_confirmed: bool = False
    #: Only of texts that a machine has translated, never of a file.
    is_machine: bool = False


def write_file(file_format: FileFormat, rows: Iterable[FileRow], base_locale: str, locale: str) -> bytes:
    """Return a file with these rows."""
    if file_format is FileFormat.XLIFF:
        return write_xliff(((row.key, row.base, row.text, row.state) for row in rows), base_locale, locale)
    if file_format is FileFormat.JSON:
        return orjson.dumps({key: {"base": base, "text": text, "state": state} for key, base, text, state, *_ in rows})
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(_COLUMNS)
    writer.writerows([_quoted(str(cell)) for cell in row[: len(_COLUMNS)]] for row in rows)
    return table.getvalue().encode()


def read_file(file_format: FileFormat, content: bytes) -> list[FileRow]:
    """Return the rows of a file. Raises InvalidRequestError, MalformedBodyError."""
    read: Mapping[FileFormat, Callable[[bytes], Iterable[FileRow]]] = {
        FileFormat.CSV: _read_csv,
        FileFormat.JSON: _read_json,
        FileFormat.XLIFF: lambda xml: (FileRow(*unit) for unit in read_xliff(xml)),
    }
    try:
        rows = list(islice(read[file_format](content), MAX_ROWS + 1))
    except RecursionError:
        raise _invalid("must not be nested so deeply") from None
    if len(rows) > MAX_ROWS:
        raise _invalid(f"must have at most {MAX_ROWS} texts")
    return rows


def _quoted(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_QUOTED) else cell


def _read_csv(content: bytes) -> Iterator[FileRow]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _invalid("must be UTF-8") from None
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=head.count), strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        if names and not {"key", "text"} <= set(names):
            raise _invalid("must have the columns key and text in its first line")
        for cells in reader:
            row = {name: cell.removeprefix("'") for name, cell in zip(names, cells, strict=False)}
            if any(row.values()):
                yield FileRow(row.get("key", ""), row.get("base", ""), row.get("text", ""))
    except csv.Error as error:
        raise _invalid(f"must be CSV: {error}") from error


def _read_json(content: bytes) -> Iterator[FileRow]:
    for key, value in parse_object(content).items():
        row = {"text": value} if isinstance(value, str) else value
        if not isinstance(row, dict) or not all(isinstance(row.get(name) or "", str) for name in ("base", "text")):
            raise InvalidRequestError([Detail.invalid(key[:200], "must be a text, or an object with base and text")])
        is_taken_away = "text" in row and row["text"] is None
        is_confirmed = row.get("confirmed") is True
        yield FileRow(key, row.get("base") or "", row.get("text") or "", "", is_taken_away, is_confirmed)


def _invalid(message: str) -> InvalidRequestError:
    return InvalidRequestError([Detail.invalid("file", message)])
