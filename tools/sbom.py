"""Writes the bill of materials as CycloneDX JSON: Python packages of the image, and npm packages in its bundles."""

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from common.version import VERSION
from tools.web import NOTICES, PACKAGES

_ROOT = Path(__file__).parents[1]
#: Builds name each bundled package in their notices: `## NAME - VERSION (LICENCE)`.
_BUNDLED = re.compile(r"^## (?:(@[^/\s]+)/)?(\S+) - (\S+) \((.+)\)$", re.MULTILINE)
#: The warning is that a lock file has no dependencies between packages.
_PROGRAM = ("-W", "ignore::UserWarning", "-m", "cyclonedx_py", "requirements")
_OPTIONS = ("--mc-type", "application", "--spec-version", "1.6", "--output-reproducible", "--no-validate")


def main() -> None:
    """Write it to the file that is named."""
    write_bill_of_materials(Path(sys.argv[1]))


def write_bill_of_materials(target: Path) -> None:
    """Write the pins of requirements/image.txt and the bundled packages of web/package-lock.json.

    Raises CalledProcessError when the program for the Python packages fails, ValueError for an invalid bill, OSError
    when the web parts are not built.
    """
    inputs = ("--pyproject", str(_ROOT / "pyproject.toml"), str(_ROOT / "requirements" / "image.txt"))
    subprocess.run((sys.executable, *_PROGRAM, *_OPTIONS, "--output-file", str(target), *inputs), check=True)
    bill = json.loads(target.read_text())
    # The version stands in the code, where the program does not look.
    bill["metadata"]["component"]["version"] = VERSION
    bill["components"] += bundled_packages()
    text = json.dumps(bill, indent=2) + "\n"
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(str(error))
    target.write_text(text)


def bundled_packages() -> list[dict[str, Any]]:
    """Return a component for each npm package in the built pages and the built dashboard."""
    lock = json.loads((_ROOT / "web" / "package-lock.json").read_text())["packages"]
    locked = {(path.rpartition("node_modules/")[2], entry.get("version")): entry for path, entry in lock.items()}
    return [_component(found, locked) for found in sorted(set(_BUNDLED.findall(bundled_notices())))]


def bundled_notices() -> str:
    """Return the notices of the builds."""
    return "".join((package.output / NOTICES).read_text() for package in PACKAGES.values())


def _component(found: tuple[str, ...], locked: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    scope, short, version, licence = found
    name = f"{scope}/{short}" if scope else short
    url = f"pkg:npm/{quote(name, safe='/')}@{version}"
    algorithm, _, digest = locked[name, version]["integrity"].partition("-")
    return {
        "type": "library",
        "bom-ref": url,
        **({"group": scope} if scope else {}),
        "name": short,
        "version": version,
        "licenses": [{"expression": licence}],
        "hashes": [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": base64.b64decode(digest).hex()}],
        "purl": url,
    }


if __name__ == "__main__":
    main()
