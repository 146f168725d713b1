"""The groups of tests that run in one worker."""

from pathlib import Path

from tests.support.xdist_scheduler import GROUPS, group_of

ROOT = Path(__file__).parents[3]


def test_groups_name_existing_files() -> None:
    assert [name for name in GROUPS if not (ROOT / name).exists()] == []


def test_ungrouped_test_is_a_group_of_its_own() -> None:
    assert group_of("tests/e2e/test_devices.py::test_a") == group_of("tests/e2e/test_experiments.py::test_two")
    assert group_of("tests/unit/test_any.py::test_it[1]") == "tests/unit/test_any.py::test_it[1]"
