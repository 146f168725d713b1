"""`make sbom`: a valid CycloneDX list of the packages in the image and in its bundles, with their hashes."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from common.version import VERSION
from tools.web import NOTICES, PACKAGES

# It runs as a process of its own: cyclonedx takes 14 s to load the schemas of its validation.
pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[3]
_LOCK = (_ROOT / "requirements" / "image.txt").read_text()


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("bill") / "sbom.json"
    subprocess.run([sys.executable, "-m", "tools.sbom", str(file)], cwd=_ROOT, check=True)  # noqa: S603 - a tool of ours
    bill: dict[str, Any] = json.loads(file.read_text())
    return bill


def test_sbom_has_this_release_and_its_licence(bill: dict[str, Any]) -> None:
    component = bill["metadata"]["component"]
    assert (component["name"], component["version"]) == ("onboarding-configuration-service", VERSION)
    assert [entry["license"]["id"] for entry in component["licenses"]] == ["Apache-2.0"]


def _packages(bill: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [part for part in bill["components"] if part["purl"].startswith(f"pkg:{kind}/")]


def test_sbom_lists_exactly_the_packages_of_the_lock_file_and_of_the_bundles(bill: dict[str, Any]) -> None:
    pins = re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", _LOCK, re.MULTILINE)
    assert sorted((part["name"], part["version"]) for part in _packages(bill, "pypi")) == sorted(pins)
    bundled = {part["purl"].partition("/")[2].rpartition("@")[0] for part in _packages(bill, "npm")}
    notices = "".join((package.output / NOTICES).read_text() for package in PACKAGES.values())
    assert {name.replace("%40", "@") for name in bundled} == set(re.findall(r"^## (\S+) - ", notices, re.MULTILINE))
    assert {"react", "%40mantine/core", "%40fontsource-variable/inter", "lottie-web"} <= bundled
    assert not {"vite", "typescript", "vitest"} & bundled


def test_sbom_has_every_hash_of_the_lock_file(bill: dict[str, Any]) -> None:
    references = [reference for part in _packages(bill, "pypi") for reference in part["externalReferences"]]
    hashes = [each["content"] for reference in references for each in reference.get("hashes", [])]
    assert sorted(hashes) == sorted(re.findall(r"--hash=sha256:([0-9a-f]{64})", _LOCK))
    assert all(part["hashes"][0]["alg"] == "SHA-512" for part in _packages(bill, "npm"))
