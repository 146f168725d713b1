"""`make sbom`: a valid CycloneDX list of the packages in the lock file, with their hashes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from common.version import VERSION
from tools.sbom import write_bill_of_materials

# cyclonedx takes 14 s to load the schemas of its validation.
pytestmark = pytest.mark.slow

_LOCK = (Path(__file__).parents[3] / "requirements" / "image.txt").read_text()


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the content of the file."""
    file = tmp_path_factory.mktemp("bill") / "sbom.json"
    write_bill_of_materials(file)
    bill: dict[str, Any] = json.loads(file.read_text())
    return bill


def test_sbom_has_this_release_and_its_licence(bill: dict[str, Any]) -> None:
    component = bill["metadata"]["component"]
    assert (component["name"], component["version"]) == ("onboarding-configuration-service", VERSION)
    assert [entry["license"]["id"] for entry in component["licenses"]] == ["Apache-2.0"]


def test_sbom_lists_exactly_the_packages_of_the_lock_file(bill: dict[str, Any]) -> None:
    pins = re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", _LOCK, re.MULTILINE)
    assert sorted((part["name"], part["version"]) for part in bill["components"]) == sorted(pins)


def test_sbom_has_every_hash_of_the_lock_file(bill: dict[str, Any]) -> None:
    references = [reference for part in bill["components"] for reference in part["externalReferences"]]
    hashes = [each["content"] for reference in references for each in reference.get("hashes", [])]
    assert sorted(hashes) == sorted(re.findall(r"--hash=sha256:([0-9a-f]{64})", _LOCK))
