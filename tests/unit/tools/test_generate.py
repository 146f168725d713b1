"""The generated files, and the check that finds one that was edited or left behind."""

from pathlib import Path

from tools.generate import outdated_files


def test_an_edited_and_a_missing_file_are_out_of_date(tmp_path: Path) -> None:
    (tmp_path / "same").write_text("a\n")
    (tmp_path / "edited").write_text("a\r\n")
    assert outdated_files(tmp_path, dict.fromkeys(("same", "edited", "missing"), "a\n")) == ["edited", "missing"]
