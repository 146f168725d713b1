"""Which tests run together in one worker."""

from pathlib import Path

from tests.support.xdist_scheduler import GROUPS, group_of

ROOT = Path(__file__).parents[2]


def test_what_is_named_in_a_group_is_there() -> None:
    assert [name for name in GROUPS if not (ROOT / name).exists()] == []


def test_a_test_is_in_the_group_of_its_file_or_folder_or_by_itself() -> None:
    assert group_of("tests/e2e/test_devices.py::test_a") == group_of("tests/e2e/test_experiments.py::test_two")
    assert group_of("tests/unit/test_any.py::test_it[1]") == "tests/unit/test_any.py::test_it[1]"
