"""docs/dependencies.md lists the dependencies of pyproject.toml and of npm, with licences and reasons."""

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text())
#: The sections of the document, each with its group in pyproject.toml.
_ASKED_FOR = {
    "## Runtime": _PROJECT["project"]["dependencies"],
    "## Local stack and tests (`local`)": _PROJECT["project"]["optional-dependencies"]["local"],
    "## Traces (`tracing`)": _PROJECT["project"]["optional-dependencies"]["tracing"],
    "## Tests and checks (`dev`)": _PROJECT["dependency-groups"]["dev"],
    "## Checks of `deploy/` (`deploy-lint`)": _PROJECT["dependency-groups"]["deploy-lint"],
    "## Node for the web parts (`web`)": _PROJECT["dependency-groups"]["web"],
    "## Charts of benchmarks (`benchmark`)": _PROJECT["dependency-groups"]["benchmark"],
    "## Load, in an environment of its own (`load`)": _PROJECT["dependency-groups"]["load"],
    "## Installation and build (`build`)": _PROJECT["dependency-groups"]["build"],
}


def _rows(heading: str) -> dict[str, tuple[str, str]]:
    """Return licence and reason by the package's name."""
    section = (_ROOT / "docs" / "dependencies.md").read_text().partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return {name: (licence, reason) for name, licence, reason in rows[1:]}


def _npm_rows() -> dict[str, str]:
    """Return the licence of each package of npm. Names without a scope have that of the first one in their row."""
    licences = {}
    for names, (licence, _) in _rows("## Packages of npm").items():
        first = names.partition("/")[0] + "/" if names.startswith("@") else ""
        for name in names.split(", "):
            licences[name if name.startswith("@") else first + name] = licence
    return licences


def _npm_packages() -> set[str]:
    """Return the packages that the workspace of `web/` requires."""
    members = [_ROOT / "web", *(_ROOT / "web" / name for name in ("pages", "dashboard"))]
    asked = [json.loads((folder / "package.json").read_text()) for folder in members]
    return {name for each in asked for kind in ("dependencies", "devDependencies") for name in each.get(kind, {})}


def _names(requirements: list[str | dict[str, str]]) -> list[str]:
    """Return the packages of a section; a table is another group, which has a section of its own."""
    return [_name(requirement) for requirement in requirements if isinstance(requirement, str)]


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0]


def _said_licence(name: str) -> str | None:
    """Return the licence that the installed package's metadata names in SPDX's words, if it does."""
    try:
        said = metadata.metadata(name).json.get("license_expression")
    except metadata.PackageNotFoundError:
        return None
    return said if isinstance(said, str) else None


@pytest.mark.parametrize("heading", _ASKED_FOR)
def test_every_dependency_is_listed_in_its_section_and_no_other(heading: str) -> None:
    assert sorted(_rows(heading)) == sorted(_names(_ASKED_FOR[heading]))


def test_there_is_a_section_for_every_extra_and_every_group() -> None:
    groups = [*_PROJECT["project"]["optional-dependencies"], *_PROJECT["dependency-groups"]]
    assert [group for group in groups if not any(f"(`{group}`)" in heading for heading in _ASKED_FOR)] == []


@pytest.mark.parametrize("heading", _ASKED_FOR)
def test_licences_equal_the_metadata_of_the_packages(heading: str) -> None:
    said = {name: _said_licence(name) or licence for name, (licence, _) in _rows(heading).items()}
    assert {name: licence for name, (licence, _) in _rows(heading).items()} == said


@pytest.mark.parametrize("heading", _ASKED_FOR)
def test_every_dependency_has_a_reason(heading: str) -> None:
    assert [name for name, (_, reason) in _rows(heading).items() if not reason.strip()] == []


def test_backend_that_builds_the_wheel_is_locked() -> None:
    assert set(_names(_PROJECT["build-system"]["requires"])) <= set(_names(_PROJECT["dependency-groups"]["build"]))


def test_every_package_of_npm_is_listed_and_no_other() -> None:
    assert sorted(_npm_rows()) == sorted(_npm_packages())


def test_licences_of_npm_equal_those_of_the_lock_file() -> None:
    locked = json.loads((_ROOT / "web" / "package-lock.json").read_text())["packages"]
    assert _npm_rows() == {name: locked[f"node_modules/{name}"]["license"] for name in _npm_rows()}
