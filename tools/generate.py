"""Writes the files that are generated from the code, or with `--check` names those that are out of date."""

import argparse
import sys
from pathlib import Path

import orjson

from tools.generate_docs.contents_module import contents_module
from tools.generate_docs.contents_page import contents_page
from tools.generate_docs.dashboard import dashboard_text
from tools.generate_docs.metrics_page import metrics_page
from tools.generate_docs.notices import third_party_notices
from tools.generate_docs.operators_module import operators_module
from tools.generate_docs.settings_files import example_environment, settings_page
from tools.generate_docs.templates_page import templates_page
from tools.openapi.document import build_document

ROOT = Path(__file__).parents[1]


def generated_files() -> dict[str, str]:
    """Return the generated files by their paths in the project; the same code always produces the same bytes."""
    openapi = orjson.dumps(build_document(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return {
        ".env.example": example_environment(),
        "THIRD_PARTY.txt": third_party_notices(),
        "docs/reference/settings.md": settings_page(),
        "docs/reference/metrics.md": metrics_page(),
        "docs/reference/screens-and-themes.md": contents_page(),
        "docs/reference/templates.md": templates_page(),
        "deploy/grafana/dashboard.json": dashboard_text(),
        "management_api/docs/openapi.json": openapi.decode(),
        "web/flow/src/contents.ts": contents_module(),
        "web/flow/src/operators.ts": operators_module(),
    }


def outdated_files(root: Path, files: dict[str, str]) -> list[str]:
    """Return the paths of the files that are missing in a folder or have another content there."""
    return [path for path, content in files.items() if not _has_content(root / path, content.encode())]


def main() -> None:
    """Write the files, or exit with a message if `--check` finds one that is out of date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    files = generated_files()
    outdated = outdated_files(ROOT, files)
    if options.check:
        if outdated:
            sys.exit(f"out of date: {', '.join(outdated)}; run `make generate` and commit the result")
        return
    for path in outdated:
        (ROOT / path).write_bytes(files[path].encode())


def _has_content(file: Path, content: bytes) -> bool:
    return file.is_file() and file.read_bytes() == content


if __name__ == "__main__":
    main()
