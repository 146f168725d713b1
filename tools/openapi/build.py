"""Writing of the committed document, `management_api/docs/openapi.json`, and reading it in tests."""

from importlib.resources import as_file, files
from pathlib import Path

import orjson

from tools.openapi.document import build_document

_PACKAGE, _NAME = "management_api.docs", "openapi.json"


def document_bytes() -> bytes:
    """Return the file that the code demands; the same code always gives the same bytes."""
    return orjson.dumps(build_document(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def committed_bytes() -> bytes:
    """Return the committed file."""
    return (files(_PACKAGE) / _NAME).read_bytes()


def main() -> None:
    """Write the file."""
    with as_file(files(_PACKAGE)) as folder:
        Path(folder, _NAME).write_bytes(document_bytes())


if __name__ == "__main__":
    main()
