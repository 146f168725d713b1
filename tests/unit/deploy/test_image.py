"""deploy/docker/Dockerfile: what is in the image, and what is not."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_DOCKERFILE = _ROOT / "deploy" / "docker" / "Dockerfile"
_LINES = _DOCKERFILE.read_text().replace("\\\n", " ").splitlines()
#: Of the last stage, which is the image.
_IMAGE = _LINES[max(place for place, line in enumerate(_LINES) if line.startswith("FROM ")) :]


def _instructions(name: str) -> list[str]:
    return [line.removeprefix(f"{name} ") for line in _IMAGE if line.startswith(f"{name} ")]


def test_the_linter_of_dockerfiles_finds_nothing() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("hadolint has no package for this kind of machine")
    found = subprocess.run([hadolint, "--no-color", _DOCKERFILE], capture_output=True, text=True, check=False)  # noqa: S603 - a linter
    assert (found.returncode, found.stdout) == (0, "")


def test_nothing_runs_as_root() -> None:
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", _instructions("USER")[-1])


def test_the_image_has_what_was_built_and_nothing_to_build_with() -> None:
    assert _instructions("COPY") == ["--from=build /opt/onboarding /opt/onboarding"]
    assert not [line for line in _instructions("RUN") if "install " in line.replace("install -d", "")]
    assert "ensurepip" in _instructions("RUN")[0]


def test_every_package_that_ships_reaches_the_build() -> None:
    packaging = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    lines = (_ROOT / ".dockerignore").read_text().splitlines()
    assert {pattern.removesuffix("*") for pattern in packaging["include"]} <= {line.removeprefix("!") for line in lines}


def test_everything_that_is_installed_is_pinned_by_hash() -> None:
    installs = re.findall(r"pip install[^&\n]*", "\n".join(_LINES))
    assert len(installs) == 3
    for install in installs:
        assert "--require-hashes" in install or install.endswith(" --no-deps wheels/*.whl")
