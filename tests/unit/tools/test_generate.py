"""The generated files, and the check that finds one that was edited or left behind."""

from pathlib import Path

import pytest

from tools.generate import ROOT, generated_files, outdated_files

FILES = generated_files()


@pytest.mark.parametrize("path", FILES)
def test_committed_file_is_up_to_date(path: str) -> None:
    assert (ROOT / path).read_text() == FILES[path], "run `make generate`"


def test_an_edited_and_a_missing_file_are_out_of_date(tmp_path: Path) -> None:
    (tmp_path / "same").write_text("a\n")
    (tmp_path / "edited").write_text("a\r\n")
    assert outdated_files(tmp_path, dict.fromkeys(("same", "edited", "missing"), "a\n")) == ["edited", "missing"]
