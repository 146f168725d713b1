"""docs/architecture.md names every package, and nothing that does not exist."""

import re

from tests.docs.markdown import ROOT

_TEXT = (ROOT / "docs" / "architecture.md").read_text()
_ROWS = set(re.findall(r"^\| `([a-z_/]+)/` \|", _TEXT.partition("## Folders")[2].partition("\n## ")[0], re.MULTILINE))


def _packages(folder: str) -> set[str]:
    return {init.parent.relative_to(ROOT).as_posix() for init in (ROOT / folder).glob("*/__init__.py")}


def test_every_package_has_a_row() -> None:
    assert {row for row in _ROWS if not (ROOT / row).is_dir()} == set()
    assert _packages(".") - {"common"} <= _ROWS
    assert _packages("common") <= _ROWS


def test_every_folder_of_management_is_named() -> None:
    folders = {package.partition("/")[2] for package in _packages("management_api")}
    assert {folder for folder in folders if f"`{folder}`" not in _TEXT and f"`{folder}/`" not in _TEXT} == set()
