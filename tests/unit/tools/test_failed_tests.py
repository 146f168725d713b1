"""tools/failed_tests.py: failed tests are written down, and run again if they are few."""

import json
from pathlib import Path

import pytest

from tools.failed_tests import run_failed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failed", "again", "code"), [(1, "assert True", 0), (1, "assert False", 1), (3, "assert True", 1), (0, "", 1)]
)
def test_failed_tests_are_written_down_and_pass_if_they_are_few_and_pass_again(
    tmp_path: Path, failed: int, again: str, code: int
) -> None:
    names = [f"test_a.py::test_{number}" for number in range(failed)]
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(names, True)))
    (tmp_path / "test_a.py").write_text("".join(f"def test_{number}():\n    {again}\n" for number in range(failed)))
    assert run_failed(tmp_path) == code
    written = tmp_path / "failed-tests.txt"
    assert (written.read_text().splitlines() if written.exists() else []) == names
