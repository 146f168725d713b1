"""deploy/docker/Dockerfile and .dockerignore; tests/unit/cli/test_packaging.py builds the wheel of the image."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[3]
_DOCKERFILE = _ROOT / "deploy" / "docker" / "Dockerfile"


def test_hadolint_accepts_the_dockerfile() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    if not hadolint.exists():
        pytest.skip("hadolint has no package for this kind of machine")
    found = subprocess.run([hadolint, "--no-color", _DOCKERFILE], capture_output=True, text=True, check=False)  # noqa: S603 - a linter
    assert (found.returncode, found.stdout) == (0, "")


def test_image_does_not_run_as_root() -> None:
    users = re.findall(r"^USER (.+)$", _DOCKERFILE.read_text(), re.MULTILINE)
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])


def test_every_installed_package_is_pinned_by_hash() -> None:
    installs = re.findall(r"pip install[^&\n]*", _DOCKERFILE.read_text().replace("\\\n", " "))
    assert len(installs) == 4
    for install in installs:
        assert "--require-hashes" in install or install.endswith(" --no-deps wheels/*.whl")
