"""The groups of tests that run in one worker."""

from pathlib import Path

from tests.support.xdist_scheduler import GROUPS

ROOT = Path(__file__).parents[3]


def test_groups_name_existing_files() -> None:
    assert [name for name in GROUPS if not (ROOT / name).exists()] == []
